"""The fields of each kind at the desk, named as the parameters of the interface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import marshmallow as ma
from flask_wtf.file import FileField
from wtforms import BooleanField, Field, HiddenField, SelectField, StringField, TextAreaField

from calendar_app.desk.forms import choices, longest
from calendar_app.domain.kind import Kind
from calendar_app.domain.statuses import DRAFT, PENDING, PRIVATE, PUBLISH
from calendar_app.errors import Message
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.kinds import CATEGORY, MEDIA, ORGANIZER, TAG, VENUE
from calendar_app.resources.linked import (
    OrganizerChangeSchema,
    VenueChangeSchema,
    VenueListSchema,
    list_schema,
)
from calendar_app.resources.media import MediaChangeSchema, MediaListSchema
from calendar_app.resources.terms import (
    CategoryChangeSchema,
    CategoryListSchema,
    TagChangeSchema,
    term_list_schema,
)

_LONGEST_LINE = 1000
MakeField = Callable[[Message], Any]
STATUSES = (
    (PUBLISH, Message("Published")),
    (DRAFT, Message("Draft")),
    (PENDING, Message("To check")),
    (PRIVATE, Message("Private")),
)


def _line(label: Message, **options: Any) -> Field:
    return StringField(label, [longest(_LONGEST_LINE)], **options)


def _status() -> Field:
    return SelectField(Message("State"), choices=choices(STATUSES), validate_choice=False)


def _picture() -> dict[str, Any]:
    """Return the fields for the picture of a record: present, new, or none."""
    return {
        "image": HiddenField(),
        "image_file": FileField(Message("Picture")),
        "image_remove": BooleanField(Message("Show no picture")),
    }


@dataclass(frozen=True)
class Sheet:
    """A kind at the desk: its words, schemas and fields.

    ``texts`` are written in each language; ``name`` is the one by which people know a record, and
    ``detail`` a text that tells those of the same name apart.
    """

    kind: Kind
    plural: Message
    new: Message
    change_schema: type[ChangeSchema]
    list_schema: type[ma.Schema]
    name: str
    texts: Mapping[str, Message]
    shared: Mapping[str, Any] = field(default_factory=dict)
    long_texts: tuple[str, ...] = ("description",)
    detail: str = ""

    def text_field(self, name: str, language: str) -> Any:
        """Return the field for a text in one language."""
        own_id = f"{name}-{language}"
        if name in self.long_texts:
            return TextAreaField(self.texts[name], id=own_id)
        return _line(self.texts[name], id=own_id)


_COMMON = {"description": Message("Description"), "slug": Message("Name in addresses")}
SHEETS = {
    sheet.kind.name: sheet
    for sheet in (
        Sheet(
            VENUE,
            Message("Venues"),
            Message("New venue"),
            VenueChangeSchema,
            VenueListSchema,
            name="venue",
            texts={
                "venue": Message("Name"),
                "address": Message("Street and number"),
                "city": Message("Town"),
                "province": Message("Province"),
                "country": Message("Country"),
                "website": Message("Website"),
                **_COMMON,
            },
            shared={
                "zip": _line(Message("Postal code")),
                "phone": _line(Message("Phone")),
                "geo_lat": _line(Message("Latitude")),
                "geo_lng": _line(Message("Longitude")),
                "show_map": BooleanField(Message("Events here show a map")),
                **_picture(),
                "status": _status(),
            },
            detail="city",
        ),
        Sheet(
            ORGANIZER,
            Message("Organizers"),
            Message("New organizer"),
            OrganizerChangeSchema,
            list_schema(ORGANIZER),
            name="organizer",
            texts={
                "organizer": Message("Name"),
                "website": Message("Website"),
                **_COMMON,
            },
            shared={
                "email": _line(Message("E-mail")),
                "phone": _line(Message("Phone")),
                **_picture(),
                "status": _status(),
            },
            detail="website",
        ),
        Sheet(
            CATEGORY,
            Message("Categories"),
            Message("New category"),
            CategoryChangeSchema,
            CategoryListSchema,
            name="name",
            texts={"name": Message("Name"), **_COMMON},
            shared={"parent": SelectField(Message("Category above"), validate_choice=False)},
        ),
        Sheet(
            TAG,
            Message("Tags"),
            Message("New tag"),
            TagChangeSchema,
            term_list_schema(TAG),
            name="name",
            texts={"name": Message("Name"), **_COMMON},
        ),
        Sheet(
            MEDIA,
            Message("Pictures"),
            Message("New picture"),
            MediaChangeSchema,
            MediaListSchema,
            name="title",
            texts={
                "title": Message("Title"),
                "alt_text": Message("Alternative text"),
            },
            shared={"file": FileField(Message("File"))},
            long_texts=("alt_text",),
            detail="alt_text",
        ),
    )
}
