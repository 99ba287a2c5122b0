"""The parameters of the tag list."""

from calendar_app.resources.tags.kind import TAG
from calendar_app.rest.lists.term_lists import term_list_schema


class TagListSchema(term_list_schema(TAG)):  # type: ignore[misc]  # made for its kind
    """What categories have too."""
