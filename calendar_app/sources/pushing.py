"""Events that a program sends to a source: one at a time, or many in one file.

What a program sends of an event is all that its source says: what it leaves out is empty. A file
is written from its first line to its last, a few events in one transaction.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.statuses import TRASH, USUAL
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.sources import planning
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.comparing import may_be_double, note_doubles, waiting_of
from calendar_app.sources.notes import (
    KnownEvents,
    Stored,
    fingerprint,
    key_of,
    lacks_picture,
    note_in,
    read_event,
)
from calendar_app.sources.planning import (
    EventKey,
    ReadSourceEvent,
    SourcePlan,
    StoredSourceEvent,
    compare,
    due_in,
)
from calendar_app.sources.reading import (
    TOO_MUCH,
    weighed,
)
from calendar_app.sources.reports import STOPPED, WAITING, SourceRun
from calendar_app.sources.results import Outcome, Result, left_out
from calendar_app.sources.rules import UNDECIDED
from calendar_app.sources.runs import (
    DateLimits,
    ReadingParts,
    Request,
    RunReport,
    carry_out,
    reads_otherwise,
)
from calendar_app.sources.source import Source
from calendar_app.sources.vanishing import Vanishing
from calendar_app.sources.words import TermFinder, words_in
from calendar_app.sources.writer import SourceWriter, Task

# Lines of which the records are read at once.
_AT_ONCE = 100
_LONGEST_LABEL = 100
_REPEATED = Message("Another line before has this uid.")
_OWN = Message("The event comes from this calendar itself.")
_FILTERED = Message("The filters of the source leave the event out.")
_RULED_OUT = Message("A rule of the source leaves the event out.")
HAS_STOPPED = Message("Somebody has stopped the reading.")
# What an event has of which nothing is sent.
_NOTHING_SENT: Mapping[str, object] = {
    **dict.fromkeys(("venues", "organizers", "categories", "tags"), ()),
    **dict.fromkeys(("cost", "image")),
    **USUAL,
}


def pushed_event(uid: str, changes: Record, source: Source) -> CalendarEvent:
    """Return an event that a program sends; ``changes`` are those of a new event."""
    variants = changes.get("variants") or {}
    tags = (source.language, *variants)
    language = next((tag for tag in tags if variants.get(tag, {}).get("title")), source.language)
    texts = dict.fromkeys(EVENT.texts) | variants.get(language, {})
    own = {**_NOTHING_SENT, "timezone": source.timezone, "all_day": False}
    own |= {name: value for name, value in changes.items() if name != "recurrence"}
    recurrence: SentRecurrence = changes.get("recurrence") or SentRecurrence()
    title = str(texts["title"] or "")
    return CalendarEvent(
        source=f"push:{uid}",
        label=f'event {uid[:_LONGEST_LABEL]} "{title[:_LONGEST_LABEL]}"',
        language=language,
        changes=own | {"variants": {**variants, language: texts}},
        parts={
            "rrule": [str(rule) for rule in recurrence.rules],
            "rdate": [list(date) for date in recurrence.rdates],
        },
        recurrence=recurrence,
        uid=uid,
        url=str(texts["website"] or ""),
    )


@dataclass(frozen=True, slots=True)
class Pushed:
    """A pushed event in its stored form; of a series the first one."""

    record: Record
    is_new: bool


class Pusher:
    """Writes events that programs send to one source; a dry run rolls each write back.

    Those that an ``operator`` imports keep their status, and are not filtered. With ``is_whole``
    each event comes with the texts of all its languages. With ``limits`` new and changed events
    together have so many dates at most.
    """

    def __init__(
        self,
        parts: ReadingParts,
        source: Source,
        *,
        dry_run: bool = False,
        operator: Caller | None = None,
        is_whole: bool = False,
    ) -> None:
        store, editor = parts.editors(source.id, dry_run=dry_run)
        made_of = (store, editor, parts.kinds, source)
        self._source = source
        self._is_whole = is_whole
        self._takes_all = operator is not None
        self._own_events = parts.own_events()
        self._members = StoredSeries(store)
        self._terms = TermFinder(store, parts.languages, source.terms)
        self._writer = SourceWriter(*made_of, dry_run=dry_run, operator=operator)
        if operator is None:
            self._writer.waiting = waiting_of(parts, source, dry_run=dry_run)
            self._writer.copier = parts.copier_for(source, dry_run=dry_run)
        self.vanishing = Vanishing(*made_of, dry_run=dry_run)
        self.known = KnownEvents(store, parts.kinds)
        self.limits: DateLimits | None = None
        # New and changed events so far, and their dates.
        self.brought = self.dates = 0

    def write(
        self,
        events: Sequence[CalendarEvent],
        now: datetime,
        healed: Mapping[EventKey, EventKey],
        joined: Mapping[EventKey, Stored] = MappingProxyType({}),
    ) -> list[Result]:
        """Write events, and return the result of each in their order.

        ``healed`` has the former key of each event that is known again under another one,
        ``joined`` the records that events belong to which are not known yet.
        """
        keys = [healed.get(key_of(event), key_of(event)) for event in events]
        stored = self.known.records(self._source.id, list({key.uid for key in keys}))
        unknown = [event for event, key in zip(events, keys, strict=True) if key not in stored]
        imported = self.known.imported(unknown)
        results: dict[int, Result] = {}
        tasks: dict[int, Task] = {}
        for place, (event, key) in enumerate(zip(events, keys, strict=True)):
            record = stored.get(key) or imported.get(event.source) or joined.get(key)
            translates = self._translates(event, record)
            settled = self._settled(event, record, now)
            if settled is None and not translates:
                settled = self._refused(event, now)
            if settled:
                results[place] = settled
            else:
                tasks[place] = Task(event, record, translates, self._is_whole)
        words = words_in([task.event for task in tasks.values()])
        self._writer.preparation.words = self._terms.find(words)
        places = iter(tasks)
        for batch in weighed(list(tasks.values())):
            for result in self._writer.write(batch, now):
                results[next(places)] = result
        return [results[place] for place in range(len(events))]

    def first(self, uid: str) -> Record | None:
        """Return the event with a UID, of a series its first one outside the trash."""
        stored = self.known.records(self._source.id, [uid]).get(EventKey(uid))
        if stored is None or stored[0] is not SERIES:
            return stored[1] if stored else None
        events = self._members.occurrences(stored[1])
        return next((each for each in events if each["status"] != TRASH), events[0])

    def _settled(
        self, event: CalendarEvent, stored: tuple[Kind, Record] | None, now: datetime
    ) -> Result | None:
        """Return the result of an event of which nothing has to be written."""
        key = key_of(event)
        if self._own_events.has(event):
            return Result(Outcome.OWN, event.label, *key)
        decision = UNDECIDED if self._takes_all else self._source.decide(event)
        if decision.leave_out:
            return left_out(event, decision.rule)
        record = stored[1] if stored else {}
        note = note_in(record, self._source.id)
        digest = note.get("digest")
        if self._translates(event, stored):
            digest = note.get("translations", {}).get(event.language)
        values = {
            "uid": key.uid,
            "rules": self._source.fingerprint,
            "revision": record.get("revision"),
        }
        is_same = all(note.get(name) == value for name, value in values.items())
        is_open = bool(note.keys() & {"missing", "vanished", "incomplete"})
        is_open = is_open or lacks_picture(note, now)
        if is_open or not is_same or digest != fingerprint(event):
            return None
        return Result(Outcome.UNCHANGED, event.label, *key, event=record["_id"])

    def _refused(self, event: CalendarEvent, now: datetime) -> Result | None:
        """Count the dates of a new or changed event; return its refusal where they are too many."""
        if self.limits is None:
            return None
        number = self.limits.dates_of(event, now)
        if self.dates + number > self.limits.of_source:
            refused = Result(
                Outcome.REFUSED, event.label, *key_of(event), reason=self.limits.reason
            )
            return replace(refused, reasons={"recurrence": refused.reason})
        self.brought += 1
        self.dates += number
        return None

    def _translates(self, event: CalendarEvent, stored: tuple[Kind, Record] | None) -> bool:
        """Say whether an event came in another language the first time."""
        note = note_in(stored[1], self._source.id) if stored else {}
        return bool(note) and note.get("language", event.language) != event.language


def _pusher_to(parts: ReadingParts, source: Source, *, dry_run: bool = False) -> Pusher:
    """Return who writes what programs send, which has bounds that imports do not have."""
    pusher = Pusher(parts, source, dry_run=dry_run, is_whole=True)
    pusher.limits = parts.date_limits
    return pusher


def push(parts: ReadingParts, source: Source, event: CalendarEvent) -> Pushed:
    """Write one event; raise ``InvalidParameters`` where it cannot be taken."""
    pusher, now = _pusher_to(parts, source), parts.now()
    (result,) = pusher.write([event], now, {})
    if result.outcome is Outcome.REFUSED and not result.reasons:
        # Another request may have made the event meanwhile.
        (result,) = pusher.write([event], now, {})
    reasons: Mapping[Outcome, Mapping[str, str]] = {
        Outcome.REFUSED: result.reasons or {"uid": result.reason},
        Outcome.OWN: {"uid": _OWN},
        Outcome.FILTERED: {"uid": _RULED_OUT if result.rule else _FILTERED},
    }
    if result.outcome in reasons:
        raise InvalidParameters(reasons[result.outcome])
    if may_be_double(result):
        list(note_doubles(parts, source, [result]))
    parts.reports.set_state(source.id, {"read": now, "attempted": now})
    return Pushed(pusher.first(event.uid) or {}, result.outcome is Outcome.NEW)


def withdraw(parts: ReadingParts, source: Source, uid: str) -> Record:
    """Take an event away, as the source says; return it, of a series the first one.

    It is canceled where that is set, else moved to the trash.
    """
    pusher = Pusher(parts, source)
    stored = pusher.known.records(source.id, [uid]).get(EventKey(uid))
    if stored is None:
        raise NotFound("event")
    cancels = source.vanished == planning.CANCEL
    vanished = planning.CANCEL if cancels else planning.TRASH
    if note_in(stored[1], source.id).get("vanished") != vanished:
        reason = pusher.vanishing.take_away(stored[1]["_id"], vanished)
        if reason:
            raise InvalidParameters({"uid": reason})
    return pusher.first(uid) or {}


# Many events in one file.


@dataclass(frozen=True, slots=True)
class SentLine:
    """A line of a file; ``event`` is missing where it was ``refused``, by parameter."""

    number: int
    uid: str
    event: CalendarEvent | None = None
    refused: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file of events: ``lines`` gives them, each time anew; ``complete`` where it has all.

    ``answer`` is called with each line and its result, in their order, and at last with what is
    missing.
    """

    lines: Callable[[], Iterator[SentLine]]
    answer: Callable[[SentLine, Result], object]
    complete: bool = False


def push_file(parts: ReadingParts, source: Source, request: Request, file: SentFile) -> SourceRun:
    """Write the events of a file as a reading; the caller holds the lease of the source."""
    return carry_out(
        parts, source, request, lambda report: _Run(parts, source, request, report, file)
    )


class _Run:
    """The writing of one file."""

    def __init__(
        self,
        parts: ReadingParts,
        source: Source,
        request: Request,
        report: RunReport,
        file: SentFile,
    ) -> None:
        self._guard = parts.guard
        self._date_limits = parts.date_limits
        self._source = source
        self._request = request
        self._report = report
        self._reading = report.run
        self._file = file
        self._pusher = _pusher_to(parts, source, dry_run=request.dry_run)
        self._state = parts.reports.state(source.id)
        self.fresh: Record = {"values": source.values_fingerprint}

    def run(self) -> str:
        """Return the state in which the reading ends."""
        plan = self._plan() if self._file.complete else SourcePlan()
        reading = self._reading
        reading.note_alarm(plan.alarming, plan.vanishing, plan.coming)
        if not self._request.dry_run and self._guard.holds(plan, self._request.accepted):
            reading.reason = TOO_MUCH
            return WAITING
        healed = {read.key: stored_event.key for read, stored_event in plan.healed}
        batch: list[SentLine] = []
        goes_on = True
        for line in self._unique():
            batch.append(line)
            if len(batch) == _AT_ONCE:
                goes_on = self._write(batch, healed, goes_on=goes_on)
                batch = []
        if not self._write(batch, healed, goes_on=goes_on):
            return STOPPED
        self._let_go(plan.missing)
        if self._pusher.dates > self._pusher.brought:
            reading.dates = self._pusher.dates
        return self._report.end()

    def _plan(self) -> SourcePlan:
        """Compare the file with the stored events; refused events count as unchanged."""
        now = self._reading.started
        stored_events = self._pusher.known.of(self._source, now)
        read: list[ReadSourceEvent] = []
        dates: dict[int, int] = {}
        for line in self._unique():
            if not line.uid:
                reasons = line.refused.items()
                raise InvalidParameters({f"lines.{line.number}.{n}": each for n, each in reasons})
            if line.event is not None:
                read.append(read_event(line.event, line.number))
                dates[line.number] = self._date_limits.dates_of(line.event, now)
            elif (key := EventKey(line.uid)) in stored_events:
                read.append(
                    ReadSourceEvent(
                        key, stored_events[key].digest, stored_events[key].traits, line.number
                    )
                )
        plan = compare(stored_events, read)
        for each, stored_event in (*plan.changed, *plan.healed):
            if each.place in dates:
                plan.note_dates(stored_event, dates[each.place])
        plan.due = due_in(plan, self._source.vanished, now)
        plan.other_settings = reads_otherwise(self._source, self._state)
        return plan

    def _unique(self) -> Iterator[SentLine]:
        """Yield the lines; a UID that was there before is refused."""
        lines_seen: set[int] = set()
        for line in self._file.lines():
            # Hashes take less memory than texts.
            if line.uid and hash(line.uid) in lines_seen:
                yield SentLine(line.number, line.uid, refused={"uid": _REPEATED})
                continue
            if line.uid:
                lines_seen.add(hash(line.uid))
            yield line

    def _write(
        self, lines: Sequence[SentLine], healed: Mapping[EventKey, EventKey], *, goes_on: bool
    ) -> bool:
        """Write some lines and answer each; say whether the reading goes on."""
        events = [line.event for line in lines if line.event] if goes_on else []
        results_of_events = iter(self._pusher.write(events, self._reading.started, healed))
        results = []
        for line in lines:
            if line.event and goes_on:
                result = next(results_of_events)
            else:
                reasons = line.refused or {"line": HAS_STOPPED}
                words = " ".join(map(str, reasons.values()))
                label = f"line {line.number}"
                result = Result(Outcome.REFUSED, label, line.uid, reason=words, reasons=reasons)
            results.append(result)
            self._file.answer(line, result)
        self._report.add(results)
        return self._report.go_on(len(lines)) and goes_on

    def _let_go(self, missing: Sequence[StoredSourceEvent]) -> None:
        now, accepted = self._reading.started, bool(self._request.accepted)
        results = self._pusher.vanishing.let_go(missing, now, accepted=accepted)
        for result in results:
            self._file.answer(SentLine(0, result.uid), result)
        self._report.add(results)
