"""Slugs of new records, given without a look at those of others.

The unique index refuses what is taken, and most slugs are not. So a new record gets the first slug
that would do; where that is refused, everything is done again, and then the slug is looked up.
Where that would be more than this record, it is looked up at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from calendar_app.calendar.slugs.naming import Naming, is_reserved_slug, slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import DuplicateKey
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import in_outer_transaction

_MOST_DOUBTED = 10_000


class GuessedNaming(Naming):
    """Looks up a slug only for who has one already, and where a guess was wrong before."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        # In the order in which they were refused; the values say nothing.
        self._doubted: dict[tuple[str, str], None] = {}
        self._lock = Lock()

    @contextmanager
    def relied_on(self, kind: Kind, record: Record) -> Iterator[None]:
        """Look these slugs up from now on, if it turns out that one of them is taken."""
        try:
            yield
        except DuplicateKey:
            self._doubt(kind, record)
            raise

    def _doubt(self, kind: Kind, record: Record) -> None:
        with self._lock:
            for key in record.get("slugs", ()):
                self._doubted[kind.name, key] = None
            while len(self._doubted) > _MOST_DOUBTED:
                del self._doubted[next(iter(self._doubted))]

    def _free(self, kind: Kind, record: Record, language: str, slug: str) -> str:
        doubted = (kind.name, slug_key(language, slug)) in self._doubted
        if doubted or record.get("revision") or in_outer_transaction():
            return super()._free(kind, record, language, slug)
        if is_reserved_slug(kind, slug) or not self._store.of(kind).keeps_unique("slugs"):
            return super()._free(kind, record, language, slug)
        return slug
