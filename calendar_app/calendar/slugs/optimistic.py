"""Optimistic slugs of new records, checked by the unique index alone.

The unique index refuses what is taken, and most slugs are not. So a new record gets the first slug
that would do; where that is refused, everything is done again, and then the slug is looked up.
Where that would be more than this record, it is looked up at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from calendar_app.calendar.slugs.naming import Naming, is_reserved_slug, slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import dated_slug
from calendar_app.errors import DuplicateKey
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import in_outer_transaction
from calendar_app.query.clauses import equals

_MAX_COLLISIONS = 10_000


class OptimisticSlugs(Naming):
    """Assumes a new slug is free; looks it up after a collision."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._collisions: set[tuple[str, str]] = set()

    def _may_be_of_series(self, key: str) -> bool:
        """Return whether a series may have or show the slug, which the index does not tell."""
        is_of_series = self._store["series"].first(equals("slugs", key), ["_id"]) is not None
        return is_of_series or dated_slug(key) != ""

    @contextmanager
    def remember_collision(self, kind: Kind, record: Record) -> Iterator[None]:
        """Remember the slugs of a record that the unique index refuses."""
        try:
            yield
        except DuplicateKey:
            self._remember(kind, record)
            raise

    def _remember(self, kind: Kind, record: Record) -> None:
        if len(self._collisions) > _MAX_COLLISIONS:
            self._collisions.clear()
        self._collisions.update((kind.name, key) for key in record.get("slugs", ()))

    def _free(self, kind: Kind, record: Record, language: str, slug: str) -> str:
        has_collided = (kind.name, slug_key(language, slug)) in self._collisions
        if has_collided or record.get("revision") or in_outer_transaction():
            return super()._free(kind, record, language, slug)
        # Those of a series have to be free among events too.
        if kind.name == "series":
            return super()._free(kind, record, language, slug)
        if is_reserved_slug(kind, slug) or not self._store.of(kind).keeps_unique("slugs"):
            return super()._free(kind, record, language, slug)
        if kind.name == "events" and self._may_be_of_series(slug_key(language, slug)):
            return super()._free(kind, record, language, slug)
        return slug
