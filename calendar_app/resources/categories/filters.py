"""The parameters of the category list."""

from calendar_app.query.clauses import equals
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.rest.lists.filtering import ExistingId, by
from calendar_app.rest.lists.term_lists import term_list_schema


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """What tags have too, and the hierarchy."""

    parent = ExistingId(
        CATEGORY,
        metadata=by(lambda number: equals("parent", number), "Directly below this category."),
    )
