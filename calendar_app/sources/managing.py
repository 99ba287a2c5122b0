"""The use cases of sources: to manage, read, preview and compare them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import (
    manages_sources,
    may_keep_sources,
    require_administrator,
    require_sender,
    require_source_manager,
)
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.reading.provenance import SHOWN_OF_SOURCES
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.zones import zone_of
from calendar_app.errors import (
    InvalidParameters,
    Message,
    NotAllowed,
    NotFound,
    SourceHeld,
)
from calendar_app.sources.access import SourceAccess
from calendar_app.sources.deciding import Decisions
from calendar_app.sources.keeping import Deciders
from calendar_app.sources.leading import look_again
from calendar_app.sources.lists import ADDED, CHANGED, ListedOutcome, ListedSource, plan_list
from calendar_app.sources.notes import NOTES
from calendar_app.sources.origins import Taking
from calendar_app.sources.overview import SourceOverview, SourceStatus
from calendar_app.sources.own_site import OwnSite
from calendar_app.sources.provenance import Provenance
from calendar_app.sources.pushing import (
    Pushed,
    SentFile,
    push,
    push_file,
    pushed_event,
    withdraw,
)
from calendar_app.sources.readings import Readings
from calendar_app.sources.register_editing import RegisterEditor, RegisterLine
from calendar_app.sources.reports import (
    WAITING,
    SourceRun,
    next_due,
)
from calendar_app.sources.runs import ReadingParts, Request
from calendar_app.sources.settings import SourceReferences, checked
from calendar_app.sources.source import PUSH, SOURCES, Source
from calendar_app.sources.words import TermFinder
from calendar_app.storage.mongo.marks import Before
from calendar_app.storage.mongo.transactions import note_before
from calendar_app.storage.query.clauses import EVERYTHING, equals, one_of
from calendar_app.storage.query.list_query import Page, Window

SOURCE_INDEXES = (Index((("name", 1),), "the list of sources"),)
_WEEK = timedelta(days=7)
# The settings that keepers change too.
_OF_KEEPERS = frozenset({"terms"})
# Each source makes a dozen time series.
_MOST_MEASURED, _LONGEST_LABEL = 1000, 100
_NOT_PUSHED = Message("Programs can only send to sources of the kind push.")


class Sources:
    """The sources of one calendar; editors and administrators manage them."""

    def __init__(
        self, parts: ReadingParts, accounts: Accounts, default_language: str, site: OwnSite
    ) -> None:
        self.parts = parts
        self._site = site
        self.reports = parts.reports
        self.provenance = Provenance(parts.store, parts.kinds)
        self.access = SourceAccess(parts.store)
        self.readings = Readings(parts, self.access)
        self.overview = SourceOverview(parts)
        deciders = Deciders(parts.store, parts.kinds, parts.doubles, self.provenance)
        self.decisions = Decisions(parts, deciders, default_language)
        self._register = RegisterEditor(parts.store, parts.kinds)
        self._sources = parts.store[SOURCES]
        self._accounts = accounts
        self._default_language = default_language

    # Manage.

    def list(self, caller: Caller) -> list[SourceStatus]:
        """Return the sources that the caller manages or keeps by name, each with its state."""
        own = EVERYTHING if manages_sources(caller) else one_of("_id", caller.kept_sources)
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
        return SourceStatus(self.access.kept(source_id, caller), self.reports.state(source_id))

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
            before = self.access.kept(source_id, caller)
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
        """Add or change the sources of a list, all of them or none.

        Raises ``InvalidParameters`` naming all wrong lines.
        """
        require_source_manager(caller)
        sources = [Source.of(each) for each in self._sources.find(EVERYTHING)]
        outcomes = plan_list(rows, sources, partial(self._checked, caller))

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
        source = self.access.source(source_id)
        with self.access.alone(source.id):
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

    # Push.

    def sent_to(self, source_id: int, caller: Caller) -> Source:
        """Return the source to which a caller may send events.

        One of somebody else is as one that does not exist.
        """
        source = self.access.source(source_id)
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
        with self.access.alone(source.id):
            accepted = self.reports.accepted(source.id, accept)
            reading = push_file(
                self.parts, source, Request(caller.id, dry_run, accepted=accepted), file
            )
        if reading.state == WAITING:
            raise SourceHeld(reading.id)
        return reading

    # What a source calls venues and organizers.

    def register(
        self, source_id: int, caller: Caller, window: Window, kind: str = ""
    ) -> tuple[Page, Sequence[RegisterLine]]:
        """Return a page of the register of a source, and its lines; see ``RegisterEditor``."""
        self.access.kept(source_id, caller)
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
        source = self.access.kept(source_id, caller)
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

    def _schedule(self, source: Source) -> None:
        """Let a source be read soon with new settings; a new one later, after a preview."""
        now, zone = self.parts.now(), zone_of(self.parts.timezone)
        is_known = source.every and self.reports.last(source.id)
        due = now if is_known else next_due(now, source.every, source.daily_at, zone)
        self.reports.set_state(source.id, {"due": due if source.is_scheduled else None})

    def _checked(
        self, caller: Caller, values: Mapping[str, Any], before: Source | None = None
    ) -> Source:
        """Return a source with the given settings; omitted ones are taken from ``before``.

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

    def _existing(self, keepers: Sequence[int] = ()) -> SourceReferences:
        """Return the valid references; present ``keepers`` stay, even without the role for it."""
        return SourceReferences(
            self.parts.languages,
            self._are_records,
            lambda user_id: self._accounts.caller(user_id) is not None,
            lambda user_id: user_id in keepers or self._may_keep(user_id),
            (*self.parts.readers, PUSH),
            self._site,
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
