"""Parameters of the organizer list."""

from calendar_app.http.lists.linked_lists import list_schema
from calendar_app.resources.organizers.kind import ORGANIZER


class OrganizerListSchema(list_schema(ORGANIZER)):  # type: ignore[misc]  # made for its kind
    """The parameters that venues have too."""
