"""Request and response schemas of categories."""

from typing import Any

import marshmallow as ma

from calendar_app.errors import Message
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.fields.linking import refuse_term_without_id
from calendar_app.http.fields.notations import whole_number
from calendar_app.http.fields.scalars import Converted, Name, Text
from calendar_app.http.presentation.shapes import PageShape, TermShape
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY


def _parent(value: Any) -> int:
    """Return the id of an existing category; 0 and empty mean none."""
    refuse_term_without_id(CATEGORY, "parent", value)
    number = 0 if value == "" else whole_number(value)
    if number is None or number < 0:
        raise ValueError("parent must be the id of a category, or 0.")
    if number and current.reader().missing(CATEGORY, [number], current.caller()):
        raise ValueError(Message("There is no {kind} {id}.", kind="category", id=number))
    return number


class CategoryChangeSchema(ChangeSchema):
    """Request body of a category."""

    kind = CATEGORY

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The name in addresses.")
    parent = Converted(
        _parent,
        {"type": "integer"},
        allow_none=True,
        description="The category above; 0 for none.",
    )


class CategorySchema(TermShape):
    """Response body of a category."""

    parent = ma.fields.Integer()


class CategoryPageSchema(PageShape):
    categories = ma.fields.List(ma.fields.Nested(CategorySchema))
