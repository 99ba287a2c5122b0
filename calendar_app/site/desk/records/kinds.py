"""The fields of each kind at the desk, named as the parameters of the interface."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import marshmallow as ma

from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.resources.linked import (
    OrganizerChangeSchema,
    VenueChangeSchema,
    VenueListSchema,
    list_schema,
)
from calendar_app.api.resources.media import MediaChangeSchema, MediaListSchema
from calendar_app.api.resources.terms import (
    CategoryChangeSchema,
    CategoryListSchema,
    TagChangeSchema,
    term_list_schema,
)
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import CATEGORY, MEDIA, ORGANIZER, TAG, VENUE
from calendar_app.domain.statuses import DRAFT, PENDING, PRIVATE, PUBLISH
from calendar_app.errors import Message

STATUSES = (
    (PUBLISH, Message("Published")),
    (DRAFT, Message("Draft")),
    (PENDING, Message("To check")),
    (PRIVATE, Message("Private")),
)
# How the fields that all languages share are filled in; others are lines.
FILE, FLAG, CHOICE, HIDDEN = "file", "flag", "choice", "hidden"
WIDGETS: Mapping[str, str] = {
    "image": HIDDEN,
    "image_file": FILE,
    "file": FILE,
    "image_remove": FLAG,
    "show_map": FLAG,
    "status": CHOICE,
    "parent": CHOICE,
}
_PICTURE = {
    "image": Message("Picture"),
    "image_file": Message("Picture"),
    "image_remove": Message("Show no picture"),
}
_STATE = {"status": Message("State")}


@dataclass(frozen=True)
class RecordSheet:
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
    shared: Mapping[str, Message] = field(default_factory=dict)
    long_texts: tuple[str, ...] = ("description",)
    detail: str = ""


_COMMON = {"description": Message("Description"), "slug": Message("Name in the address")}
SHEETS = {
    sheet.kind.name: sheet
    for sheet in (
        RecordSheet(
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
                "zip": Message("Postal code"),
                "phone": Message("Phone"),
                "geo_lat": Message("Latitude"),
                "geo_lng": Message("Longitude"),
                "show_map": Message("Events here show a map"),
                **_PICTURE,
                **_STATE,
            },
            detail="city",
        ),
        RecordSheet(
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
                "email": Message("E-mail"),
                "phone": Message("Phone"),
                **_PICTURE,
                **_STATE,
            },
            detail="website",
        ),
        RecordSheet(
            CATEGORY,
            Message("Categories"),
            Message("New category"),
            CategoryChangeSchema,
            CategoryListSchema,
            name="name",
            texts={"name": Message("Name"), **_COMMON},
            shared={"parent": Message("Category above")},
        ),
        RecordSheet(
            TAG,
            Message("Tags"),
            Message("New tag"),
            TagChangeSchema,
            term_list_schema(TAG),
            name="name",
            texts={"name": Message("Name"), **_COMMON},
        ),
        RecordSheet(
            MEDIA,
            Message("Pictures"),
            Message("New picture"),
            MediaChangeSchema,
            MediaListSchema,
            name="title",
            texts={
                "title": Message("Title"),
                "alt_text": Message("What the picture shows"),
            },
            shared={"file": Message("File")},
            long_texts=("alt_text",),
            detail="alt_text",
        ),
    )
}
