"""Parameters of the category list."""

from typing import Any

from calendar_app.http.fields.linking import refuse_term_without_id
from calendar_app.http.lists.filtering import ExistingId, by
from calendar_app.http.lists.term_lists import term_list_schema
from calendar_app.kinds import CATEGORY
from calendar_app.query.clauses import equals


class _Parent(ExistingId):
    """The id of an existing category."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int:
        refuse_term_without_id(CATEGORY, self.sent_name, value)
        return super()._deserialize(value, *args, **kwargs)


class CategoryListSchema(term_list_schema(CATEGORY)):  # type: ignore[misc]  # made for its kind
    """The parameters of terms, and the parent."""

    parent = _Parent(
        CATEGORY,
        metadata=by(lambda number: equals("parent", number), "Directly below this category."),
    )
