"""Imports: calendars that are read once, each into the source named for what it is read from.

What is imported may be a part of its source: what it lacks has not vanished. The own source of a
calendar is that with its address, else with its name, else the one from which most of its events
are, which has its address from then on.

Other programs give the same UIDs to other events. So a calendar has events of other imports only
where most of its UIDs are theirs, and most of those events have the same title or start there. Then
each is read as part of the source of that import which brought it first.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.sources.access import lease_of
from calendar_app.sources.notes import KnownEvents, key_of, traits_of
from calendar_app.sources.parsed import ParsedCalendar, SourceError
from calendar_app.sources.planning import EventKey, Traits
from calendar_app.sources.pushing import HAS_STOPPED, Pusher
from calendar_app.sources.reports import FAILED, STOPPED
from calendar_app.sources.results import Result, unread
from calendar_app.sources.runs import ReadingParts, Request, RunReport, Work, carry_out
from calendar_app.sources.source import CREATE, SOURCES, Source
from calendar_app.storage.migrations import require_one_kind_of_notes
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.query.clauses import all_of, differs, equals

# Events of which the records are read at once: about as many as one transaction has room for.
_AT_ONCE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOrigin:
    """Where a calendar is read from, by a name for people; a file has no address.

    With ``of_language`` other languages of the same calendar are sources of their own.
    """

    kind: str
    name: str
    language: str
    address: str = ""
    of_language: bool = False


class Imports:
    """Reads calendars once; the caller sees to it that no other process imports meanwhile."""

    def __init__(self, parts: ReadingParts) -> None:
        self.parts = parts
        self._sources = parts.store[SOURCES]
        self._leases = Leases(parts.store.database)

    def read(
        self,
        calendar: ParsedCalendar,
        origin: ImportOrigin,
        request: Request,
        on_wait: Callable[[], None],
    ) -> list[Result]:
        """Write the events of a calendar; return a result for each event and unreadable entry.

        The request has the content for the report. ``on_wait`` is called where another reading of
        a source has to end first.
        """
        require_one_kind_of_notes(self.parts.store)
        keys = [key_of(event) for event in calendar.events]
        traits = [traits_of(event) for event in calendar.events]
        owners = self._owners(dict(zip(keys, traits, strict=True)))
        own_id = self._own_id(origin, chain.from_iterable(owners.values()))
        parts: defaultdict[int, list[int]] = defaultdict(list)
        for place, key in enumerate(keys):
            of_event = list(owners.get(key, ()))
            is_own = own_id in of_event or not of_event
            parts[own_id if is_own else of_event[-1]].append(place)
        unread_parts, results = unread(calendar), list[Result]()
        if unread_parts and not parts:
            parts[own_id] = []
        if not request.dry_run:
            self._give_address(own_id, origin)
        for source_id, places in parts.items():
            source = self._source(source_id, origin, is_stored=not request.dry_run)
            run = _Import(self.parts, source, request, (calendar, places), unread_parts)
            self.carry_out(source, request, run.begin, on_wait)
            results += run.results
            unread_parts = []  # The first report has them.
        return results

    def owners(self, keys: Collection[EventKey]) -> dict[EventKey, dict[int, Traits]]:
        """Return the import sources of each event, with its traits at each of them."""
        events = KnownEvents(self.parts.store, self.parts.kinds)
        return events.owners(keys, self.parts.reports.of_imports())

    def _owners(self, traits: Mapping[EventKey, Traits]) -> dict[EventKey, dict[int, Traits]]:
        """Return the import sources that already brought the events of a calendar, by event."""
        owners = self.owners(traits.keys())
        numbers: Counter[int] = Counter()
        agreeing: Counter[int] = Counter()
        for key, of_event in owners.items():
            for source_id, own_traits in of_event.items():
                numbers[source_id] += 1
                agreeing[source_id] += agree(own_traits, traits[key])
        same = {each for each in numbers if agreeing[each] * 2 > numbers[each]}
        own = {
            key: {n: own_traits for n, own_traits in each.items() if n in same}
            for key, each in owners.items()
        }
        own = {key: each for key, each in own.items() if each}
        return own if len(own) * 2 >= len(traits) else {}

    def source(self, origin: ImportOrigin, owners: Iterable[int], *, is_stored: bool) -> Source:
        """Return the source of a calendar, else the most frequent of its events' ``owners``."""
        own_id = self._own_id(origin, owners)
        if is_stored:
            self._give_address(own_id, origin)
        return self._source(own_id, origin, is_stored=is_stored)

    def carry_out(
        self,
        source: Source,
        request: Request,
        begin: Callable[[RunReport], Work],
        on_wait: Callable[[], None],
    ) -> None:
        """Do the work of a reading, while nobody else reads the source.

        Raises ``SourceError`` where it fails, or somebody stops it.
        """
        lease = self._leases.held(lease_of(source.id), on_wait)
        with nullcontext() if request.dry_run else lease:
            reading = carry_out(self.parts, source, request, begin)
        if reading.state == STOPPED:
            raise SourceError(str(HAS_STOPPED))
        if reading.state == FAILED:
            raise SourceError(reading.reason)

    def _give_address(self, source_id: int, origin: ImportOrigin) -> None:
        """Let a source that has no address get the one from which its calendar comes."""
        unknown = all_of([equals("_id", source_id), equals("address", "")])
        self._sources.change(unknown, {"$set": {"address": origin.address}})

    def _own_id(self, origin: ImportOrigin, owners: Iterable[int]) -> int:
        """Return the id of the source of a calendar; 0 where there is none yet."""
        own_language = [equals("language", origin.language)] if origin.of_language else []
        alike = [equals("kind", origin.kind), equals("address", origin.address), *own_language]
        alike += [] if origin.address else [equals("name", origin.name)]
        if source := self._sources.first(all_of(alike), ["_id"]):
            return int(source["_id"])
        removed = self.parts.reports.removed(origin.kind, origin.address, origin.name)
        if removed and not own_language:
            return removed
        for owner, _ in Counter(owners).most_common():
            is_other = [equals("_id", owner), differs("language", origin.language)]
            if not (own_language and self._sources.first(all_of(is_other), ["_id"])):
                return owner
        return 0

    def _source(self, source_id: int, origin: ImportOrigin, *, is_stored: bool) -> Source:
        """Return a source, made where there is none, or none any more."""
        document = self._sources.first(equals("_id", source_id)) if source_id else None
        if document is not None:
            return Source.of(document)
        store, reports = self.parts.store, self.parts.reports
        number = source_id or (store.next_id(SOURCES) if is_stored else 0)
        source = Source(
            id=number,
            name=origin.name,
            kind=origin.kind,
            address=origin.address,
            status=PUBLISH,
            author=1,
            responsible=1,
            language=origin.language,
            timezone=self.parts.timezone,
            unknown_terms=CREATE,
        )
        if is_stored:
            self._sources.insert(source.document)
            reports.take_up(number)
            reports.set_state(number, {"added": self.parts.now(), "imports": True})
        return source


class _Import:
    """The reading of a part of one source, with the ``results`` of it so far.

    The part is a calendar, and the places of its events there.
    """

    def __init__(
        self,
        parts: ReadingParts,
        source: Source,
        request: Request,
        part: tuple[ParsedCalendar, Sequence[int]],
        results: Sequence[Result],
    ) -> None:
        self._request = request
        self._calendar, self._places = part
        self._pusher = Pusher(parts, source, dry_run=request.dry_run)
        # The next reading of the whole source looks at all of it.
        self.fresh: Record = {"etag": "", "modified": "", "digest": ""}
        self.results = list(results)

    def begin(self, report: RunReport) -> "_Import":
        """Report the results so far."""
        self._report = report
        report.run.all, report.run.bytes = len(self._places), len(self._request.content or b"")
        report.add(self.results)
        return self

    def run(self) -> str:
        """Return the state in which the reading ends."""
        for begin in range(0, len(self._places), _AT_ONCE):
            places = self._places[begin : begin + _AT_ONCE]
            batch = [self._calendar.events[place] for place in places]
            results = self._pusher.write(batch, self._report.run.started, {})
            self._report.add(results)
            self.results += results
            if not self._report.go_on(len(batch)):
                return STOPPED
        return self._report.end()


def agree(first: Traits, second: Traits) -> bool:
    """Say whether two events of one UID have the same title or start."""
    return first.name == second.name or first.start == second.start
