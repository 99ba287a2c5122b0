"""Request schemas of events."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.changes import DATE_TIME, LockedChangeSchema, moment
from calendar_app.api.http.fields.linking import ExistingParent, Image, LinkedRecords, LinkedTerms
from calendar_app.api.http.fields.scalars import (
    Converted,
    Flag,
    Name,
    OneOf,
    Provided,
    Text,
    Url,
    WebUrl,
    as_text,
)
from calendar_app.api.http.fields.schema import Parameter, Values
from calendar_app.api.http.fields.texts import CustomFields
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.records import LockedRemoveSchema
from calendar_app.api.resources.events.participation import (
    Audience,
    EnumWords,
    LanguageTags,
    Registration,
    on_clocks,
)
from calendar_app.api.resources.linked import OrganizerChangeSchema, VenueChangeSchema
from calendar_app.calendar.series.changing import SCOPES, THIS
from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.custom_fields import NAME, changed_fields, with_fields
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE, event_fields
from calendar_app.domain.participation import ACCESSIBILITY
from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import ATTENDANCE_MODES, EVENT_STATUSES
from calendar_app.domain.zones import zone_of
from calendar_app.errors import Message

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_PERIOD: Mapping[str, Any] = {
    "start": {**_TEXT, "description": "When the date starts."},
    "end": {**_TEXT, "description": "When the date ends."},
}
_EXTRA_DATE: Mapping[str, Any] = {"anyOf": [_TEXT, {"type": "object", "properties": _PERIOD}]}
_PARTS: Mapping[str, Any] = {
    "rrule": {"anyOf": [_TEXT, _TEXTS], "description": "The rule, or several (RFC 5545)."},
    "rdate": {"type": "array", "items": _EXTRA_DATE, "description": "Further dates."},
    "exdate": {**_TEXTS, "description": "Dates on which it does not take place."},
}


NAME_OF_RULES = "recurrence"


class RecurrenceField(Parameter):
    """Rules, extra dates and exceptions: an object, or lines of iCalendar as one text."""

    schema = MappingProxyType({"anyOf": [_TEXT, {"type": "object", "properties": _PARTS}]})

    def read(self, value: Any, context: Context) -> SentRecurrence:
        try:
            return parse(value, context.now())
        except ValueError as error:
            refuse(error.args[0])


_SCOPE = "Which events of a series: this one, this and all that follow, or all."


COST: Mapping[str, Any] = {
    "anyOf": [
        {"type": ["string", "number"]},
        {"type": "array", "items": {"type": ["string", "number"]}},
    ]
}


def read_cost(value: Any, context: Context) -> Record | None:
    """Return a cost in its stored form; raise ``ValueError`` for an invalid one."""
    cost = parse_cost(value, Currency.of(context.settings))
    return cost.document() if cost else None


def zone_name(value: Any, _context: Context) -> str:
    """Return the name of a zone; nothing stands for that of the site."""
    name = as_text(value, Message("timezone must be the name of a zone."))
    if name:
        zone_of(name)
    return name


def _is_foreign_recurrence(value: Any) -> bool:
    """Return whether a value has none of our parts; ``null`` takes the recurrence away."""
    if isinstance(value, dict):
        return value.keys().isdisjoint(_PARTS)
    return value is False or value == []


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _hashed_password(value: Any, context: Context) -> str | None:
    password = as_text(value, Message("{name} must be a text.", name="password"))
    return context.services.accounts.seal(password) if password else None


def plain_fields(**of_texts: Any) -> dict[str, ma.fields.Field[Any]]:
    """Return the plain fields of the table; ``of_texts`` are further options of texts."""
    texts: dict[str, ma.fields.Field[Any]] = {
        text.name: Text(blank=True, allow_none=True, description=text.description, **of_texts)
        for text in event_fields.PLAIN_TEXTS
    }
    return texts | {
        flag.name: Flag(attribute=flag.stored or None, description=flag.description)
        for flag in event_fields.PLAIN_FLAGS
    }


class EventChangeSchema(LockedChangeSchema):
    """Request body of an event."""

    kind = EVENT
    slug_renames = True
    # Places and people may be published with it.
    compared = LockedChangeSchema.compared | {NAME, "venue", "organizer"}

    class Meta(LockedChangeSchema.Meta):
        include: ClassVar[dict[str, ma.fields.Field[Any]]] = plain_fields()

    title = Name(required=True, description="The title.")
    start_date = Converted(
        moment,
        DATE_TIME,
        required=True,
        attribute="start",
        description="The start, in the time zone of the event.",
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
    slug = Text(description="The slug: its name in addresses.")
    timezone = Converted(
        zone_name,
        {"type": "string"},
        description="An IANA zone or an offset such as UTC+5:30.",
    )
    all_day = Flag(description="Whether it lasts the whole day.")
    image: Parameter = Image(allow_none=True, description="A picture, by id or address.")
    cost = Converted(
        read_cost,
        COST,
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
    online_url = WebUrl(
        allow_none=True, description="The web address where it can be followed online."
    )
    accessibility = EnumWords(
        ACCESSIBILITY,
        allow_none=True,
        description="The ways in which it is accessible, and to whom.",
    )
    in_language = LanguageTags(
        allow_none=True, description="The languages in which it is held, by their codes."
    )
    audience = Audience(allow_none=True, description="The audience: ages and groups.")
    registration = Registration(
        allow_none=True,
        description="Where people register, from when until when, and whether they have to.",
    )
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
    post_parent = ExistingParent(
        EVENT,
        Message("post_parent must be the id of an event, or 0."),
        allow_none=True,
        attribute="parent",
        description="The event that this one belongs to; 0 for none.",
    )
    password = Converted(
        _hashed_password,
        {"type": "string"},
        allow_none=True,
        description="The password; empty removes it.",
    )

    recurrence = RecurrenceField(
        allow_none=True,
        description="When it recurs: RFC 5545, as an object or as lines.",
    )
    scope = OneOf(SCOPES, description=_SCOPE)
    force = Flag(description="Delete events of the series that lose their date for good.")

    def overridden_paths(self, body: Values) -> Collection[str]:
        """Return the overrides of an event of a series, where a write reaches the others too.

        A body that has its ``overrides`` is one that was read, and keeps them.
        """
        context = body.context
        if context.presented is None or body.get("scope", THIS) == THIS or "overrides" in body:
            return ()
        overrides: list[str] = context.record.get("overrides", [])
        return overrides

    def drop_unchanged(self, body: Values) -> dict[str, Any]:
        """Drop custom fields that equal the presented ones."""
        context, presented = body.context, body.context.presented
        nameless = Values({n: value for n, value in body.items() if n != NAME}, context)
        changed = super().drop_unchanged(nameless)
        fields, stored = body.get(NAME), presented[NAME] if presented else []
        is_kept = NAME in self._names_at(self.overridden_paths(body), context)
        if fields:
            is_fallback = presented and NAME in presented["fallback_fields"]
            is_kept = is_kept or (is_fallback and self._confirms_language(body))
            return with_fields(changed, fields if is_kept else changed_fields(fields, stored))
        return changed | ({NAME: []} if NAME in body and (stored or is_kept) else {})

    def _is_unchanged(self, name: str, value: Any, context: Context) -> bool:
        """Return whether a value equals the presented one, also with another word for free."""
        if super()._is_unchanged(name, value, context):
            return True
        presented = context.presented
        if name != "cost" or presented is None or not isinstance(value, str):
            return False
        return bool(value) and read_cost(value, context) == read_cost(presented[name], context)

    def foreign_names(self, body: Mapping[str, Any]) -> Collection[str]:
        """Return fields in the shapes of other programs, which mean nothing here.

        Such are a recurrence without any part of ours, and custom fields that are plain texts.
        """
        names = [NAME_OF_RULES] if _is_foreign_recurrence(body.get(NAME_OF_RULES)) else []
        fields = body.get(NAME)
        plain = fields.items() if isinstance(fields, dict) else ()
        return [*names, *(f"{NAME}.{key}" for key, value in plain if _is_plain(value))]

    def drop_ignored(self, body: Values) -> Mapping[str, Any]:
        """Take a password from the body alone; in the query it unlocks.

        The page of another event is dropped as website of a new one, which is then a copy.
        """
        context, sent = body.context, dict(super().drop_ignored(body))
        for path in self.foreign_names(sent):
            name, _, key = path.partition(".")
            fields = sent.pop(name)
            if remaining := {each: fields[each] for each in fields if each != key} if key else {}:
                sent[name] = remaining
        values = {name: value for name, value in sent.items() if name != "password"}
        if "password" in sent and "password" in context.sent.body:
            values["password"] = context.sent.body["password"]
        website = decoded(str(values.get("website")))
        if not self.partial and context.addresses.is_page(self.kind.singular, website):
            del values["website"]
        return values

    @ma.post_load
    def empty_lists(self, values: Record, **_: Any) -> Record:
        """Treat ``null`` as an empty list."""
        lists = ("categories", "tags", "venues", "organizers", "accessibility", "in_language")
        return values | {name: [] for name in lists if name in values and values[name] is None}

    @ma.post_load(pass_original=True)
    def settle_registration(self, values: Record, body: Values, **_: Any) -> Record:
        """Put the times of a registration on the clocks of the event."""
        registration = values.get("registration")
        if not registration:
            return values
        context = body.context
        stored = (context.record or {}).get("timezone") if self.partial else ""
        name = values.get("timezone") or stored or context.settings.timezone
        return values | {"registration": on_clocks(registration, zone_of(name))}

    @ma.post_load
    def cleared_recurrence(self, values: Record, **_: Any) -> Record:
        """Treat ``null`` as no recurrence."""
        if values.get("recurrence", ...) is None:
            return values | {"recurrence": SentRecurrence()}
        return values


class EventRemoveSchema(LockedRemoveSchema):
    """Parameters of a delete of an event."""

    scope = OneOf(SCOPES, load_default=THIS, description=_SCOPE)
