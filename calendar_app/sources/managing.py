"""The use cases of sources: to manage, read, preview and compare them."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

import structlog

from calendar_app.accounts.policy import (
    Caller,
    manages_sources,
    may_keep_sources,
    require_administrator,
    require_possible_keeper,
    require_sender,
    require_source_manager,
)
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.reading.provenance import SHOWN_OF_SOURCES
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.zones import zone_of
from calendar_app.errors import (
    CalendarError,
    InvalidParameters,
    Message,
    NotAllowed,
    NotFound,
    SourceBusy,
    SourceHeld,
)
from calendar_app.sources.keeping import Deciders, kept_by
from calendar_app.sources.leading import look_again
from calendar_app.sources.lists import ADDED, CHANGED, ListedOutcome, ListedSource, plan_list
from calendar_app.sources.notes import NOTES
from calendar_app.sources.origins import Taking
from calendar_app.sources.provenance import Provenance
from calendar_app.sources.pushing import (
    Pushed,
    SentFile,
    push,
    push_file,
    pushed_event,
    withdraw,
)
from calendar_app.sources.reading import read_source
from calendar_app.sources.register_editing import RegisterEditor, RegisterLine
from calendar_app.sources.reports import (
    INTERRUPTED,
    OPEN,
    RESULTS,
    WAITING,
    SourceRun,
    next_due,
)
from calendar_app.sources.runs import ReadingParts, Request, RunProgress
from calendar_app.sources.settings import SourceReferences, checked
from calendar_app.sources.source import PUSH, SOURCES, Source
from calendar_app.sources.uniting import Uniting
from calendar_app.sources.words import TermFinder
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.marks import Before
from calendar_app.storage.mongo.transactions import note_before
from calendar_app.storage.query.clauses import EVERYTHING, all_of, equals, one_of
from calendar_app.storage.query.list_query import Page, Window

SOURCE_INDEXES = (Index((("name", 1),), "the list of sources"),)
_WEEK = timedelta(days=7)
# The settings that keepers change too.
_OF_KEEPERS = frozenset({"terms"})
# Each source makes a dozen time series.
_MOST_MEASURED, _LONGEST_LABEL = 1000, 100
_NOT_PUSHED = Message("Programs send to sources of the kind push alone.")


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source, and how it stands: what the last reading was, and when the next one is due."""

    source: Source
    state: Record = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """A source in figures: ``age`` in seconds, and the number of readings by result.

    ``failures`` are those since the last good reading, after which it had so many ``events`` here,
    a series as one. ``held_back`` is how many events a reading that waits would change or remove.
    """

    id: int
    name: str
    age: float | None
    readings: Mapping[str, int]
    failures: int
    events: int | None
    held_back: int


class Sources:
    """The sources of one calendar; editors and administrators manage them."""

    def __init__(self, parts: ReadingParts, accounts: Accounts, default_language: str) -> None:
        self.parts = parts
        self.reports = parts.reports
        self.doubles = parts.doubles
        self.provenance = Provenance(parts.store, parts.kinds)
        self._deciders = Deciders(parts.store, parts.kinds, self.doubles, self.provenance)
        self._register = RegisterEditor(parts.store, parts.kinds)
        self._sources = parts.store[SOURCES]
        self._leases = Leases(parts.store.database)
        self._accounts = accounts
        self._default_language = default_language

    # Manage.

    def list(self, caller: Caller) -> list[SourceStatus]:
        """Return the sources that the caller manages or keeps by name, each with its state."""
        own = EVERYTHING if manages_sources(caller) else kept_by(caller)
        documents = self._sources.find(own, order=[("name", 1), ("_id", 1)])
        if not documents:
            require_source_manager(caller)
        states = self.reports.states(each["_id"] for each in documents)
        return [SourceStatus(Source.of(each), states.get(each["_id"], {})) for each in documents]

    def terms_named(self, taxonomy: str, words: Iterable[str]) -> dict[str, int]:
        """Return our terms by the words that are their names, as readings find them."""
        finder = TermFinder(self.parts.store, self.parts.languages, {})
        return finder.named(taxonomy, set(words))

    def get(self, source_id: int, caller: Caller) -> SourceStatus:
        return SourceStatus(self._kept(source_id, caller), self.reports.state(source_id))

    def add(self, values: Mapping[str, Any], caller: Caller) -> Source:
        """Store a new source; raise ``InvalidParameters`` naming the wrong settings.

        One that was removed before, of the same kind and address, is taken up with its events.
        """
        require_source_manager(caller)
        new = self._checked(caller, {**values, "id": 0})
        former = self.reports.removed(new.kind, new.address, new.name)
        is_taken_up = bool(former) and self.reports.take_up(former)
        number = former if is_taken_up else self.parts.store.next_id(SOURCES)
        source = replace(new, id=number)
        own = source.document

        def store() -> None:
            self._sources.insert(own)
            self._accounts.set_keepers(number, source.keepers)

        if is_taken_up:
            self._write({"_id": number}, own, store)
        else:
            self.parts.store.transact(store)
        self.reports.set_state(source.id, {"added": self.parts.now()})
        self._schedule(source)
        return source

    def change(self, source_id: int, values: Mapping[str, Any], caller: Caller) -> Source:
        """Change the settings that are sent; the others stay.

        Keepers change what the words of their source mean, and nothing else.
        """

        def work() -> Source:
            before = self._kept(source_id, caller)
            if not manages_sources(caller) and not values.keys() <= _OF_KEEPERS:
                raise NotAllowed
            source = self._checked(caller, values, before)
            own = source.document
            del own["_id"]
            self._write(before.document, own, lambda: self._change(source_id, own))
            if list(source.keepers) != list(before.keepers):
                self._accounts.set_keepers(source_id, source.keepers)
            if (source.rank, source.authority) != (before.rank, before.authority):
                self._let_others_look_again(source_id)
            return source

        # What others change meanwhile is read again, and stays.
        source = self.parts.store.transact(work)
        self._schedule(source)
        return source

    def take_list(
        self, rows: Iterable[ListedSource], caller: Caller, *, dry_run: bool = False
    ) -> Sequence[ListedOutcome]:
        """Add the sources of a list, and change those that are here, all of them or none.

        Raises ``InvalidParameters`` naming all wrong lines.
        """
        require_source_manager(caller)
        known = [Source.of(each) for each in self._sources.find(EVERYTHING)]
        outcomes = plan_list(rows, known, partial(self._checked, caller))

        def store() -> None:
            for each in outcomes:
                own = each.source.document
                number = own.pop("_id")
                if each.outcome == ADDED:
                    self.add(own, caller)
                elif each.outcome == CHANGED:
                    self.change(number, own, caller)

        if not dry_run:
            self.parts.store.transact(store)
        return outcomes

    def remove(self, source_id: int, caller: Caller) -> Source:
        """Remove a source; its events stay, and keep their notes."""
        require_source_manager(caller)
        source = self._source(source_id)
        with self._alone(source):
            self._write(source.document, {}, lambda: self._remove(source_id))
            self.reports.forget(source)
            self._let_others_look_again(source_id)
        return source

    def _let_others_look_again(self, source_id: int) -> None:
        """Let other sources of its events see whether they lead now."""
        own = equals(f"{NOTES}.source", source_id)
        look_again(self.parts.store, self.parts.kinds, own)

    def _change(self, source_id: int, values: Record) -> None:
        self._sources.change(equals("_id", source_id), {"$set": values})

    def _remove(self, source_id: int) -> None:
        self._sources.remove(equals("_id", source_id))
        self._accounts.set_keepers(source_id, ())

    def _write(self, before: Record, after: Record, write: Callable[[], None]) -> None:
        """Write a source; note its former public settings, so that its events follow."""
        was, is_now = ({n: each.get(n) for n in SHOWN_OF_SOURCES} for each in (before, after))
        noted = (
            [Before(SOURCES, before["_id"], {"_id": before["_id"], **was})] if was != is_now else []
        )

        def work() -> None:
            note_before(noted)
            write()

        self.parts.store.transact(work)

    # Read.

    def read(  # noqa: PLR0913  # which source, by whom, and how
        self,
        source_id: int,
        caller: Caller,
        *,
        dry_run: bool = False,
        content: bytes | None = None,
        accept: str = "",
        progress: RunProgress = lambda _done, _all: None,
    ) -> SourceRun:
        """Read a source now, or preview that; ``accept`` names a reading that was held back.

        What it may change and take away is as much as that one would have. Raises ``SourceBusy``
        while another process reads the source.
        """
        source = self._readable(source_id, caller, content)
        with self._alone(source):
            accepted = self._accepted(source_id, accept)
            request = Request(caller.id, dry_run, content, accepted, progress)
            return read_source(self.parts, source, request)

    def begin(
        self, source_id: int, caller: Caller, *, content: bytes | None = None, accept: str = ""
    ) -> None:
        """Begin to read a source as ``read`` does, and return while that goes on in a thread.

        A process that ends interrupts it; the next reading goes on where it was.
        """
        source = self._readable(source_id, caller, content)
        begun: Future[None] = Future()
        request = Request(caller.id, content=content, begun=lambda: begun.set_result(None))

        def work() -> None:
            try:
                with self._alone(source):
                    accepted = self._accepted(source_id, accept)
                    read_source(self.parts, source, replace(request, accepted=accepted))
            except Exception as error:  # noqa: BLE001  # nobody else would hear of it
                if not begun.done():
                    begun.set_exception(error)
                elif not isinstance(error, CalendarError):
                    structlog.get_logger().exception("source", source=source_id)

        threading.Thread(target=work, name=lease_of(source_id), daemon=True).start()
        begun.result()

    def last_reading(self, source_id: int, caller: Caller) -> SourceRun | None:
        """Return the last reading; after a killed process it is ``interrupted``."""
        self._kept(source_id, caller)
        last = self.reports.last(source_id)
        if last and last.state in OPEN and not self._leases.is_held(lease_of(source_id)):
            # It may have ended between the two look-ups.
            last = self.reports.last(source_id)
            if last and last.state in OPEN:
                return replace(last, state=INTERRUPTED)
        return last

    def stop(self, source_id: int, caller: Caller) -> bool:
        """Let the reading that runs end soon; say whether there is one."""
        self._kept(source_id, caller)
        return self.reports.stop(source_id)

    def reading(self, reading_id: str, caller: Caller) -> SourceRun:
        if manages_sources(caller):
            return self.reports.reading(reading_id)
        require_possible_keeper(caller)
        try:
            reading = self.reports.reading(reading_id)
        except NotFound:
            # A reading of others is as one that does not exist.
            raise NotAllowed from None
        self._kept(reading.source, caller)
        return reading

    def readings(self, source_id: int, caller: Caller, window: Window) -> Page:
        """Return a page of the readings of a source, the last one first."""
        self._kept(source_id, caller)
        return self.reports.page(source_id, window)

    def entries(self, reading_id: str, caller: Caller, window: Window, outcome: str = "") -> Page:
        """Return a page of the outcomes of a reading."""
        self.reading(reading_id, caller)
        return self.reports.entries(reading_id, window, outcome)

    def read_due(self) -> int:
        """Read the sources that are due, each in one process; return how many this one read."""
        number = 0
        for source_id in self.reports.due(self.parts.now()):
            document = self._sources.first(equals("_id", source_id))
            if document is None or not Source.of(document).is_scheduled:
                self.reports.set_state(source_id, {"due": None})
                continue
            number += self._read_if_due(Source.of(document))
        return number

    def failing(self) -> Iterable[SourceStatus]:
        """Yield the sources that have failed for a week and of which nobody was told, once."""
        for source_id in self.reports.failing(self.parts.now() - _WEEK):
            document = self._sources.first(equals("_id", source_id))
            if document is not None and self.reports.claim_telling(source_id):
                yield SourceStatus(Source.of(document), self.reports.state(source_id))

    def troubled(self, caller: Caller) -> Sequence[SourceStatus]:
        """Return the sources that wait for a person, or have failed for a week."""
        week_ago = self.parts.now() - _WEEK
        return [
            each
            for each in self.list(caller)
            if each.state.get("result") == WAITING
            or (each.state.get("failing_since") or self.parts.now()) <= week_ago
        ]

    def figures(self) -> Sequence[SourceStatistics]:
        """Return the figures of the first sources; without a schedule they have no age.

        The age of a source that was never read well is counted from the day when it was added.
        """
        documents = self._sources.find(EVERYTHING, order=[("_id", 1)], limit=_MOST_MEASURED)
        states = self.reports.states(each["_id"] for each in documents)
        now = self.parts.now()
        figures = []
        for source in map(Source.of, documents):
            state = states.get(source.id, {})
            since = state.get("read") or state.get("added")
            age = (now - since).total_seconds() if since and source.is_scheduled else None
            readings = dict.fromkeys(RESULTS, 0) | state.get("readings", {})
            held_back = state.get("alarming", 0) if state.get("result") == WAITING else 0
            own = (state.get("failures", 0), state.get("events"), held_back)
            name = source.name[:_LONGEST_LABEL]
            figures.append(SourceStatistics(source.id, name, age, readings, *own))
        return figures

    # Push.

    def sent_to(self, source_id: int, caller: Caller) -> Source:
        """Return the source to which a caller may send events.

        One of somebody else is as one that does not exist.
        """
        source = self._source(source_id)
        try:
            require_sender(caller, source.author)
        except NotAllowed:
            raise NotFound("source", source_id) from None
        if source.kind != PUSH:
            raise InvalidParameters({"source": _NOT_PUSHED})
        return source

    def push(self, source: Source, uid: str, changes: Record) -> Pushed:
        """Write an event that was sent; raise ``InvalidParameters`` where it cannot be taken."""
        with through(Door.IMPORT):
            return push(self.parts, source, pushed_event(uid, changes, source))

    def withdraw(self, source: Source, uid: str) -> Record:
        """Take an event away that was sent before; raise ``NotFound`` where there is none."""
        with through(Door.IMPORT):
            return withdraw(self.parts, source, uid)

    def push_file(
        self, source: Source, file: SentFile, caller: Caller, *, dry_run: bool, accept: str
    ) -> SourceRun:
        """Write the events of a file; raise ``SourceHeld`` where the guard holds it back."""
        with self._alone(source):
            accepted = self._accepted(source.id, accept)
            reading = push_file(
                self.parts, source, Request(caller.id, dry_run, accepted=accepted), file
            )
        if reading.state == WAITING:
            raise SourceHeld(reading.id)
        return reading

    # Doubles.

    def pairs(self, caller: Caller, window: Window) -> Page:
        """Return a page of the events that are perhaps one; keepers see those of their sources."""
        return self.doubles.page(window, self._deciders.scope(caller))

    def require_decider(self, caller: Caller) -> None:
        """Refuse callers who neither manage sources nor keep one."""
        self._deciders.scope(caller)

    def differ(self, first: int, second: int, caller: Caller) -> None:
        """Remember that two events of an open pair are different."""
        decider = self._deciders.of_pair(first, second, caller)
        self._uniting.differ(first, second, decider, self._default_language)

    def reopen(self, first: int, second: int, caller: Caller) -> None:
        """Take back that two events are different."""
        decider = self._deciders.of_pair(first, second, caller)
        self._uniting.reopen(first, second, decider, self._default_language)

    def unite(self, first: int, second: int, caller: Caller) -> Record:
        """Make one event of two; see ``Uniting``."""
        decider = self._deciders.of_both(first, second, caller)
        return self._uniting.unite(first, second, decider, self._default_language)

    @property
    def _uniting(self) -> Uniting:
        store, editor = self.parts.editors(dry_run=False)
        return Uniting(store, editor, self.parts.kinds, self.doubles)

    # What a source calls venues and organizers.

    def register(
        self, source_id: int, caller: Caller, window: Window, kind: str = ""
    ) -> tuple[Page, Sequence[RegisterLine]]:
        """Return a page of the register of a source, and its lines; see ``RegisterEditor``."""
        self._kept(source_id, caller)
        page = self._register.page(source_id, window, kind)
        return page, self._register.lines(source_id, page.items)

    def correct(  # noqa: PLR0913  # which entry, by whom, and what it means
        self,
        source_id: int,
        key: str,
        caller: Caller,
        *,
        record: int,
        was: int | None = None,
        same: bool = False,
    ) -> RegisterLine:
        """Correct which record an entry of a register means; see ``RegisterEditor``."""
        source = self._kept(source_id, caller)
        line = self._register.change(source_id, key, record, was, same=same)
        if source.follows:
            # It says no more of what has not changed there, unless all is compared again.
            self.reports.set_state(source_id, {"compare": self.parts.now()})
        return line

    # What a source says instead of what was edited here.

    def take(self, of: tuple[Kind, int], where: tuple[int, str], caller: Caller) -> Record:
        """Write a source's value into a field of an event; see ``Taking``."""
        store, editor = self.parts.editors(where[0], dry_run=False)
        return Taking(store, editor).take(*of, where, caller, self._default_language)

    def _accepted(self, source_id: int, accept: str) -> int:
        """Return how many events a person lets a reading touch that was held back.

        Once the source has been read well since then, another loss is another question.
        """
        if not accept:
            return 0
        held = self.reports.reading(accept)
        if held.source != source_id or not self.reports.still_waits(held):
            raise NotFound("source", source_id)
        return max(held.alarming, 1)

    def _read_if_due(self, source: Source) -> int:
        try:
            with self._leases.held_if_free(lease_of(source.id)) as is_mine:
                due = self.reports.state(source.id).get("due")
                if not is_mine or due is None or due > self.parts.now():
                    return 0
                read_source(self.parts, source, Request())
        except CalendarError:
            return 0  # The reading says why, and the next one comes later.
        except Exception:  # noqa: BLE001  # the others that are due are read all the same
            structlog.get_logger().exception("source", source=source.id)
            return 0
        return 1

    @contextmanager
    def _alone(self, source: Source) -> Iterator[None]:
        """Hold the lease of a source; raise ``SourceBusy`` while another process has it."""
        with self._leases.held_if_free(lease_of(source.id)) as is_mine:
            if not is_mine:
                raise SourceBusy
            yield

    def _schedule(self, source: Source) -> None:
        """Let a source be read soon with new settings; a new one later, after a preview."""
        now, zone = self.parts.now(), zone_of(self.parts.timezone)
        is_known = source.every and self.reports.last(source.id)
        due = now if is_known else next_due(now, source.every, source.daily_at, zone)
        self.reports.set_state(source.id, {"due": due if source.is_scheduled else None})

    def _checked(
        self, caller: Caller, values: Mapping[str, Any], before: Source | None = None
    ) -> Source:
        """Return the source that settings make; those that are not sent are as ``before``.

        Raises ``NotAllowed`` for other keepers, if no administrator sends them.
        """
        keepers = list(before.keepers) if before else []
        if values.get("keepers", keepers) != keepers:
            require_administrator(caller)
        if before is not None:
            document = before.document
            number = document.pop("_id")
            is_kind = values.get("kind", before.kind) == before.kind
            may_lack_address = is_kind and not before.address
            whole = {**document, **values, "id": number}
            references = self._existing(keepers)
            return checked(whole, references, document, may_lack_address=may_lack_address)
        usual = {
            "author": caller.id,
            "responsible": caller.id,
            "language": self._default_language,
            "timezone": self.parts.timezone,
        }
        return checked({**usual, "id": 0, **values}, self._existing())

    def _kept(self, source_id: int, caller: Caller) -> Source:
        """Return a source that the caller manages or keeps.

        Raises ``NotAllowed`` for all others, whether they exist or not.
        """
        if manages_sources(caller):
            return self._source(source_id)
        require_possible_keeper(caller)
        own = all_of([equals("_id", source_id), kept_by(caller)])
        document = self._sources.first(own)
        if document is None:
            raise NotAllowed
        return Source.of(document)

    def _readable(self, source_id: int, caller: Caller, content: bytes | None) -> Source:
        """Return a source for a reading; keepers send no file in place of an address."""
        source = self._kept(source_id, caller)
        if content is not None and source.address and not manages_sources(caller):
            raise NotAllowed
        return source

    def _source(self, source_id: int) -> Source:
        document = self._sources.first(equals("_id", source_id))
        if document is None:
            raise NotFound("source", source_id)
        return Source.of(document)

    def _existing(self, keepers: Sequence[int] = ()) -> SourceReferences:
        """Return the valid references; present ``keepers`` stay, even without the role for it."""
        return SourceReferences(
            self.parts.languages,
            self._are_records,
            lambda user_id: self._accounts.caller(user_id) is not None,
            lambda user_id: user_id in keepers or self._may_keep(user_id),
            (*self.parts.readers, PUSH),
        )

    def _may_keep(self, user_id: int) -> bool:
        user = self._accounts.caller(user_id)
        return user is not None and may_keep_sources(user)

    def _are_records(self, name: str, ids: Iterable[int]) -> bool:
        unique_ids = set(ids)
        if not unique_ids:
            return True
        records = self.parts.store[name].find(one_of("_id", sorted(unique_ids)), fields=["_id"])
        return len(records) == len(unique_ids)


def lease_of(source_id: int) -> str:
    """Return the name of the lease of a source."""
    return f"source {source_id}"
