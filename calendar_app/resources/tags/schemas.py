"""The shapes of a tag on the wire."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from calendar_app.errors import NotHierarchical
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.fields.scalars import Name, Text
from calendar_app.http.presentation.shapes import PageShape, TermShape
from calendar_app.resources.tags.kind import TAG


class TagChangeSchema(ChangeSchema):
    """What a client sends."""

    kind = TAG

    name = Name(required=True, metadata={"description": "The name."})
    description = Text(blank=True, allow_none=True, metadata={"description": "HTML."})
    slug = Text(metadata={"description": "The name in addresses."})

    @ma.pre_load
    def refuse_parent(self, sent: Mapping[str, Any], **_: Any) -> Mapping[str, Any]:
        """Refuse a parent, as the reference does, 0 too."""
        if sent.get("parent") not in (None, ""):
            raise NotHierarchical
        return sent


class TagSchema(TermShape):
    """What a client receives."""


class TagPageSchema(PageShape):
    tags = ma.fields.List(ma.fields.Nested(TagSchema), required=True)
