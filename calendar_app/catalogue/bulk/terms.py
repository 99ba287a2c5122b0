"""Terms that are here already under another source, or under none."""

from collections.abc import Sequence

from calendar_app.catalogue.bulk.foreign import Foreign, came_from, name_of, slug_of
from calendar_app.catalogue.bulk.hosts import at_host
from calendar_app.catalogue.slugs.naming import slug_key
from calendar_app.domain.kind import Kind, Record
from calendar_app.query.clauses import one_of
from calendar_app.storage.store import Store


def terms_called_so(
    store: Store, kind: Kind, batch: Sequence[Foreign], language: str
) -> dict[str, Record]:
    """Return, by source, terms that have both name and slug of one in the batch."""
    wanted = {slug_key(language, slug_of(foreign, language)): foreign for foreign in batch}
    same = {}
    for record in store.of(kind).find(one_of("slugs", wanted)):
        for key in record["slugs"]:
            foreign = wanted.get(key)
            if foreign and name_of(kind, foreign, language) in record["names"]:
                same[foreign.source] = record
    return same


def terms_at_hosts(
    store: Store, kind: Kind, batch: Sequence[Foreign], language: str
) -> dict[str, Record]:
    """Return, by source, terms that were noted in the language by the hosts of sites alone.

    They have the name or the slug of one in the batch.
    """
    wanted = {host: one for one in batch if (host := at_host(one.source)) != one.source}
    records = store.of(kind).find(came_from(sorted(wanted))) if wanted else []
    found = {}
    for record in records:
        for note in record["imported"]:
            foreign = wanted.get(note["source"]) if note["language"] == language else None
            if foreign and _is_called_so(record, foreign, kind, language):
                found[foreign.source] = record
    return found


def _is_called_so(record: Record, foreign: Foreign, kind: Kind, language: str) -> bool:
    """Say whether a record has the slug or the name of one from elsewhere."""
    slug = slug_key(language, slug_of(foreign, language))
    return slug in record["slugs"] or name_of(kind, foreign, language) in record["names"]
