"""Slugs for many records that are not stored yet: none of them gets that of another."""

from collections.abc import Collection

from calendar_app.calendar.slugs.naming import Naming
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import dated_slug
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of


class NamingOfMany(Naming):
    """Looks up the slugs of a whole batch in one query, and remembers those it has given."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._looked_up: set[str] = set()
        self._owners: dict[str, int] = {}

    def expect(self, kind: Kind, keys: Collection[str]) -> None:
        """Begin a batch; ``keys`` are the slugs that its records ask for, each a ``slug_key``."""
        records = self._store.of(kind).find(one_of("slugs", keys), fields=["slugs"])
        self._looked_up = set(keys)
        self._owners = {key: record["_id"] for record in records for key in record["slugs"]}

    def name(self, kind: Kind, record: Record, changes: Record) -> None:
        super().name(kind, record, changes)
        if record.get("revision"):
            owners = self._owners.items()
            self._owners = {key: owner for key, owner in owners if owner != record["_id"]}
        self._owners |= dict.fromkeys(record.get("slugs", ()), record["_id"])

    def is_taken(self, record: Record, key: str) -> bool:
        """Return whether another record has a slug that was expected."""
        record_id: int = record["_id"]
        return self._owners.get(key, record_id) != record_id

    def _slugs_in_use(self, kind: Kind, record: Record, keys: Collection[str]) -> set[str]:
        unknown = [key for key in keys if key not in self._looked_up or dated_slug(key)]
        elsewhere = super()._slugs_in_use(kind, record, unknown) if unknown else set()
        return elsewhere | {key for key in keys if self.is_taken(record, key)}
