"""Records here that came from given sources of another site."""

from collections.abc import Collection, Sequence

from calendar_app.calendar.bulk.records import ImportedRecord, came_from, name_of, slug_of
from calendar_app.calendar.slugs.naming import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of


def imported_ids(store: Store, kind: Kind, sources: Collection[str]) -> dict[str, int]:
    """Return the id of each of ``sources`` that is here."""
    records = store.of(kind).find(came_from([*sources]), fields=["imported"]) if sources else []
    ids = {note["source"]: record["_id"] for record in records for note in record["imported"]}
    return {source: ids[source] for source in sources if source in ids}


def find_imported(
    store: Store, kind: Kind, batch: Sequence[ImportedRecord], language: str
) -> dict[str, Record]:
    """Return, by source, the records here that the batch updates.

    They came from the same source, or are joined; a term also has the same name and slug.
    """
    sources = {record.source for record in batch}
    records = store.of(kind).find(came_from(sorted(sources)))
    by_source = {note["source"]: record for record in records for note in record["imported"]}
    existing = _joined(store, kind, batch) | by_source
    if not kind.has_status:
        new = [record for record in batch if record.source not in existing]
        existing |= _same_terms(store, kind, new, language)
    return {source: record for source, record in existing.items() if source in sources}


def _joined(store: Store, kind: Kind, batch: Sequence[ImportedRecord]) -> dict[str, Record]:
    sources = {record.joins: record.source for record in batch if record.joins}
    records = store.of(kind).find(one_of("_id", sources)) if sources else []
    return {sources[record["_id"]]: record for record in records}


def _same_terms(
    store: Store, kind: Kind, batch: Sequence[ImportedRecord], language: str
) -> dict[str, Record]:
    """Return, by source, the terms that have both name and slug of one in the batch."""
    by_slug = {slug_key(language, slug_of(record, language)): record for record in batch}
    terms = {}
    for term in store.of(kind).find(one_of("slugs", by_slug)) if batch else ():
        for key in term["slugs"]:
            record = by_slug.get(key)
            if record and name_of(kind, record, language) in term["names"]:
                terms[record.source] = term
    return terms
