"""The parameters of the category list."""

from typing import Any

from calendar_app.query.clauses import equals
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.rest import current
from calendar_app.rest.fields import PositiveInteger
from calendar_app.rest.filtering import by
from calendar_app.rest.problems import refuse
from calendar_app.rest.term_lists import term_list_schema


class _Parent(PositiveInteger):
    """A category that exists."""

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> int:
        number: int = super()._deserialize(value, *args, **named)
        if current.reader().missing(CATEGORY, [number]):
            refuse(f"There is no category {number}.")
        return number


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """What tags have too, and the hierarchy."""

    parent = _Parent(
        metadata=by(lambda number: equals("parent", number), "Directly below this category.")
    )
