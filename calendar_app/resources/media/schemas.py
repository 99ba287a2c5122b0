"""Request and response schemas of pictures."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.fields.scalars import Flag, Text
from calendar_app.http.presentation.shapes import (
    AnswerShape,
    LocalizedShape,
    MediaUseShape,
    PageShape,
)
from calendar_app.http.request.parameters import MULTIPART
from calendar_app.kinds import MEDIA


class MediaChangeSchema(ChangeSchema):
    """Texts of a picture, sent beside its file."""

    kind = MEDIA

    title = Text(blank=True, allow_none=True, description="By which people find the picture.")
    alt_text = Text(
        blank=True,
        allow_none=True,
        description="What is to be seen, for those who do not see it.",
    )


class MediaReadSchema(ma.Schema):
    """Parameters of a read of one picture."""

    class Meta:
        unknown = ma.EXCLUDE


class MediaRemoveSchema(ma.Schema):
    """Parameters of a delete of a picture."""

    class Meta:
        unknown = ma.EXCLUDE

    force = Flag(
        load_default=False,
        description="Delete it though records show it; they show none then.",
    )
    translation_only = Flag(
        load_default=False,
        description="Take away the texts of one language, the one of the request.",
    )


class ImageSizeSchema(AnswerShape):
    """One of the smaller files of a picture; sizes of files elsewhere are unknown."""

    sometimes: ClassVar[Collection[str]] = ("mime_type", "filesize")

    width = ma.fields.Integer(allow_none=True)
    height = ma.fields.Integer(allow_none=True)
    mime_type = ma.fields.String(data_key="mime-type")
    filesize = ma.fields.Integer(metadata={"description": "in bytes"})
    url = ma.fields.Url()


class ImageSchema(AnswerShape):
    """A picture inside a record; an external one has the id 0 and no measures."""

    sometimes: ClassVar[Collection[str]] = ("alt_text", "sizes")

    url = ma.fields.Url()
    id = ma.fields.Integer()
    extension = ma.fields.String()
    width = ma.fields.Integer(allow_none=True)
    height = ma.fields.Integer(allow_none=True)
    filesize = ma.fields.Integer(allow_none=True, metadata={"description": "in bytes"})
    alt_text = ma.fields.String(
        metadata={"description": "in the language of the request, if there is one; plain text"}
    )
    sizes = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Nested(ImageSizeSchema))


class MediaSchema(LocalizedShape, ImageSchema):
    """Response body of a picture."""

    sometimes: ClassVar[Collection[str]] = (*LocalizedShape.sometimes, "used_by", "uses")

    source_url = ma.fields.Url(metadata={"description": "the same as url"})
    rest_url = ma.fields.Url()
    mime_type = ma.fields.String()
    filename = ma.fields.String()
    title = ma.fields.String()
    author = ma.fields.String()
    date = ma.fields.String()
    date_utc = ma.fields.String()
    modified = ma.fields.String()
    modified_utc = ma.fields.String()
    used_by = ma.fields.List(
        ma.fields.Nested(MediaUseShape),
        metadata={"description": "where it is shown, the first hundred; not in lists"},
    )
    uses = ma.fields.Integer(metadata={"description": "in how many places that is; not in lists"})


class MediaPageSchema(PageShape):
    media = ma.fields.List(ma.fields.Nested(MediaSchema))


_BINARY: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "binary"})
_TEXT: Mapping[str, Any] = MappingProxyType({"type": "string"})
_MULTIPART: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "required": ["file"],
        "properties": {"file": dict(_BINARY), "title": dict(_TEXT), "alt_text": dict(_TEXT)},
    }
)
# The body of an upload; a bare file is taken too.
UPLOAD_BODY: Mapping[str, Any] = MappingProxyType(
    {"required": True, "content": {MULTIPART: {"schema": dict(_MULTIPART)}}}
)
