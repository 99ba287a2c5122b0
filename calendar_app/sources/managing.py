"""The use cases of sources: to manage, read, preview and compare them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from calendar_app.accounts.policy import Caller, require_source_manager
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.import_runs import Leases
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.zones import zone_of
from calendar_app.errors import CalendarError, NotFound, SourceBusy
from calendar_app.query.clauses import EVERYTHING, equals, one_of
from calendar_app.query.list_query import Page, Window
from calendar_app.sources.doubles import DIFFERENT
from calendar_app.sources.reading import Parts, Progress, Request, read_source
from calendar_app.sources.reports import WAITING, Reading, next_due
from calendar_app.sources.source import PUSH, Existing, Source, checked

SOURCES = "sources"
SOURCE_INDEXES = (Index((("name", 1),), "the list of sources"),)
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source, and how it stands: what the last reading was, and when the next one is due."""

    source: Source
    state: Record = field(default_factory=dict)


class Sources:
    """The sources of one calendar; editors and administrators manage them."""

    def __init__(self, parts: Parts, accounts: Accounts, default_language: str) -> None:
        self.parts = parts
        self.reports = parts.reports
        self.doubles = parts.doubles
        self._sources = parts.store[SOURCES]
        self._leases = Leases(parts.store)
        self._accounts = accounts
        self._default_language = default_language

    # Manage.

    def list(self, caller: Caller) -> list[SourceStatus]:
        """Return all sources by name, each with its state."""
        require_source_manager(caller)
        documents = self._sources.find(EVERYTHING, order=[("name", 1), ("_id", 1)])
        states = self.reports.states(each["_id"] for each in documents)
        return [SourceStatus(Source.of(each), states.get(each["_id"], {})) for each in documents]

    def get(self, source_id: int, caller: Caller) -> SourceStatus:
        require_source_manager(caller)
        return SourceStatus(self._source(source_id), self.reports.state(source_id))

    def add(self, values: Mapping[str, Any], caller: Caller) -> Source:
        """Store a new source; raise ``InvalidParameters`` naming what cannot be taken."""
        require_source_manager(caller)
        usual = {
            "author": caller.id,
            "responsible": caller.id,
            "language": self._default_language,
            "timezone": self.parts.timezone,
        }
        checked({**usual, **values, "id": 0}, self._existing)
        number = self.parts.store.next_id(SOURCES)
        source = checked({**usual, **values, "id": number}, self._existing)
        self._sources.insert(source.document)
        self._schedule(source)
        return source

    def change(self, source_id: int, values: Mapping[str, Any], caller: Caller) -> Source:
        """Change the settings that are sent; the others stay."""
        require_source_manager(caller)
        document = self._source(source_id).document
        del document["_id"]
        source = checked({**document, **values, "id": source_id}, self._existing)
        own = source.document
        self._sources.change(equals("_id", own.pop("_id")), {"$set": own})
        self._schedule(source)
        return source

    def remove(self, source_id: int, caller: Caller) -> Source:
        """Remove a source; its events stay, and keep their notes."""
        require_source_manager(caller)
        source = self._source(source_id)
        with self._leases.held_if_free(_lease(source_id)) as is_mine:
            if not is_mine:
                raise SourceBusy
            self._sources.remove(equals("_id", source_id))
            self.reports.forget(source_id)
        return source

    # Read.

    def read(  # noqa: PLR0913  # which source, by whom, and how
        self,
        source_id: int,
        caller: Caller,
        *,
        dry_run: bool = False,
        content: bytes | None = None,
        accept: str = "",
        progress: Progress = lambda _done, _all: None,
    ) -> Reading:
        """Read a source now, or preview that; ``accept`` names a reading that was held back.

        What it may change and take away is as much as that one would have. Raises ``SourceBusy``
        while another process reads the source.
        """
        require_source_manager(caller)
        source = self._source(source_id)
        accepted = 0
        if accept:
            held = self.reports.reading(accept)
            if held.source != source_id or held.state != WAITING:
                raise NotFound("source", source_id)
            accepted = max(held.alarming, 1)
        return self._read(source, Request(caller.id, dry_run, content, accepted, progress))

    def stop(self, source_id: int, caller: Caller) -> bool:
        """Let the reading that runs end soon; say whether there is one."""
        require_source_manager(caller)
        return self.reports.stop(source_id)

    def reading(self, reading_id: str, caller: Caller) -> Reading:
        require_source_manager(caller)
        return self.reports.reading(reading_id)

    def readings(self, source_id: int, caller: Caller, window: Window) -> Page:
        """Return a page of the readings of a source, the last one first."""
        require_source_manager(caller)
        self._source(source_id)
        return self.reports.page(source_id, window)

    def entries(self, reading_id: str, caller: Caller, window: Window, outcome: str = "") -> Page:
        """Return a page of what became of the events in a reading."""
        require_source_manager(caller)
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
        since = {"failing_since": {"$lte": self.parts.now() - _WEEK}, "told": None}
        for state in self.parts.store["source_states"].find(since):
            document = self._sources.first(equals("_id", state["_id"]))
            if document is not None:
                self.reports.set_state(state["_id"], {"told": self.parts.now()})
                yield SourceStatus(Source.of(document), state)

    # Doubles.

    def pairs(self, caller: Caller, window: Window) -> Page:
        """Return a page of the events that are perhaps one."""
        require_source_manager(caller)
        return self.doubles.page(window)

    def differ(self, first: int, second: int, caller: Caller) -> None:
        """Remember that two events are different."""
        require_source_manager(caller)
        self.doubles.decide(first, second, DIFFERENT)

    def _read_if_due(self, source: Source) -> int:
        try:
            with self._leases.held_if_free(_lease(source.id)) as is_mine:
                due = self.reports.state(source.id).get("due")
                if not is_mine or due is None or due > self.parts.now():
                    return 0
                read_source(self.parts, source, Request())
        except CalendarError:
            return 0  # The reading says why, and the next one comes later.
        return 1

    def _read(self, source: Source, request: Request) -> Reading:
        with self._leases.held_if_free(_lease(source.id)) as is_mine:
            if not is_mine:
                raise SourceBusy
            return read_source(self.parts, source, request)

    def _schedule(self, source: Source) -> None:
        """Let a source be read soon, if it is to be read at all."""
        now = self.parts.now()
        zone = zone_of(self.parts.timezone)
        due = now if source.every else next_due(now, 0, source.daily_at, zone)
        is_scheduled = source.is_scheduled and source.kind != PUSH
        self.reports.set_state(source.id, {"due": due if is_scheduled else None})

    def _source(self, source_id: int) -> Source:
        document = self._sources.first(equals("_id", source_id))
        if document is None:
            raise NotFound("source", source_id)
        return Source.of(document)

    @property
    def _existing(self) -> Existing:
        return Existing(
            self.parts.languages,
            self._are_records,
            lambda user_id: self._accounts.caller(user_id) is not None,
        )

    def _are_records(self, name: str, ids: Iterable[int]) -> bool:
        wanted = set(ids)
        if not wanted:
            return True
        records = self.parts.store[name].find(one_of("_id", sorted(wanted)), fields=["_id"])
        return len(records) == len(wanted)


def _lease(source_id: int) -> str:
    return f"source {source_id}"
