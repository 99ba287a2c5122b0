"""The parameters of the organizer list."""

from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.rest.lists.linked_lists import list_schema


class OrganizerListSchema(list_schema(ORGANIZER)):  # type: ignore[misc]  # made for its kind
    """What venues have too, looked up among organizers."""
