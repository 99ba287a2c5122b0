"""Every kind of record there is."""

from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.tags.kind import TAG
from calendar_app.resources.venues.kind import VENUE

KINDS = (EVENT, VENUE, ORGANIZER, CATEGORY, TAG)

__all__ = ["CATEGORY", "EVENT", "KINDS", "ORGANIZER", "TAG", "VENUE"]
