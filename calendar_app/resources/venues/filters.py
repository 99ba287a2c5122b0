"""The parameters of the venue list."""

from calendar_app.resources.venues.kind import VENUE
from calendar_app.rest.linked_lists import list_schema


class VenueListSchema(list_schema(VENUE)):  # type: ignore[misc]  # made for its kind
    """What organizers have too, and the place."""
