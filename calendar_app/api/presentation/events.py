"""Presentation of an event and of a series: language, rights, linked records."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from calendar_app.api.presentation.json_ld import event_document, series_node
from calendar_app.api.presentation.linked import (
    ORGANIZER_SHAPE,
    TERM_IN_EVENT,
    VENUE_SHAPE,
    present_organizer,
    present_term_in_event,
    present_venue,
)
from calendar_app.api.presentation.media import IMAGE, present_image
from calendar_app.api.presentation.nodes import document
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
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.calendar.reading.provenance import Publisher
from calendar_app.domain import custom_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, SERIES, TAG, event_fields
from calendar_app.domain.languages import Localized
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import shown_slug
from calendar_app.domain.statuses import ATTENDANCE_MODES, EVENT_STATUSES, is_hidden
from calendar_app.domain.texts.recurrence_text.describing import describe
from calendar_app.domain.zones import abbreviation
from calendar_app.readmodel.events import ReadEvent
from calendar_app.sources.origins import EventOrigin, origins_of

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


class _Series:
    """A series that is presented: its facts, with the recurrence as it can be sent."""

    def __init__(self, facts: SeriesFacts, view: RecordView) -> None:
        self.facts = facts
        self.id: int = facts.record["_id"]
        self.rest_url = view.context.addresses.record(SERIES.name, self.id)
        self.recurrence = as_json(facts.recurrence)
        self.text = describe(facts.recurrence, span_of(facts.record), view.context.chain[0])


_RECURRENCE: ShapeFields[_Series] = {
    "rrule": Field(
        either("string", ["string"]),
        lambda it: it.recurrence["rrule"],
        "The rule; a list where there are several, empty where there is none.",
    ),
    "rdate": Field(
        [either("string", {"type": "object"})],
        lambda it: it.recurrence["rdate"],
        "Further dates; an object where one has an end of its own.",
    ),
    "exdate": Field(
        ["string"], lambda it: it.recurrence["exdate"], "The dates on which it does not take place."
    ),
    "text": Field(
        "string", lambda it: it.text, "The rule in words, in the language of the reader."
    ),
    "next": Field(
        "string|null",
        lambda it: it.facts.next and date_text(it.facts.next),
        "When the next event starts; null after the last one.",
    ),
    "count": Field("integer", lambda it: it.facts.count, "How many events the reader can see."),
    "dates_from": Field(
        "string|null",
        lambda it: it.facts.dates_from and date_text(it.facts.dates_from),
        "The date from which all have events; null: the first.",
    ),
}
_SERIES_IN_EVENT = Shape[_Series](
    "SeriesInEvent",
    {
        "id": Field("integer", lambda it: it.id, "The id of the series."),
        "rest_url": Field(
            "string", lambda it: it.rest_url, "The address of the series in this interface."
        ),
        **_RECURRENCE,
    },
)


class _PresentedEvent(Presented[ReadEvent]):
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


def _time(stored: str, present: Callable[[Any], Any]) -> Callable[[_PresentedEvent], Any]:
    return lambda it: present(it.record[stored])


def _times() -> ShapeFields[_PresentedEvent]:
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


def _website(it: _PresentedEvent) -> str:
    return escape(it.texts["website"]) if "website" in it.texts else it.read.url


def _linked(name: str, present: PresentAll) -> Callable[[_PresentedEvent], Any]:
    """Return a presenter of linked records of one kind; in a list of one JSON fragment."""

    def value(it: _PresentedEvent) -> Any:
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


def _of_series(present: Callable[[_PresentedEvent], Any], otherwise: Any) -> Any:
    """Return a presenter that shows an occurrence ``otherwise`` if its series is hidden."""

    def value(it: _PresentedEvent) -> Any:
        if "series" not in it.record:
            return ABSENT
        return present(it) if it.read.series else otherwise

    return value


def _series(it: _PresentedEvent) -> Any:
    facts = it.read.series
    return facts and _SERIES_IN_EVENT.present(_Series(facts, it.view))


_SOURCE = Shape[EventOrigin](
    "EventSource",
    {
        "id": Field("integer", lambda it: it.source, "The id of the source."),
        "uid": Field("string", lambda it: it.uid, "The UID of the event there."),
        "url": Field("string", lambda it: it.url, "Its page there; empty without one."),
        "read": Field(
            "string|null",
            lambda it: it.read and date_text(it.read),
            "When it last changed there, according to the readings, in UTC.",
        ),
        "missing": Field(
            "boolean", lambda it: it.is_missing, "Whether it is missing from the source now."
        ),
        "edited": Field(["string"], lambda it: list(it.edited), "What was edited here."),
        "said": Field(by_name({}), lambda it: it.said, "What the source says instead, by field."),
    },
)


_PROVENANCE = Shape[Publisher](
    "Provenance",
    {
        "name": Field("string", lambda it: it.name, "Who publishes the event."),
        "url": Field("string", lambda it: it.url, "Their website; empty without one."),
        "license": Field("string", lambda it: it.license, "The license of the event."),
        "attribution": Field("string", lambda it: it.attribution, "The credit line to show."),
    },
)


def _provenance(it: _PresentedEvent) -> Any:
    """Present the publishers: an object if there is one, else a list."""
    publishers = [_PROVENANCE.present(each) for each in it.read.publishers]
    distinct = [each for n, each in enumerate(publishers) if each not in publishers[:n]]
    if not distinct:
        return ABSENT
    return distinct[0] if len(distinct) == 1 else distinct


def _sources(it: _PresentedEvent) -> Any:
    """Present the sources to who may edit: an object if there is one, else a list."""
    if not it.read.may_edit(it.kind):
        return ABSENT
    facts = it.read.series
    origins = origins_of(it.kind, it.record, facts.record if facts else None)
    sources = [_SOURCE.present(each) for each in origins]
    if not sources:
        return ABSENT
    return sources[0] if len(sources) == 1 else sources


_CUSTOM_FIELD = {
    "type": "object",
    "properties": {
        part: {"type": "string", "description": meaning}
        for part, meaning in custom_fields.PARTS.items()
    },
}


def _flag(name: str) -> Callable[[_PresentedEvent], bool | None]:
    return lambda it: it.read.flag(name)


_PLAIN: ShapeFields[_PresentedEvent] = {
    **{
        text.name: Field("string", escaped(text.name), text.description)
        for text in event_fields.PLAIN_TEXTS
    },
    **{
        flag.name: Field("boolean|null", _flag(flag.attribute), flag.description)
        for flag in event_fields.PLAIN_FLAGS
    },
}
_EVENT: ShapeFields[_PresentedEvent] = {
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
    "source": Field(
        either(_SOURCE, [_SOURCE]),
        _sources,
        "The source it comes from, for those who may edit it; a list if there are several.",
        sometimes=True,
    ),
    "provenance": Field(
        either(_PROVENANCE, [_PROVENANCE]),
        _provenance,
        "The publisher, if its source names one; a list if there are several.",
        sometimes=True,
    ),
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
        either(_SERIES_IN_EVENT, "null"),
        _of_series(_series, None),
        "The series that it belongs to; null for a single event.",
        sometimes=True,
    ),
    **json_ld(lambda it: None if it.record["password"] else event_document(it.read)),
    **DISTANCE,
}
EVENT_SHAPE = Shape("Event", _EVENT)
# The notation of what a locked event does not tell, besides texts and links.
_LOCKED: dict[str, Any] = {
    "website": "",
    **{field.name: None for field in event_fields.FLAGS if not field.is_open},
}


def present_event(
    event: Record, view: RecordView, *, single: bool = False, shape: Shape[Any] = EVENT_SHAPE
) -> JSONObject:
    """Present an event; ``single`` adds the fields of its own route."""
    return _present(shape, _PresentedEvent(EVENT, event, view, single=single))


def present_series(
    series: Record,
    view: RecordView,
    *,
    single: bool = False,
    shape: Shape[Any] | None = None,
) -> JSONObject:
    """Present a series as its first event, with the recurrence in place of feeds."""
    return _present(shape or SERIES_SHAPE, _PresentedSeries(series, view, single=single))


def _present(shape: Shape[Any], it: _PresentedEvent) -> JSONObject:
    body = shape.present(it)
    if it.read.is_locked:
        body |= {name: value for name, value in _LOCKED.items() if name in body}
        body.pop("distance", None)
    return body


class _PresentedSeries(_PresentedEvent):
    """A series that is presented; a locked one tells nothing of its recurrence."""

    def __init__(self, record: Record, view: RecordView, *, single: bool) -> None:
        super().__init__(SERIES, record, view, single=single)
        facts = view.context.series.get(record["_id"])
        self.series = None if facts is None or self.read.is_locked else _Series(facts, view)


def _series_document(it: _PresentedSeries) -> JSONObject | None:
    if it.series is None or it.record["password"] is not None:
        return None
    return document(series_node(it.series.facts, it.read.title.text, it.read.url))


def _of_recurrence(field: Field[_Series]) -> Callable[[_PresentedSeries], Any]:
    return lambda it: field.value(it.series) if it.series else ABSENT


_NOT_OF_SERIES = {"feeds", "recurrence_id", "overrides", "series", "json_ld", "distance"}
SERIES_SHAPE = Shape[_PresentedSeries](
    "Series",
    {
        **{name: field for name, field in _EVENT.items() if name not in _NOT_OF_SERIES},
        "events_url": Field(
            "string",
            lambda it: f"{it.context.addresses.record(SERIES.name, it.read.id)}/events",
            "The address of the list of its events.",
        ),
        **json_ld(_series_document),
        "recurrence": Field(
            "object",
            lambda it: it.series.recurrence if it.series else ABSENT,
            "In the form in which it can be sent.",
            sometimes=True,
        ),
        **{
            name: Field(field.type, _of_recurrence(field), field.meaning, sometimes=True)
            for name, field in _RECURRENCE.items()
        },
        "dates_until": Field(
            "string",
            lambda it: date_text(it.record["expanded_until"]) if it.series else ABSENT,
            "The time up to which its dates have events.",
            sometimes=True,
        ),
    },
)
