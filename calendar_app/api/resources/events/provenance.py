"""The filter of events by who publishes them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.api.http.errors.problems import refuse, refuse_unknown
from calendar_app.api.http.fields.scalars import listed
from calendar_app.api.http.fields.schema import NamesRecords
from calendar_app.api.http.lists.filter_display import FilterDisplay, FilterFacet
from calendar_app.api.http.lists.filtering import MAX_IDS, by
from calendar_app.api.http.request.current import Context
from calendar_app.domain.slugs import slugify
from calendar_app.errors import Message
from calendar_app.storage.query.clauses import Clause

PUBLISHER = "publisher"
_NO_NAMES = Message("{name} must hold names of publishers.", name=PUBLISHER)


class PublisherFilter(NamesRecords):
    """Publishers of sources by name or slug, which stand for their slugs."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "array", "items": {"type": "string"}})

    def __init__(self) -> None:
        display = FilterDisplay(
            Message("Published by"), FilterFacet("from_sources.source", of_series=True)
        )
        meaning = "Published by one of these, by name or slug; names with commas only by slug."
        super().__init__(metadata=by(_published_by, meaning, display))

    def read(self, value: Any, _context: Context) -> list[str]:
        names = listed(value)
        slugs = [slugify(each) for each in names if isinstance(each, str)]
        if not 0 < len(names) <= MAX_IDS or len(slugs) != len(names) or "" in slugs:
            refuse(_NO_NAMES)
        return slugs

    def resolve(self, value: list[str], context: Context) -> list[str]:
        # What a caller may not know of does not exist.
        publishers = context.reader.provenance.publishers(context.caller)
        public_slugs = {each.slug for each in publishers.values()}
        for slug in value:
            if slug not in public_slugs:
                refuse_unknown(PUBLISHER, slug)
        return value


def _published_by(slugs: list[str], context: Context) -> Clause:
    provenance = context.reader.provenance
    publishers = provenance.publishers(context.caller)
    source_ids = {number for number, each in publishers.items() if each.slug in slugs}
    return provenance.published_by(source_ids, context.caller)
