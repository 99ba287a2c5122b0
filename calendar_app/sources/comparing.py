"""Compares the events of a source with all others, to find doubles."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from calendar_app.accounts.callers import ANYONE, SOURCE_ROLE, Caller
from calendar_app.accounts.policy import readable_by
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.writing.changes import Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import VENUE
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import CalendarError
from calendar_app.sources.doubles import Doubles, StoredPair
from calendar_app.sources.likeness import VenueTraits, owner_of
from calendar_app.sources.merging import RECURRENCE, TIMES, field_of
from calendar_app.sources.notes import NOTES
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.source import ASK, SHOW, UNITE, WAIT, Source
from calendar_app.sources.uniting import Uniting
from calendar_app.sources.waiting import WaitingEvents
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, Clause

# With another value of these an event may be the same as another one.
_COMPARED = {TIMES, RECURRENCE, "venues", "title"}


class DoubleChoices(NamedTuple):
    """The usual treatment of duplicates, for sources without a choice of their own."""

    doubles: str = SHOW
    certain_doubles: str = ASK

    def lets_wait(self, source: Source) -> bool:
        """Say whether new events of a source that are perhaps duplicates are not shown yet."""
        return source.publishes and (source.doubles or self.doubles) == WAIT

    def unites(self, source: Source) -> bool:
        """Say whether certain duplicates become one event without a question."""
        return (source.certain_doubles or self.certain_doubles) == UNITE


@dataclass(frozen=True, slots=True)
class Waiting:
    """Finds possible doubles of planned events; with ``holds`` they are not shown yet.

    Their doubles are among the ``seen``: that an event waits would tell its sender of others.
    """

    doubles: Doubles
    holds: bool
    seen: Clause

    def doubles_in(self, plan: Plan, notes: Mapping[int, Sequence[Record]]) -> dict[int, list[int]]:
        """Return the ids of others by event or series that is new, or comes back from the trash.

        ``notes`` are all those that they get.
        """
        events = self.doubles.kinds[0]
        new = [each.after for each in plan.changes if each.kind is VENUE and not each.before]
        venues = {venue["_id"]: VenueTraits.of(venue) for venue in new}
        planned = [
            {**each.after, NOTES: notes[owner]}
            for each in plan.changes
            if each.kind is events and each.after and (owner := owner_of(each.after)) in notes
        ]
        present = [each for each in planned if each["status"] != TRASH]
        alike_ids: defaultdict[int, list[int]] = defaultdict(list)
        for pair in self.doubles.undecided(self.doubles.find(present, venues, self.seen)):
            alike_ids[pair.event.owner].append(pair.other.id)
        return alike_ids


def waiting_of(parts: "ComparingParts", source: Source, *, dry_run: bool) -> Waiting | None:
    """Return how the new events of a source wait; ``None`` where they are compared later."""
    holds = parts.choices.lets_wait(source)
    if not holds:
        return Waiting(parts.doubles, holds, EVERYTHING) if dry_run else None
    return Waiting(parts.doubles, holds, readable_by(parts.caller_of(source.author) or ANYONE))


class Editors(Protocol):
    """Gives the store and the editor of a source, by its id; dry runs take no numbers."""

    def __call__(self, source: int = 0, *, dry_run: bool) -> tuple[Store, Editor]: ...


class ComparingParts(Protocol):
    """The parts of readings that comparisons need."""

    @property
    def editors(self) -> Editors: ...
    @property
    def kinds(self) -> tuple[Kind, Kind]: ...
    @property
    def doubles(self) -> Doubles: ...
    @property
    def choices(self) -> DoubleChoices: ...
    @property
    def caller_of(self) -> Callable[[int], Caller | None]: ...


def may_be_double(result: Result) -> bool:
    """Say whether an event is new or back, or its time, title or place has changed."""
    if result.outcome is Outcome.CHANGED and not result.returns:
        # A field of one date of a series comes behind that date.
        return any(field_of(path.rpartition(" ")[2]) in _COMPARED for path in result.fields)
    return result.returns or result.outcome is Outcome.NEW


def note_doubles(
    parts: ComparingParts, source: Source, results: Iterable[Result]
) -> Iterator[Result]:
    """Store the pairs that events of a source make with others; yield a result for each.

    What is certainly one becomes one where that is set.
    """
    results = list(results)
    waiting = {each.event for each in results if each.waits}
    pairs = parts.doubles.note([each.event for each in results], waiting)
    for pair in pairs:
        is_united = pair.is_certain and parts.choices.unites(source) and _unite(parts, source, pair)
        outcome = Outcome.UNITED if is_united else Outcome.DOUBLE
        yield Result(outcome, pair.label, event=pair.event, reason=str(pair.other))
    if waiting:
        # The other event of a pair may have gone before that was stored.
        store, editor = parts.editors(source.id, dry_run=False)
        WaitingEvents(store, editor, parts.kinds, parts.doubles).show_undecided(waiting)


def _unite(parts: ComparingParts, source: Source, pair: StoredPair) -> bool:
    """Make one event of a pair; say whether that was possible."""
    store, editor = parts.editors(source.id, dry_run=False)
    uniting = Uniting(store, editor, parts.kinds, parts.doubles)
    caller = Caller(source.author, source.label, SOURCE_ROLE)
    try:
        uniting.unite(pair.event, pair.other, caller, source.language)
    except CalendarError:
        return False  # Somebody decides.
    return True
