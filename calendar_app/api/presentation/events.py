"""Presentation of an event: language, rights, linked records."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calendar_app.api.presentation.json_ld import event_document
from calendar_app.api.presentation.linked import (
    ORGANIZER_SHAPE,
    TERM_IN_EVENT,
    VENUE_SHAPE,
    present_organizer,
    present_term_in_event,
    present_venue,
)
from calendar_app.api.presentation.media import IMAGE, present_image
from calendar_app.api.presentation.origins import ORIGINS
from calendar_app.api.presentation.participation import PARTICIPATION
from calendar_app.api.presentation.records import (
    AUTHORED,
    DATE_DETAILS,
    DISTANCE,
    GLOBAL_IDS,
    TRANSLATED,
    Presented,
    RecordView,
    date_details,
    date_text,
    escaped,
    field_names,
    json_ld,
    stored,
    text,
)
from calendar_app.api.presentation.recurrence import SERIES_IN_EVENT, PresentedRecurrence
from calendar_app.api.presentation.shapes import (
    ABSENT,
    Field,
    JSONObject,
    Shape,
    ShapeFields,
    Type,
    by_name,
    either,
)
from calendar_app.domain import custom_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, TAG, event_fields
from calendar_app.domain.languages import Localized
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import shown_slug
from calendar_app.domain.statuses import ATTENDANCE_MODES, EVENT_STATUSES, is_hidden
from calendar_app.domain.zones import abbreviation
from calendar_app.readmodel.events import ReadEvent

# Presents several linked records of an event.
PresentAll = Callable[..., Any]


def field_names_of(paths: Iterable[str]) -> list[str]:
    """Return the names of the fields at stored paths in which an event differs from its series.

    A text counts in whichever language it differs; a language that the event lacks alone is
    called ``translations``.
    """
    return list(dict.fromkeys(name for path in paths for name in _names(path)))


def _names(path: str) -> tuple[str, ...]:
    first, _, rest = path.partition(".")
    if first == "variants":
        return (rest.partition(".")[2] or "translations",)
    return field_names(EVENT, path)


class PresentedEvent(Presented[ReadEvent]):
    """An event or a series that is presented, with its custom fields."""

    def __init__(self, kind: Kind, event: Record, view: RecordView, *, single: bool) -> None:
        super().__init__(kind, ReadEvent(event, view.context), view, single=single)
        self.texts, self.custom_fields = _with_custom_fields(self.texts, self.read)
        # A series shows places and people as its events do in a list.
        self.links_single = single and kind is EVENT


def _with_custom_fields(texts: Localized, event: ReadEvent) -> tuple[Localized, JSONObject]:
    """Return the custom fields, and the texts with ``fallback_fields`` completed."""
    if custom_fields.NAME not in texts:
        return texts, {}
    context = event.context
    fields, is_fallback = custom_fields.localize_fields(
        event.record["variants"], context.chain, context.settings.custom_fields
    )
    names = tuple(name for name in texts.fallback_fields if name != custom_fields.NAME)
    fallback_fields = (*names, custom_fields.NAME) if is_fallback else names
    return Localized(texts, fallback_fields), fields


def _time(stored: str, present: Callable[[Any], Any]) -> Callable[[PresentedEvent], Any]:
    return lambda it: present(it.record[stored])


def _times() -> ShapeFields[PresentedEvent]:
    """Return the fields of start and end, each as a text and in its parts."""
    return {
        f"{name}{suffix}": Field(type_, _time(stored, present), f"{meaning}{in_parts}.")
        for name, stored, meaning in (
            ("start_date", "start_local", "When it starts, on the clock of its time zone"),
            ("end_date", "end_local", "When it ends, on the clock of its time zone"),
            ("utc_start_date", "start", "When it starts, in UTC"),
            ("utc_end_date", "end", "When it ends, in UTC"),
        )
        for suffix, type_, present, in_parts in (
            ("", "string", date_text, ""),
            ("_details", DATE_DETAILS, date_details, ", in parts"),
        )
    }


def _part(name: str) -> Callable[[Record | None], str]:
    return lambda it: it[name] if it else ""


_COST_DETAILS = Shape[Record | None](
    "CostDetails",
    {
        "currency_symbol": Field("string", _part("symbol"), "The symbol of the currency."),
        "currency_code": Field("string", _part("code"), "The code of the currency (ISO 4217)."),
        "currency_position": Field(
            ("prefix", "postfix", ""), _part("position"), "Where the symbol of the currency stands."
        ),
        "values": Field(
            ["string"], lambda it: it["values"] if it else [], "The numbers in the price."
        ),
    },
)


def _website(it: PresentedEvent) -> str:
    return escape(it.texts["website"]) if "website" in it.texts else it.read.url


def _linked(name: str, present: PresentAll) -> Callable[[PresentedEvent], Any]:
    """Return a presenter of linked records of one kind; in a list of one JSON fragment."""

    def value(it: PresentedEvent) -> Any:
        records, fragments, single = it.read.linked(name), it.context.fragments, it.links_single
        if not it.view.in_list:
            return present(records, it.view, single=single)
        version = b""
        if fragments is not None:
            linked = it.context.linked
            version = b"".join(
                fragments.linked_version(name, record["_id"], linked) for record in records
            )
        return it.view.fragment(
            f"{name} of an event", version, lambda: present(records, it.view, single=single)
        )

    return value


def _venues(records: list[Record], view: RecordView, *, single: bool) -> Any:
    """Present the venues: an object if there is one, else a list."""
    places = [present_venue(venue, view, single=single) for venue in records]
    return places[0] if len(places) == 1 else places


def _organizers(records: list[Record], view: RecordView, *, single: bool) -> list[JSONObject]:
    return [present_organizer(organizer, view, single=single) for organizer in records]


def _categories(records: list[Record], view: RecordView, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(CATEGORY, term, view) for term in records)


def _tags(records: list[Record], view: RecordView, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(TAG, term, view) for term in records)


def _by_name(terms: Iterable[JSONObject]) -> list[JSONObject]:
    return sorted(terms, key=lambda term: (term["name"].casefold(), term["id"]))


def feeds_schema(types: Mapping[str, str]) -> Type:
    """Return the schema of the addresses of feeds of these media types, by suffix."""
    properties = {suffix: {"type": "string", "description": of} for suffix, of in types.items()}
    return {**by_name({}), "properties": properties}


def _of_series(present: Callable[[PresentedEvent], Any], otherwise: Any) -> Any:
    """Return a presenter that shows an occurrence ``otherwise`` if its series is hidden."""

    def value(it: PresentedEvent) -> Any:
        if "series" not in it.record:
            return ABSENT
        return present(it) if it.read.series else otherwise

    return value


def _series(it: PresentedEvent) -> Any:
    facts = it.read.series
    return facts and SERIES_IN_EVENT.present(PresentedRecurrence(facts, it.view))


_CUSTOM_FIELD = {
    "type": "object",
    "properties": {
        part: {"type": "string", "description": meaning}
        for part, meaning in custom_fields.PARTS.items()
    },
}


def _flag(name: str) -> Callable[[PresentedEvent], bool | None]:
    return lambda it: it.read.flag(name)


_PLAIN: ShapeFields[PresentedEvent] = {
    **{
        text.name: Field("string", escaped(text.name), text.description)
        for text in event_fields.PLAIN_TEXTS
    },
    **{
        flag.name: Field("boolean|null", _flag(flag.attribute), flag.description)
        for flag in event_fields.PLAIN_FLAGS
    },
}
EVENT_FIELDS: ShapeFields[PresentedEvent] = {
    "id": Field("integer", stored("_id"), "The id of the event."),
    **GLOBAL_IDS,
    **AUTHORED,
    "url": Field("string", lambda it: it.read.url, "The page of the event."),
    "rest_url": Field(
        "string",
        lambda it: it.context.addresses.record(it.kind.name, it.read.id),
        "The address of the event in this interface.",
    ),
    "title": Field("string", escaped("title"), "The title, as HTML text."),
    "description": Field("string", text("description"), "The description, as HTML."),
    "excerpt": Field("string", text("excerpt"), "A short description, as HTML."),
    "slug": Field(
        "string",
        lambda it: shown_slug(it.texts.get("slug", "")),
        "The name of the event in addresses.",
    ),
    "image": Field(
        either(IMAGE, "boolean"),
        lambda it: present_image(it.read, it.view),
        "The picture; false where there is none.",
    ),
    "all_day": Field("boolean|null", stored("all_day"), "Whether it lasts the whole day."),
    **_times(),
    "timezone": Field(
        "string",
        stored("timezone"),
        "The time zone of the event, by its name in the IANA database.",
    ),
    "timezone_abbr": Field(
        "string",
        lambda it: abbreviation(it.record["timezone"], it.record["start"]),
        "The abbreviation of the time zone at the start of the event.",
    ),
    "cost": Field(
        "string",
        lambda it: escape(it.read.cost_text),
        "The price as text; empty where none was given.",
    ),
    "cost_details": Field(
        _COST_DETAILS, lambda it: _COST_DETAILS.present(it.read.cost), "The price in parts."
    ),
    "website": Field("string", _website, "A web page about the event."),
    "show_map": Field("boolean|null", stored("show_map"), "Whether its page shows a map."),
    "show_map_link": Field(
        "boolean|null", stored("show_map_link"), "Whether its page links to a map."
    ),
    "hide_from_listings": Field(
        "boolean|null", lambda it: is_hidden(it.record["hidden"]), "Whether lists leave it out."
    ),
    "sticky": Field(
        "boolean|null", stored("sticky"), "Whether it comes first in the lists of its day."
    ),
    "featured": Field("boolean|null", stored("featured"), "Whether it is highlighted."),
    "categories": Field([TERM_IN_EVENT], _linked("categories", _categories), "Its categories."),
    "tags": Field([TERM_IN_EVENT], _linked("tags", _tags), "Its tags."),
    "venue": Field(
        either(VENUE_SHAPE, [VENUE_SHAPE]),
        _linked("venues", _venues),
        "An object; a list where there are none or several.",
    ),
    "organizer": Field([ORGANIZER_SHAPE], _linked("organizers", _organizers), "Its organizers."),
    custom_fields.NAME: Field(
        either(by_name(_CUSTOM_FIELD), {"type": "array", "maxItems": 0, "items": {}}),
        lambda it: it.custom_fields or [],
        "Label and value by key; an empty list where there are none.",
    ),
    "ticketed": Field("boolean|null", stored("ticketed"), "Whether tickets are sold for it."),
    "event_status": Field(
        EVENT_STATUSES, lambda it: it.read.status, "Whether it takes place as planned."
    ),
    "status_reason": Field(
        "string",
        escaped("status_reason"),
        "Why it is canceled or postponed, or where it has moved.",
    ),
    "attendance_mode": Field(
        (*ATTENDANCE_MODES, None),
        lambda it: it.read.attendance_mode,
        "Whether people come, follow it online, or both.",
    ),
    "online_url": Field(
        "string", lambda it: it.read.online_url, "The address where it can be followed online."
    ),
    # As The Events Calendar's add-on for virtual events names them.
    "is_virtual": Field(
        "boolean",
        lambda it: it.read.is_online,
        "Whether it can be followed online: see `attendance_mode`.",
    ),
    "virtual_url": Field("string", lambda it: it.read.online_url, "The same as `online_url`."),
    **PARTICIPATION,
    **_PLAIN,
    "feeds": Field(
        feeds_schema({"ics": "text/calendar"}),
        lambda it: it.context.addresses.feeds_of(EVENT.name, it.read.id, it.context.chain[0]),
        "To subscribe to.",
    ),
    **TRANSLATED,
    **ORIGINS,
    "recurrence_id": Field(
        "string|null",
        _of_series(lambda it: date_text(it.record["recurrence_id"]), None),
        "For an event of a series: its start according to the rule.",
        sometimes=True,
    ),
    "overrides": Field(
        ["string"],
        _of_series(lambda it: field_names_of(it.read.overrides), []),
        "The fields that differ from the series.",
        sometimes=True,
    ),
    "series": Field(
        either(SERIES_IN_EVENT, "null"),
        _of_series(_series, None),
        "The series that it belongs to; null for a single event.",
        sometimes=True,
    ),
    **json_ld(lambda it: None if it.record["password"] else event_document(it.read)),
    **DISTANCE,
}
EVENT_SHAPE = Shape("Event", EVENT_FIELDS)
# The notation of what a locked event does not tell, besides texts and links.
_LOCKED: dict[str, Any] = {
    "website": "",
    **{field.name: None for field in event_fields.FLAGS if not field.is_open},
}


def present_event(
    event: Record, view: RecordView, *, single: bool = False, shape: Shape[Any] = EVENT_SHAPE
) -> JSONObject:
    """Present an event; ``single`` adds the fields of its own route."""
    return present_as(shape, PresentedEvent(EVENT, event, view, single=single))


def present_as(shape: Shape[Any], it: PresentedEvent) -> JSONObject:
    """Present an event or a series in a shape, without what a locked one keeps to itself."""
    body = shape.present(it)
    if it.read.is_locked:
        body |= {name: value for name, value in _LOCKED.items() if name in body}
        body.pop("distance", None)
    return body
