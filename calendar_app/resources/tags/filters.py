"""Parameters of the tag list."""

from calendar_app.http.lists.term_lists import term_list_schema
from calendar_app.resources.tags.kind import TAG


class TagListSchema(term_list_schema(TAG)):  # type: ignore[misc]  # made for its kind
    """The parameters that categories have too."""
