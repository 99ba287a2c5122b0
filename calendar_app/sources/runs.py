"""One run of a source, whatever brings its events: how it begins, goes on, is reported and ends."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.pace import in_short_turns
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import Now
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.zones import zone_of
from calendar_app.errors import CalendarError, Message
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.comparing import (
    DoubleChoices,
    Editors,
    may_be_double,
    note_doubles,
)
from calendar_app.sources.doubles import Doubles
from calendar_app.sources.kept_pictures import PictureCopier
from calendar_app.sources.notes import NOTES
from calendar_app.sources.parsed import Fetched, ParsedCalendar, SourceError, Validators
from calendar_app.sources.planning import Guard
from calendar_app.sources.reports import (
    DONE,
    FAILED,
    GOOD,
    INTERRUPTED,
    PREVIEW,
    UNCHANGED,
    WAITING,
    Reports,
    SourceRun,
    next_due,
)
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.returning import OwnEvents
from calendar_app.sources.source import Source
from calendar_app.storage.migrations import require_one_kind_of_notes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals

# Reads the content of a source, but for what still has the text of a digest by UID; raises
# ``SourceError`` where it is no calendar.
ReadContent = Callable[[bytes, Source, Mapping[str, str]], ParsedCalendar]
# Fetches a source; ``None`` where it is unchanged since then. Raises ``SourceError``.
Fetch = Callable[[Source, Validators], Fetched | None]
# So many new and changed events are compared with others at once.
_COMPARED_AT_ONCE = 100
RunProgress = Callable[[int, int], object]
_NONE = SentRecurrence()
# Minutes until a source is read again that waits for a person.
_PATIENCE = 15
# A followed calendar is due earlier: so a minute holds, though the service looks each few seconds.
_AHEAD = timedelta(seconds=10)


class DateLimits(NamedTuple):
    """How many dates a source has at most, and one of its series."""

    of_source: int
    of_series: int

    def dates_of(self, event: CalendarEvent, now: datetime) -> int:
        """Return how many coming dates an event has; a single one counts as one."""
        return event.dates_since(now, self.of_series) if event.recurrence != _NONE else 1

    @property
    def reason(self) -> Message:
        """Why a source is refused that would bring more."""
        return Message("Its events have more than {number} dates.", number=self.of_source)


@dataclass(frozen=True, slots=True)
class ReadingParts:
    """The parts of readings; ``own_events`` recognises those of this calendar."""

    store: Store
    editors: Editors
    kinds: tuple[Kind, Kind]
    languages: Sequence[str]
    timezone: str
    readers: Mapping[str, ReadContent]
    fetch: Fetch
    own_events: Callable[[], OwnEvents]
    reports: Reports
    choices: DoubleChoices
    doubles: Doubles
    now: Now
    guard: Guard
    date_limits: DateLimits
    copier: Callable[[Source], PictureCopier]
    caller_of: Callable[[int], Caller | None]

    def copier_for(self, source: Source, *, dry_run: bool) -> PictureCopier | None:
        """Return the copier of the pictures of a source; ``None`` for links."""
        return self.copier(source) if source.copies_pictures and not dry_run else None


@dataclass(frozen=True, slots=True)
class Request:
    """How a source is read: by whom, from which content, and how much a person has accepted.

    Without ``content`` the address is fetched. ``begun`` is called as soon as the reading is
    stored, ``progress`` with what is done, and all, and ``listen`` with each result.
    """

    by: int = 0
    dry_run: bool = False
    content: bytes | None = None
    accepted: int = 0
    progress: RunProgress = field(default=lambda _done, _all: None)
    begun: Callable[[], object] = field(default=lambda: None)
    listen: Callable[[Result], object] = field(default=lambda _result: None)


class RunReport:
    """Reports the results of the records of one run, part by part.

    ``run`` has the numbers of its events so far. What else a site has is only listened to.
    """

    def __init__(
        self, parts: ReadingParts, source: Source, request: Request, run: SourceRun
    ) -> None:
        self.run = run
        self._parts = parts
        self._source = source
        self._request = request
        self._to_compare: list[Result] = []
        self._has_begun = request.dry_run

    def begin(self) -> None:
        """Store the run, unless it is a dry one or has begun."""
        if not self._has_begun:
            self._parts.reports.begin(self.run)
            self._has_begun = True

    def finish(self) -> None:
        """Store how the run has ended, unless it is a dry one or nothing has begun."""
        if self._has_begun and not self._request.dry_run:
            self._parts.reports.finish(self.run)

    def add(self, results: Iterable[Result]) -> None:
        """Report the results of some records."""
        results = list(results)
        for each in results:
            self._request.listen(each)
        of_events = [each for each in results if each.kind == EVENT.name]
        self._parts.reports.add(self.run, of_events)
        self._to_compare += [each for each in of_events if may_be_double(each)]
        if len(self._to_compare) >= _COMPARED_AT_ONCE:
            self.compare()

    def go_on(self, number: int) -> bool:
        """Note that so many events more are done; say whether the run is to go on."""
        self.run.done += number
        self._request.progress(self.run.done, self.run.all)
        return self._request.dry_run or self._parts.reports.note_progress(self.run)

    def compare(self) -> None:
        """Report which new and changed events are perhaps the same as others."""
        results, self._to_compare = self._to_compare, []
        if self._request.dry_run:
            self.add(
                Result(Outcome.DOUBLE, each.label, each.uid, reason=str(other))
                for each in results
                for other in each.doubles
            )
        else:
            self.add(note_doubles(self._parts, self._source, results))

    def end(self) -> str:
        """Return the state of a run that has come to its end."""
        return PREVIEW if self._request.dry_run else DONE


class Work(Protocol):
    """The work of a reading; on success, ``fresh`` is stored in the state of the source."""

    fresh: Record

    def run(self) -> str:
        """Return the state in which the reading ends."""


def carry_out(
    parts: ReadingParts, source: Source, request: Request, begin: Callable[[RunReport], Work]
) -> SourceRun:
    """Do the work of a reading, and store how it has ended, unless it is a dry run."""
    require_one_kind_of_notes(parts.store)
    reports = parts.reports
    reading = reports.new(source.id, request.by)
    if request.dry_run:
        reading.entries = []
    report = RunReport(parts, source, request, reading)
    # Of a followed calendar that is as before, each minute, nobody wants a report.
    if request.by or not source.follows:
        report.begin()
    request.begun()
    started = time.monotonic()
    before = reports.state(source.id)
    work = begin(report)
    try:
        with through(Door.IMPORT), in_short_turns():
            reading.state = work.run()
            report.compare()
    except SourceError as error:
        reading.state, reading.reason = FAILED, str(error)
    except CalendarError as error:
        reading.state, reading.reason = FAILED, str(error) or type(error).__name__
        raise
    except BaseException:  # Somebody presses Ctrl-C, or there is a defect.
        reading.state = INTERRUPTED
        raise
    finally:
        reading.finished = parts.now()
        reading.duration = round(time.monotonic() - started, 3)
        if reading.state != UNCHANGED:
            report.begin()
        if not request.dry_run:
            # Whoever sees that it has ended finds its result at the source.
            reports.end(source.id, _next_state(parts, source, before, reading, work.fresh))
            report.finish()
    return reading


def reads_otherwise(source: Source, state: Record) -> bool:
    """Say whether settings have changed since then on which all depends that a source says."""
    own = source.values_fingerprint
    return bool(state.get("values", own) != own)


def _next_state(
    parts: ReadingParts, source: Source, before: Record, reading: SourceRun, fresh: Record
) -> Record:
    """Return the state of a source after a reading."""
    is_good = reading.state in GOOD
    failures = 0 if is_good else before.get("failures", 0) + (reading.state == FAILED)
    now = parts.now()
    since = None if is_good else before.get("failing_since")
    if reading.state == FAILED:
        since = since or now
    refused = {"refused": fresh["refused"]} if "refused" in fresh else {}
    # What waits for a person is as it was, until then or for a while.
    every = source.every
    if every and reading.state == WAITING:
        every = max(every, _PATIENCE)
    due = next_due(now, every, source.daily_at, zone_of(parts.timezone), failures)
    if due and source.follows and source.every:
        due -= _AHEAD
    state: Record = {
        "result": reading.state,
        "reason": reading.reason,
        "numbers": reading.numbers,
        "alarming": reading.alarming,
        "attempted": now,
        "failures": failures,
        "failing_since": since,
        "due": due if source.is_scheduled else None,
        **refused,
    }
    if is_good:
        brought = equals(f"{NOTES}.source", source.id)
        events = sum(parts.store.of(kind).count(brought) for kind in parts.kinds)
        state |= {"read": reading.started, "told": None, "events": events, **fresh}
    return state
