"""The parameters of the category list."""

from typing import Any

from calendar_app.http.fields.linking import refuse_named_term
from calendar_app.http.lists.filtering import ExistingId, by
from calendar_app.http.lists.term_lists import term_list_schema
from calendar_app.query.clauses import equals
from calendar_app.resources.categories.kind import CATEGORY


class _Parent(ExistingId):
    """The id of a category that exists."""

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> int:
        refuse_named_term(CATEGORY, self.sent_name, value)
        return super()._deserialize(value, *args, **named)


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """What tags have too, and the hierarchy."""

    parent = _Parent(
        CATEGORY,
        metadata=by(lambda number: equals("parent", number), "Directly below this category."),
    )
