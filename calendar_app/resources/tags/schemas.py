"""Request and response schemas of tags."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from calendar_app.errors import NotHierarchical
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.fields.scalars import Name, Text
from calendar_app.http.presentation.shapes import PageShape, TermShape
from calendar_app.kinds import TAG


class TagChangeSchema(ChangeSchema):
    """Request body of a tag."""

    kind = TAG

    name = Name(required=True, description="The name.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    slug = Text(description="The name in addresses.")

    @ma.pre_load
    def refuse_parent(self, sent: Mapping[str, Any], **_: Any) -> Mapping[str, Any]:
        """Refuse a parent, even 0, as the reference does."""
        if sent.get("parent") not in (None, ""):
            raise NotHierarchical
        return sent


class TagSchema(TermShape):
    """Response body of a tag."""


class TagPageSchema(PageShape):
    tags = ma.fields.List(ma.fields.Nested(TagSchema))
