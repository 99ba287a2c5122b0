"""Which records came from which sources of another site."""

from collections.abc import Collection, Sequence

from calendar_app.catalogue.bulk.foreign import Foreign, came_from
from calendar_app.catalogue.bulk.terms import terms_at_hosts, terms_called_so
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.clauses import one_of
from calendar_app.storage.store import Store

_MOST_REMEMBERED = 100_000


class Origins:
    """Remembers what it found, and only sees whether that is still there.

    To find a record by its source takes several times as long: the document has to be read.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        # By source; one source names one record, of whichever kind.
        self._ids: dict[str, int] = {}

    def ids(self, kind: Kind, sources: Collection[str]) -> dict[str, int]:
        """Return the ids of the records that came from ``sources``, where there are any."""
        known = {source: self._ids[source] for source in sources if source in self._ids}
        if known and not self._are_there(kind, {*known.values()}):
            for source in known:
                del self._ids[source]
            known = {}
        unknown = [source for source in sources if source not in known]
        return known | (self._found(kind, unknown) if unknown else {})

    def known(self, kind: Kind, batch: Sequence[Foreign], language: str) -> dict[str, Record]:
        """Return the records that the batch is about, by source."""
        sources = {foreign.source for foreign in batch}
        found = self._store.of(kind).find(came_from(sorted(sources)))
        known = {note["source"]: record for record in found for note in record["imported"]}
        known = self._joined(kind, batch) | known
        if not kind.has_status:
            fresh = [foreign for foreign in batch if foreign.source not in known]
            known |= terms_called_so(self._store, kind, fresh, language)
            known |= terms_at_hosts(self._store, kind, fresh, language)
        return {source: record for source, record in known.items() if source in sources}

    def _are_there(self, kind: Kind, ids: Collection[int]) -> bool:
        found = self._store.of(kind).find(one_of("_id", ids), fields=["_id"])
        return len(found) == len(ids)

    def _found(self, kind: Kind, sources: Collection[str]) -> dict[str, int]:
        records = self._store.of(kind).find(came_from([*sources]), fields=["imported"])
        found = {note["source"]: one["_id"] for one in records for note in one["imported"]}
        if len(self._ids) > _MOST_REMEMBERED:
            self._ids.clear()
        self._ids |= found
        return found

    def _joined(self, kind: Kind, batch: Sequence[Foreign]) -> dict[str, Record]:
        """Return the records that those in the batch join, by source."""
        sources = {foreign.joins: foreign.source for foreign in batch if foreign.joins}
        found = self._store.of(kind).find(one_of("_id", sources)) if sources else []
        return {sources[record["_id"]]: record for record in found}
