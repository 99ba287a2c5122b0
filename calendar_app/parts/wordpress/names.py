"""The kinds of records and their fields, by the names of WordPress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

import marshmallow as ma

from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.request.state import WORDPRESS
from calendar_app.api.http.views.records import LockedReadSchema, Present, ReadSchema
from calendar_app.api.presentation.events import EVENT_SHAPE, present_event
from calendar_app.api.presentation.linked import (
    ORGANIZER_SHAPE,
    TERM_SHAPES,
    VENUE_SHAPE,
    present_organizer,
    present_term,
    present_venue,
)
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.api.resources.events.routes import unpublished_links
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.api.resources.linked import OrganizerChangeSchema, VenueChangeSchema
from calendar_app.api.resources.terms import CategoryChangeSchema, TagChangeSchema
from calendar_app.calendar.writing.references import NO_LINKS, LinkedIds
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.parts.wordpress.contexts import DISCLOSURE

NAMESPACE = WORDPRESS.removeprefix("/")
META = "meta"

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ContentType:
    """A post type or a taxonomy: its ``name`` in addresses, and the kind of record that it is here.

    ``present_shown`` presents the fields here that WordPress shows too, ``whole`` all of them.
    ``fields`` and ``meta`` map its names of writable fields to ours, ``read_meta`` those of the
    others. ``terms`` are the taxonomies of a post type, by the names of their kinds; ``taxonomy``
    is the name of one inside records.
    """

    name: str
    kind: Kind
    present_shown: Callable[[Record, RecordView], JSONObject]
    whole: Present
    changes: type[ChangeSchema]
    fields: Names
    meta: Names = field(default_factory=dict)
    read_meta: Names = field(default_factory=dict)
    terms: Names = field(default_factory=dict)
    taxonomy: str = ""
    reads: type[ma.Schema] = ReadSchema
    unpublished: Callable[[], LinkedIds] = lambda: NO_LINKS

    @property
    def path(self) -> str:
        return f"/{NAMESPACE}/{self.name}"


_POST: Names = MappingProxyType(
    {
        "content": "description",
        "featured_media": "image",
        "author": "author",
        "date": "date",
        "date_gmt": "date_utc",
        "slug": "slug",
        "status": "status",
    }
)
_TERM: Names = MappingProxyType({name: name for name in ("name", "description", "slug")})
_SHOWN_OF_POSTS = (
    *("author", "status", "date", "date_utc", "modified", "modified_utc", "url"),
    *("description", "slug", "image", DISCLOSURE),
)
_SHOWN_OF_TERMS = ("count", "description", "name", "slug", "url", DISCLOSURE)
_EVENT_META: Names = MappingProxyType(
    {
        "_EventAllDay": "all_day",
        "_EventTimezone": "timezone",
        "_EventStartDate": "start_date",
        "_EventEndDate": "end_date",
        "_EventShowMap": "show_map",
        "_EventShowMapLink": "show_map_link",
        "_EventURL": "website",
        "_EventCost": "cost",
        "_EventVenueID": "venue",
        "_EventOrganizerID": "organizer",
    }
)
_VENUE_META: Names = MappingProxyType(
    {
        "_VenueAddress": "address",
        "_VenueCity": "city",
        "_VenueCountry": "country",
        "_VenueProvince": "province",
        "_VenueState": "state",
        "_VenueStateProvince": "stateprovince",
        "_VenueZip": "zip",
        "_VenuePhone": "phone",
        "_VenueURL": "website",
        "_VenueLat": "geo_lat",
        "_VenueLng": "geo_lng",
        "_VenueShowMap": "show_map",
        "_VenueShowMapLink": "show_map_link",
    }
)
_ORGANIZER_META: Names = MappingProxyType(
    {
        "_OrganizerEmail": "email",
        "_OrganizerPhone": "phone",
        "_OrganizerWebsite": "website",
    }
)
_UTC_META: Names = MappingProxyType(
    {"_EventStartDateUTC": "utc_start_date", "_EventEndDateUTC": "utc_end_date"}
)
# They are links, which WordPress knows by their ids alone.
LINKS: Names = MappingProxyType({"_EventVenueID": "venues", "_EventOrganizerID": "organizers"})
_SHOWN_OF_EVENTS = (
    *_SHOWN_OF_POSTS,
    *("title", "excerpt", "cost_details"),
    *(name for meta, name in _EVENT_META.items() if meta not in LINKS),
    *_UTC_META.values(),
)

TAGS = ContentType(
    "tags",
    TAG,
    partial(present_term, TAG, shape=TERM_SHAPES[TAG.name].only(_SHOWN_OF_TERMS)),
    partial(present_term, TAG),
    TagChangeSchema,
    _TERM,
    taxonomy="post_tag",
)
CATEGORIES = ContentType(
    "tribe_events_cat",
    CATEGORY,
    partial(
        present_term,
        CATEGORY,
        shape=TERM_SHAPES[CATEGORY.name].only((*_SHOWN_OF_TERMS, "parent")),
    ),
    partial(present_term, CATEGORY),
    CategoryChangeSchema,
    {**_TERM, "parent": "parent"},
    taxonomy="tribe_events_cat",
)
EVENTS = ContentType(
    "tribe_events",
    EVENT,
    partial(present_event, shape=EVENT_SHAPE.only(_SHOWN_OF_EVENTS)),
    present_event,
    EventChangeSchema,
    {
        "title": "title",
        "excerpt": "excerpt",
        "password": "password",
        "tags": "tags",
        "tribe_events_cat": "categories",
        **_POST,
    },
    _EVENT_META,
    _UTC_META,
    {TAG.name: TAGS.name, CATEGORY.name: CATEGORIES.name},
    reads=LockedReadSchema,
    unpublished=unpublished_links,
)
VENUES = ContentType(
    "tribe_venue",
    VENUE,
    partial(
        present_venue,
        shape=VENUE_SHAPE.only((*_SHOWN_OF_POSTS, "venue", *_VENUE_META.values())),
    ),
    present_venue,
    VenueChangeSchema,
    {"title": "venue", **_POST},
    _VENUE_META,
)
ORGANIZERS = ContentType(
    "tribe_organizer",
    ORGANIZER,
    partial(
        present_organizer,
        shape=ORGANIZER_SHAPE.only((*_SHOWN_OF_POSTS, "organizer", *_ORGANIZER_META.values())),
    ),
    present_organizer,
    OrganizerChangeSchema,
    {"title": "organizer", **_POST},
    _ORGANIZER_META,
)
TYPES = (EVENTS, VENUES, ORGANIZERS, CATEGORIES, TAGS)
