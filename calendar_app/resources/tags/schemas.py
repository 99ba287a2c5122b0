"""The shapes of a tag on the wire."""

import marshmallow as ma

from calendar_app.resources.tags.kind import TAG
from calendar_app.rest.changes import ChangeSchema
from calendar_app.rest.fields import Name, Text
from calendar_app.rest.shapes import PageShape, TermShape


class TagChangeSchema(ChangeSchema):
    """What a client sends."""

    kind = TAG

    name = Name(required=True, metadata={"description": "The name."})
    description = Text(blank=True, allow_none=True, metadata={"description": "HTML."})
    slug = Text(metadata={"description": "The name in addresses."})


class TagSchema(TermShape):
    """What a client receives."""


class TagPageSchema(PageShape):
    tags = ma.fields.List(ma.fields.Nested(TagSchema), required=True)
