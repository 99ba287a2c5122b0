"""Request and response schemas of events."""

from collections.abc import Mapping, Sequence
from typing import Any

import marshmallow as ma

from calendar_app.calendar.series.request import SCOPES, THIS
from calendar_app.domain.attendance import ATTENDANCE_MODES, EVENT_STATUSES
from calendar_app.domain.cost import parse_cost
from calendar_app.domain.currencies import Currency
from calendar_app.domain.custom_fields import NAME, PARTS, changed_fields, with_fields
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.reading import SentRecurrence
from calendar_app.domain.richtext import decoded
from calendar_app.domain.zones import zone_of
from calendar_app.errors import Message
from calendar_app.http.answers.feed_links import FEED_TYPES
from calendar_app.http.fields.changes import DATE_TIME, moment
from calendar_app.http.fields.custom_fields import CustomFields
from calendar_app.http.fields.linking import Image, LinkedRecords, LinkedTerms
from calendar_app.http.fields.notations import as_text, whole_number
from calendar_app.http.fields.posts import LockedChangeSchema
from calendar_app.http.fields.recurrence import RecurrenceField
from calendar_app.http.fields.scalars import Converted, Flag, Name, OneOf, Parameter, Provided, Text
from calendar_app.http.fields.urls import Url, WebUrl
from calendar_app.http.presentation.shapes import PageShape, PostShape, texts_by_language
from calendar_app.http.request import current
from calendar_app.http.views.records import LockedRemoveSchema
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.organizers.schemas import OrganizerChangeSchema, OrganizerSchema
from calendar_app.resources.tags.kind import TAG
from calendar_app.resources.venues.kind import VENUE
from calendar_app.resources.venues.schemas import VenueChangeSchema

_SCOPE = "Which events of a series: this one, those that follow too, or all."


def _cost(value: Any) -> Record | None:
    cost = parse_cost(value, Currency.of(current.settings()))
    return cost.document() if cost else None


def zone_name(value: Any) -> str:
    """Return the name of a zone; nothing stands for that of the site."""
    name = as_text(value, Message("timezone must be the name of a zone."))
    if name:
        zone_of(name)
    return name


def _is_page(website: Any) -> bool:
    return current.addresses().is_page(EVENT.singular, decoded(str(website)))


def _parent(value: Any) -> int:
    """Return the id of an existing event; 0 and empty mean none."""
    number = 0 if value == "" else whole_number(value)
    if number is None or number < 0:
        raise ValueError("post_parent must be the id of an event, or 0.")
    if number and current.reader().missing(EVENT, [number], current.caller()):
        raise ValueError(Message("There is no {kind} {id}.", kind="event", id=number))
    return number


def _hashed_password(value: Any) -> str | None:
    password = as_text(value, Message("{name} must be a text.", name="password"))
    return current.services().accounts.seal(password) if password else None


class EventChangeSchema(LockedChangeSchema):
    """Request body of an event."""

    kind = EVENT
    slug_renames = True

    title = Name(required=True, description="The title.")
    start_date = Converted(
        moment,
        DATE_TIME,
        required=True,
        attribute="start",
        description="The start, on the clocks of the event's zone.",
    )
    end_date = Converted(
        moment,
        DATE_TIME,
        required=True,
        attribute="end",
        description="The end, on the clocks of the event's zone.",
    )
    description = Text(blank=True, allow_none=True, description="HTML.")
    excerpt = Text(blank=True, allow_none=True, description="A short text, HTML.")
    slug = Text(description="The name in addresses.")
    timezone = Converted(
        zone_name,
        {"type": "string"},
        description="An IANA zone or an offset such as UTC+5:30.",
    )
    all_day = Flag(description="Whether it lasts the whole day.")
    image = Image(allow_none=True, description="A picture, by id or address.")
    cost = Converted(
        _cost,
        {
            "anyOf": [
                {"type": ["string", "number"]},
                {"type": "array", "items": {"type": ["string", "number"]}},
            ]
        },
        allow_none=True,
        description="A price, a range of prices, or a text.",
    )
    website = Url(allow_none=True, description="An absolute address.")
    show_map = Flag(description="Whether it shows a map.")
    show_map_link = Flag(description="Whether it shows a link to a map.")
    hide_from_listings = Flag(attribute="hidden", description="Whether lists leave it out.")
    sticky = Flag(description="Whether calendar views show it first.")
    featured = Flag(description="Whether it is featured.")
    ticketed = Provided(description="Whether there are tickets for it.")
    event_status = OneOf(
        EVENT_STATUSES,
        description="Whether it takes place as planned; scheduled at first.",
    )
    status_reason = Text(
        blank=True,
        allow_none=True,
        description="Why it does not take place as planned; plain text.",
    )
    attendance_mode = OneOf(
        ATTENDANCE_MODES,
        description="Whether people come, follow it online, or both; else offline.",
    )
    online_url = WebUrl(allow_none=True, description="Where to follow it online, an http address.")
    custom_fields = CustomFields(
        allow_none=True, description="A label and a value by key; others stay."
    )
    categories = LinkedTerms(
        CATEGORY, allow_none=True, description="Categories, by id, slug or name."
    )
    tags = LinkedTerms(TAG, allow_none=True, description="Tags, by id, slug or name.")
    venue: Parameter = LinkedRecords(
        VENUE,
        VenueChangeSchema,
        allow_none=True,
        attribute="venues",
        description="Venues, by id or as data of new ones.",
    )
    organizer: Parameter = LinkedRecords(
        ORGANIZER,
        OrganizerChangeSchema,
        allow_none=True,
        attribute="organizers",
        description="Organizers, by id or as data of new ones.",
    )
    post_parent = Converted(
        _parent,
        {"type": "integer"},
        allow_none=True,
        attribute="parent",
        description="The event that this one belongs to; 0 for none.",
    )
    password = Converted(
        _hashed_password,
        {"type": "string"},
        allow_none=True,
        description="Set in the body; empty takes it away.",
    )

    recurrence = RecurrenceField(
        allow_none=True,
        description="When it recurs: RFC 5545, as an object or as lines.",
    )
    scope = OneOf(SCOPES, description=_SCOPE)
    force = Flag(description="Delete events of the series that lose their date for good.")

    def drop_unchanged(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Drop custom fields that equal the presented ones."""
        changed = super().drop_unchanged({n: value for n, value in body.items() if n != NAME})
        _, presented = current.target_record()
        fields, stored = body.get(NAME), presented[NAME] if presented else []
        if fields:
            is_fallback = presented and NAME in presented["fallback_fields"]
            confirmed = is_fallback and self._confirms_language(body)
            return with_fields(changed, fields if confirmed else changed_fields(fields, stored))
        return changed | ({NAME: []} if NAME in body and stored else {})

    def drop_ignored(self, sent: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take a password from the body alone; in the query it unlocks.

        The page of another event is dropped as website of a new one, which is then a copy.
        """
        sent = super().drop_ignored(sent)
        values = {name: value for name, value in sent.items() if name != "password"}
        if "password" in current.body_parameters():
            values["password"] = current.body_parameters()["password"]
        if not self.partial and _is_page(values.get("website")):
            del values["website"]
        return values

    @ma.post_load
    def empty_lists(self, values: Record, **_: Any) -> Record:
        """Treat ``null`` as an empty list."""
        lists = ("categories", "tags", "venues", "organizers")
        return values | {name: [] for name in lists if name in values and values[name] is None}

    @ma.post_load
    def cleared_recurrence(self, values: Record, **_: Any) -> Record:
        """Treat ``null`` as no recurrence."""
        if values.get("recurrence", ...) is None:
            return values | {"recurrence": SentRecurrence()}
        return values


class EventRemoveSchema(LockedRemoveSchema):
    """Parameters of a delete of an event."""

    scope = OneOf(SCOPES, load_default=THIS, description=_SCOPE)


class SeriesInEventSchema(ma.Schema):
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


class DateDetailsSchema(ma.Schema):
    year = ma.fields.String()
    month = ma.fields.String()
    day = ma.fields.String()
    hour = ma.fields.String()
    minutes = ma.fields.String()
    seconds = ma.fields.String()


class CostDetailsSchema(ma.Schema):
    currency_symbol = ma.fields.String()
    currency_code = ma.fields.String()
    currency_position = ma.fields.String(metadata={"enum": ["prefix", "postfix", ""]})
    values = ma.fields.List(ma.fields.String())


class TermInEventSchema(ma.Schema):
    """A category or tag inside an event."""

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
        metadata={"description": "Of an event of a series: its start by the rule."}
    )
    overrides = ma.fields.List(
        ma.fields.String(), metadata={"description": "The fields that differ from the series."}
    )
    series = ma.fields.Nested(SeriesInEventSchema)
    distance = ma.fields.Float(metadata={"description": "Kilometres from the point asked for."})


class EventPageSchema(PageShape):
    events = ma.fields.List(ma.fields.Nested(EventSchema))
    feeds = _feeds(tuple(FEED_TYPES))
