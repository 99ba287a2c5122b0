"""Pictures in the OpenAPI document: what is sent, what is answered."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import marshmallow as ma

from calendar_app.domain.pictures import EXTENSIONS


class ImageSizeSchema(ma.Schema):
    """One of the smaller files of a picture."""

    width = ma.fields.Integer()
    height = ma.fields.Integer()
    mime_type = ma.fields.String(data_key="mime-type")
    filesize = ma.fields.Integer(metadata={"description": "in bytes"})
    url = ma.fields.Url()


class ImageSchema(ma.Schema):
    """A picture as records show it; one that stands elsewhere has the id 0 and no measures."""

    url = ma.fields.Url()
    id = ma.fields.Integer()
    extension = ma.fields.String()
    width = ma.fields.Integer(allow_none=True)
    height = ma.fields.Integer(allow_none=True)
    filesize = ma.fields.Integer(allow_none=True, metadata={"description": "in bytes"})
    sizes = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Nested(ImageSizeSchema))


class UploadedSchema(ImageSchema):
    """A picture that was just taken in."""

    source_url = ma.fields.Url(metadata={"description": "the same as url"})


_BINARY: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "binary"})
_MULTIPART: Mapping[str, Any] = MappingProxyType(
    {"type": "object", "required": ["file"], "properties": {"file": dict(_BINARY)}}
)
# The body of an upload: the bare file, or a form with the field ``file``.
UPLOAD_BODY: Mapping[str, Any] = MappingProxyType(
    {
        "required": True,
        "content": {
            **{mime: {"schema": dict(_BINARY)} for mime in EXTENSIONS},
            "multipart/form-data": {"schema": dict(_MULTIPART)},
        },
    }
)
