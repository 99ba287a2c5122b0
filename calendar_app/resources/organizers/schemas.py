"""Request and response schemas of organizers."""

from collections.abc import Collection
from typing import ClassVar

import marshmallow as ma

from calendar_app.http.fields.linking import Image
from calendar_app.http.fields.posts import PostSchema
from calendar_app.http.fields.scalars import Email, Name, Text
from calendar_app.http.fields.urls import Url
from calendar_app.http.presentation.shapes import PageShape, PostShape
from calendar_app.kinds import ORGANIZER
from calendar_app.resources.media.schemas import ImageSchema


class OrganizerChangeSchema(PostSchema):
    """Request body of an organizer."""

    kind = ORGANIZER

    organizer = Name(required=True, description="The name.")
    slug = Text(description="The name in addresses.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    phone = Text(blank=True, allow_none=True, description="Phone number.")
    website = Url(allow_none=True, description="An absolute address.")
    email = Email(allow_none=True, description="E-mail address.")
    image = Image(allow_none=True, description="A picture, by id or address.")


class OrganizerSchema(PostShape):
    """Response body of an organizer; empty fields are omitted."""

    sometimes: ClassVar[Collection[str]] = (
        *PostShape.sometimes,
        "description",
        "phone",
        "website",
        "email",
        "image",
    )

    organizer = ma.fields.String()
    phone = ma.fields.String()
    website = ma.fields.String()
    email = ma.fields.String()
    image = ma.fields.Nested(ImageSchema)


class OrganizerPageSchema(PageShape):
    organizers = ma.fields.List(ma.fields.Nested(OrganizerSchema))
