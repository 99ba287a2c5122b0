"""The events resource: its answers and its routes."""

from collections.abc import Collection, Sequence
from typing import ClassVar

import marshmallow as ma

from calendar_app.domain.custom_fields import PARTS
from calendar_app.domain.statuses import ATTENDANCE_MODES, DRAFT, EVENT_STATUSES, PENDING
from calendar_app.http.answers.headers import FEED_TYPES
from calendar_app.http.presentation import (
    AnswerShape,
    LocalizedShape,
    PageShape,
    PostShape,
    texts_by_language,
)
from calendar_app.http.request import current
from calendar_app.http.views.records import LockedReadSchema
from calendar_app.kinds import EVENT, MEDIA, ORGANIZER, VENUE
from calendar_app.presentation.events import present_event
from calendar_app.presentation.json_ld import describe_event
from calendar_app.resources.events.filters import EventListSchema
from calendar_app.resources.events.schemas import EventChangeSchema, EventRemoveSchema
from calendar_app.resources.linked import OrganizerSchema
from calendar_app.resources.resource import Resource, routes_of


class SeriesInEventSchema(AnswerShape):
    """The series of an event."""

    id = ma.fields.Integer()
    rest_url = ma.fields.String()
    rrule = ma.fields.Raw(
        metadata={
            "description": "The rule; a list where there are several, empty where there is none.",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
        },
    )
    rdate = ma.fields.List(
        ma.fields.Raw(metadata={"anyOf": [{"type": "string"}, {"type": "object"}]}),
        metadata={"description": "Further dates; an object where one has an end of its own."},
    )
    exdate = ma.fields.List(ma.fields.String())
    text = ma.fields.String(
        metadata={"description": "The rule in words, in the language of the reader."}
    )
    next = ma.fields.String(
        allow_none=True,
        metadata={"description": "When the next event starts; null after the last one."},
    )
    count = ma.fields.Integer(metadata={"description": "How many events the reader can see."})
    dates_from = ma.fields.String(
        allow_none=True,
        metadata={"description": "The date from which all have events; null: the first."},
    )


class DateDetailsSchema(AnswerShape):
    year = ma.fields.String()
    month = ma.fields.String()
    day = ma.fields.String()
    hour = ma.fields.String()
    minutes = ma.fields.String()
    seconds = ma.fields.String()


class CostDetailsSchema(AnswerShape):
    currency_symbol = ma.fields.String()
    currency_code = ma.fields.String()
    currency_position = ma.fields.String(metadata={"enum": ["prefix", "postfix", ""]})
    values = ma.fields.List(ma.fields.String())


class TermInEventSchema(AnswerShape):
    """A category or tag inside an event."""

    sometimes: ClassVar[Collection[str]] = LocalizedShape.sometimes

    id = ma.fields.Integer()
    name = ma.fields.String()
    slug = ma.fields.String()
    taxonomy = ma.fields.String()
    description = ma.fields.String()
    parent = ma.fields.Integer()
    count = ma.fields.Integer()
    filter = ma.fields.String()
    term_group = ma.fields.Integer()
    term_taxonomy_id = ma.fields.Integer()
    urls = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.String())
    language = ma.fields.String()
    fallback_fields = ma.fields.List(ma.fields.String())
    variants = texts_by_language()


def _feeds(suffixes: Sequence[str]) -> ma.fields.Dict:
    """Return the field of feed URLs by suffix."""
    properties = {name: {"type": "string", "description": FEED_TYPES[name]} for name in suffixes}
    return ma.fields.Dict(
        metadata={"description": "To subscribe to.", "properties": properties},
    )


class EventSchema(PostShape):
    """Response body of an event; protected fields are ``null`` or empty."""

    sometimes: ClassVar[Collection[str]] = (
        *PostShape.sometimes,
        "recurrence_id",
        "overrides",
        "series",
        "distance",
    )

    rest_url = ma.fields.String()
    title = ma.fields.String()
    excerpt = ma.fields.String()
    image = ma.fields.Raw(
        metadata={
            "description": "The picture; false where there is none.",
            "anyOf": [{"$ref": "#/components/schemas/Image"}, {"type": "boolean"}],
        },
    )
    feeds = _feeds(["ics"])
    all_day = ma.fields.Boolean(allow_none=True)
    start_date = ma.fields.String()
    start_date_details = ma.fields.Nested(DateDetailsSchema)
    end_date = ma.fields.String()
    end_date_details = ma.fields.Nested(DateDetailsSchema)
    utc_start_date = ma.fields.String()
    utc_start_date_details = ma.fields.Nested(DateDetailsSchema)
    utc_end_date = ma.fields.String()
    utc_end_date_details = ma.fields.Nested(DateDetailsSchema)
    timezone = ma.fields.String()
    timezone_abbr = ma.fields.String()
    cost = ma.fields.String()
    cost_details = ma.fields.Nested(CostDetailsSchema)
    website = ma.fields.String()
    show_map = ma.fields.Boolean(allow_none=True)
    show_map_link = ma.fields.Boolean(allow_none=True)
    hide_from_listings = ma.fields.Boolean(allow_none=True)
    sticky = ma.fields.Boolean(allow_none=True)
    featured = ma.fields.Boolean(allow_none=True)
    ticketed = ma.fields.Boolean(allow_none=True)
    categories = ma.fields.List(ma.fields.Nested(TermInEventSchema))
    tags = ma.fields.List(ma.fields.Nested(TermInEventSchema))
    venue = ma.fields.Raw(
        metadata={
            "description": "An object; a list where there are none or several.",
            "anyOf": [
                {"$ref": "#/components/schemas/Venue"},
                {"type": "array", "items": {"$ref": "#/components/schemas/Venue"}},
            ],
        },
    )
    organizer = ma.fields.List(ma.fields.Nested(OrganizerSchema))
    custom_fields = ma.fields.Raw(
        metadata={
            "description": "Label and value by key; an empty list where there are none.",
            "anyOf": [
                {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "properties": {part: {"type": "string"} for part in PARTS},
                    },
                },
                {"type": "array", "maxItems": 0, "items": {}},
            ],
        },
    )
    event_status = ma.fields.String(metadata={"enum": list(EVENT_STATUSES)})
    status_reason = ma.fields.String()
    attendance_mode = ma.fields.String(
        allow_none=True, metadata={"enum": [*ATTENDANCE_MODES, None]}
    )
    online_url = ma.fields.String()
    recurrence_id = ma.fields.String(
        allow_none=True,
        metadata={"description": "Of an event of a series: its start by the rule."},
    )
    overrides = ma.fields.List(
        ma.fields.String(), metadata={"description": "The fields that differ from the series."}
    )
    series = ma.fields.Nested(SeriesInEventSchema, allow_none=True)
    distance = ma.fields.Float(metadata={"description": "Kilometres from the point asked for."})


class EventPageSchema(PageShape):
    events = ma.fields.List(ma.fields.Nested(EventSchema))
    feeds = _feeds(tuple(FEED_TYPES))


OTHER_KINDS = (VENUE, ORGANIZER, MEDIA)


def unpublished_links() -> dict[str, list[int]]:
    """Return the linked drafts and pending records that the caller sees, by kind."""
    presented = current.context().presented
    ids_by_kind = {}
    for kind in (VENUE, ORGANIZER):
        linked = presented[kind.singular]
        records_ = linked if isinstance(linked, list) else [linked]
        ids_by_kind[kind.name] = [
            record["id"] for record in records_ if record["status"] in (DRAFT, PENDING)
        ]
    return {name: ids for name, ids in ids_by_kind.items() if ids}


blueprint = routes_of(
    Resource(
        EVENT,
        present_event,
        EventListSchema,
        EventChangeSchema,
        EventSchema,
        EventPageSchema,
        describe_event,
        LockedReadSchema,
        EventRemoveSchema,
        slug_rule="<event_slug:slug>/",
        order="the next ones first",
        other_kinds=OTHER_KINDS,
        unpublished=unpublished_links,
    ),
    "What takes place",
)
