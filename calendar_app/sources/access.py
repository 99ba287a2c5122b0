"""Which sources a caller may reach, and who works on one at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import manages_sources, require_possible_keeper
from calendar_app.errors import NotAllowed, NotFound, SourceBusy
from calendar_app.sources.source import SOURCES, Source
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals


class SourceAccess:
    """Finds sources for those who manage or keep them, and holds their leases."""

    def __init__(self, store: Store) -> None:
        self.leases = Leases(store.database)
        self._sources = store[SOURCES]

    def source(self, source_id: int) -> Source:
        document = self._sources.first(equals("_id", source_id))
        if document is None:
            raise NotFound("source", source_id)
        return Source.of(document)

    def kept(self, source_id: int, caller: Caller) -> Source:
        """Return a source that the caller manages or keeps.

        Raises ``NotAllowed`` for all others, whether they exist or not.
        """
        if not manages_sources(caller):
            require_possible_keeper(caller)
            if source_id not in caller.kept_sources:
                raise NotAllowed
        return self.source(source_id)

    def readable(self, source_id: int, caller: Caller, content: bytes | None) -> Source:
        """Return a source for a reading; keepers send no file in place of an address."""
        source = self.kept(source_id, caller)
        if content is not None and source.address and not manages_sources(caller):
            raise NotAllowed
        return source

    @contextmanager
    def alone(self, source_id: int) -> Iterator[None]:
        """Hold the lease of a source; raise ``SourceBusy`` while another process has it."""
        with self.leases.held_if_free(lease_of(source_id)) as is_mine:
            if not is_mine:
                raise SourceBusy
            yield


def lease_of(source_id: int) -> str:
    """Return the name of the lease of a source."""
    return f"source {source_id}"
