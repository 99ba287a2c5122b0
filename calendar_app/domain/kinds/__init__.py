"""Every kind of record there is."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds.events import EVENT, SERIES
from calendar_app.domain.kinds.linked import CATEGORY, MEDIA, ORGANIZER, TAG, VENUE

KINDS = (EVENT, VENUE, ORGANIZER, CATEGORY, TAG)
BY_NAME: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in KINDS})

__all__ = ["BY_NAME", "CATEGORY", "EVENT", "KINDS", "MEDIA", "ORGANIZER", "SERIES", "TAG", "VENUE"]
