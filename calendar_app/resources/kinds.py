"""Every kind of record there is."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.kind import Kind
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.events.kind import EVENT, SERIES
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.tags.kind import TAG
from calendar_app.resources.venues.kind import VENUE

KINDS = (EVENT, VENUE, ORGANIZER, CATEGORY, TAG)
BY_NAME: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in KINDS})

__all__ = ["BY_NAME", "CATEGORY", "EVENT", "KINDS", "ORGANIZER", "SERIES", "TAG", "VENUE"]
