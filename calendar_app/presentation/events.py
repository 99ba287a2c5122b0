"""Presentation of an event and of a series: language, rights, linked records."""

from collections.abc import Callable, Iterable
from typing import Any

from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.content.recurrence_text.describing import describe
from calendar_app.domain import custom_fields
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import Localized
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import shown_slug
from calendar_app.domain.statuses import is_hidden
from calendar_app.domain.zones import abbreviation
from calendar_app.kinds import CATEGORY, EVENT, SERIES, TAG
from calendar_app.presentation.json_ld import document, event_document, series_node
from calendar_app.presentation.linked import (
    present_organizer,
    present_term_in_event,
    present_venue,
)
from calendar_app.presentation.media import present_image
from calendar_app.presentation.records import (
    JSONObject,
    View,
    authored,
    date_details,
    date_text,
    distance,
    field_names,
    global_ids,
    translation_state,
)
from calendar_app.readmodel.events import ReadEvent


def field_names_of(paths: Iterable[str]) -> list[str]:
    """Return the names of the fields at stored paths in which an event differs from its series.

    A text counts in whichever language it differs; a language that the event lacks alone is
    called ``translations``.
    """
    return list(dict.fromkeys(name for path in paths for name in _names(path)))


def present_facts(facts: SeriesFacts, view: View) -> JSONObject:
    """Present the recurrence of a series, its next date, number and first of all its events."""
    return {
        **as_json(facts.recurrence),
        "text": describe(facts.recurrence, span_of(facts.record), view.context.chain[0]),
        "next": facts.next and date_text(facts.next),
        "count": facts.count,
        "dates_from": facts.dates_from and date_text(facts.dates_from),
    }


def _names(path: str) -> tuple[str, ...]:
    first, _, rest = path.partition(".")
    if first == "variants":
        return (rest.partition(".")[2] or "translations",)
    return field_names(EVENT, path)


# Presents several linked records of an event.
PresentAll = Callable[..., Any]

_NO_COST: dict[str, Any] = {
    "currency_symbol": "",
    "currency_code": "",
    "currency_position": "",
    "values": [],
}
# The notation of what a locked event does not tell, besides texts and links.
_LOCKED: dict[str, Any] = {
    "all_day": None,
    "website": "",
    "show_map": None,
    "show_map_link": None,
    "hide_from_listings": None,
    "sticky": None,
    "featured": None,
    "ticketed": None,
}
_NO_SERIES: dict[str, Any] = {"recurrence_id": None, "overrides": [], "series": None}


def present_event(event: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present an event; ``single`` adds the fields of its own route."""
    read = ReadEvent(event, view.context)
    body = _event(read, view, single=single)
    if read.is_locked:
        return body | _LOCKED
    if single and event["password"] is None:
        body["json_ld"] = event_document(read)
    return body | distance(event)


def _event(event: ReadEvent, view: View, *, single: bool) -> JSONObject:
    record, texts = event.record, event.localized(EVENT.translatable)
    texts, fields = _with_custom_fields(texts, event)
    return {
        "id": event.id,
        **global_ids(record, view),
        **authored(record, view),
        "url": event.url,
        "rest_url": view.context.addresses.record("events", event.id),
        "title": escape(texts["title"]),
        "description": texts["description"],
        "excerpt": texts["excerpt"],
        "slug": shown_slug(texts["slug"]),
        "image": present_image(event, view),
        **_times(record),
        **_cost(event),
        "website": escape(texts["website"]) if "website" in texts else event.url,
        **_flags(record),
        **_links(event, view, single=single),
        custom_fields.NAME: fields or [],
        "ticketed": record["ticketed"],
        "event_status": event.status,
        "status_reason": escape(texts["status_reason"]),
        "attendance_mode": event.attendance_mode,
        "online_url": event.online_url,
        "feeds": view.context.addresses.feeds_of(EVENT.name, event.id, view.context.chain[0]),
        **translation_state(EVENT, event, texts, view),
        **_series(event, view),
    }


def _series(event: ReadEvent, view: View) -> JSONObject:
    """Present the series of an occurrence; nothing for a single event."""
    if "series" not in event.record:
        return {}
    facts = event.series
    if facts is None:
        return _NO_SERIES
    number = event.record["series"]
    series = {"id": number, "rest_url": view.context.addresses.record("series", number)}
    return {
        "recurrence_id": date_text(event.record["recurrence_id"]),
        "overrides": field_names_of(event.overrides),
        "series": series | present_facts(facts, view),
    }


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


def _times(event: Record) -> JSONObject:
    times: JSONObject = {"all_day": event["all_day"]}
    for name, field in (
        ("start_date", "start_local"),
        ("end_date", "end_local"),
        ("utc_start_date", "start"),
        ("utc_end_date", "end"),
    ):
        times[name] = date_text(event[field])
        times[f"{name}_details"] = date_details(times[name])
    times["timezone"] = event["timezone"]
    times["timezone_abbr"] = abbreviation(event["timezone"], event["start"])
    return times


def _cost(event: ReadEvent) -> JSONObject:
    cost = event.cost
    if cost is None:
        return {"cost": "", "cost_details": _NO_COST}
    details = {
        "currency_symbol": cost["symbol"],
        "currency_code": cost["code"],
        "currency_position": cost["position"],
        "values": cost["values"],
    }
    return {"cost": escape(event.cost_text), "cost_details": details}


def _flags(event: Record) -> JSONObject:
    return {
        "show_map": event["show_map"],
        "show_map_link": event["show_map_link"],
        "hide_from_listings": is_hidden(event["hidden"]),
        "sticky": event["sticky"],
        "featured": event["featured"],
    }


def _links(event: ReadEvent, view: View, *, single: bool) -> JSONObject:
    """Present the linked records that the caller may read."""
    return {
        field: _linked(event, name, view, present, single=single)
        for field, name, present in (
            ("categories", "categories", _categories),
            ("tags", "tags", _tags),
            ("venue", "venues", _venues),
            ("organizer", "organizers", _organizers),
        )
    }


def _linked(event: ReadEvent, name: str, view: View, present: PresentAll, *, single: bool) -> Any:
    """Present linked records of one kind; in a list as one JSON fragment."""
    records, fragments = event.linked(name), view.context.fragments
    if not view.in_list:
        return present(records, view, single=single)
    version = b""
    if fragments is not None:
        linked = view.context.linked
        version = b"".join(
            fragments.linked_version(name, record["_id"], linked) for record in records
        )
    return view.fragment(
        f"{name} of an event", version, lambda: present(records, view, single=single)
    )


def _venues(records: list[Record], view: View, *, single: bool) -> Any:
    """Present the venues: an object if there is one, else a list."""
    places = [present_venue(venue, view, single=single) for venue in records]
    return places[0] if len(places) == 1 else places


def _organizers(records: list[Record], view: View, *, single: bool) -> list[JSONObject]:
    return [present_organizer(organizer, view, single=single) for organizer in records]


def _categories(records: list[Record], view: View, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(CATEGORY, term, view) for term in records)


def _tags(records: list[Record], view: View, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(TAG, term, view) for term in records)


def _by_name(terms: Iterable[JSONObject]) -> list[JSONObject]:
    return sorted(terms, key=lambda term: (term["name"].casefold(), term["id"]))


_NAME = SERIES.name


def present_series(series: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a series as its first event, with the recurrence in place of feeds."""
    body = present_event(series, view)
    translations = {
        language: state
        | {"rest_url": view.context.addresses.translated_record(_NAME, series["_id"], language)}
        for language, state in body["translations"].items()
    }
    body |= {
        "rest_url": view.context.addresses.record(_NAME, series["_id"]),
        "events_url": f"{view.context.addresses.record(_NAME, series['_id'])}/events",
        "translations": translations,
    }
    del body["feeds"]
    facts = view.context.series.get(series["_id"])
    read = ReadEvent(series, view.context)
    if facts is None or read.is_locked:
        return body
    if single and series["password"] is None:
        body["json_ld"] = document(series_node(facts, read.title.text, read.url))
    return body | {"recurrence": as_json(facts.recurrence)} | present_facts(facts, view)
