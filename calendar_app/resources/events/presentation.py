"""Presentation of an event: language, rights, linked records."""

from collections.abc import Callable, Iterable
from typing import Any

import orjson

from calendar_app.calendar.reading.reader import unlocked
from calendar_app.domain import custom_fields
from calendar_app.domain.attendance import OFFLINE, SCHEDULED
from calendar_app.domain.cost import in_language
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import Localized
from calendar_app.domain.listing import is_hidden
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import shown_slug
from calendar_app.domain.zones import abbreviation
from calendar_app.errors import Message
from calendar_app.http.errors.messages import translated
from calendar_app.http.lists.geography import distance
from calendar_app.http.presentation.linked_data import Node
from calendar_app.http.presentation.presenting import (
    JSONObject,
    View,
    authored,
    date_details,
    date_text,
    global_ids,
    localized,
    page_address,
    translation_state,
)
from calendar_app.http.presentation.terms import present_term_in_event
from calendar_app.resources.categories.kind import CATEGORY
from calendar_app.resources.events.json_ld import json_ld
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.recurring import overridden_fields, present_facts
from calendar_app.resources.media.presentation import present_image
from calendar_app.resources.organizers import presentation as organizers
from calendar_app.resources.tags.kind import TAG
from calendar_app.resources.venues import presentation as venues

# Presents several linked records of an event.
PresentAll = Callable[..., Any]

_NO_COST: dict[str, Any] = {
    "currency_symbol": "",
    "currency_code": "",
    "currency_position": "",
    "values": [],
}
# Replaces the protected fields of an event for readers without its password.
_REDACTED: dict[str, Any] = {
    "description": "",
    "excerpt": "",
    "image": False,
    "all_day": None,
    "cost": "",
    "cost_details": _NO_COST,
    "website": "",
    "show_map": None,
    "show_map_link": None,
    "hide_from_listings": None,
    "sticky": None,
    "featured": None,
    "ticketed": None,
    "categories": [],
    "tags": [],
    "venue": [],
    "organizer": [],
    "custom_fields": [],
    "status_reason": "",
    "attendance_mode": None,
    "online_url": "",
}
# What an occurrence says of its series tells more than its dates.
_REDACTED_SERIES: dict[str, Any] = {"recurrence_id": None, "overrides": [], "series": None}


def present(event: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present an event; ``single`` adds the fields of its own route."""
    body = _present(event, view, single=single)
    if not unlocked(event, view.caller, view.password):
        series = _REDACTED_SERIES if "series" in body else {}
        return body | _REDACTED | series | _open_texts(body)
    if single and event["password"] is None:
        body["json_ld"] = json_ld(body, event, view)
    return body | distance(event)


def _present(event: Record, view: View, *, single: bool) -> JSONObject:
    texts, fields = _with_custom_fields(localized(EVENT, event, view), event, view)
    page = page_address(EVENT, event, texts, view)
    return {
        "id": event["_id"],
        **global_ids(event, view),
        **authored(event, view),
        "url": page,
        "rest_url": view.addresses.record("events", event["_id"]),
        "title": escape(texts["title"]),
        "description": texts["description"],
        "excerpt": texts["excerpt"],
        "slug": shown_slug(texts["slug"]),
        "image": present_image(event, view),
        **_times(event),
        **_cost(event, view),
        "website": escape(texts["website"]) if "website" in texts.texts else page,
        **_flags(event),
        **_links(event, view, single=single),
        custom_fields.NAME: fields or [],
        "ticketed": event["ticketed"],
        "event_status": event.get("event_status", SCHEDULED),
        "status_reason": escape(texts["status_reason"]),
        "attendance_mode": event.get("attendance_mode", OFFLINE),
        "online_url": event.get("online_url", ""),
        "feeds": view.addresses.feeds_of(EVENT.name, event["_id"], view.chain[0]),
        **translation_state(EVENT, event, texts, view),
        **_series(event, view),
    }


def _series(event: Record, view: View) -> JSONObject:
    """Present the series of an occurrence; nothing for a single event."""
    if "series" not in event:
        return {}
    facts = view.series.get(event["series"])
    # What the caller may not read of a series does not show in an event that the caller may read.
    if facts is None or (
        event["password"] is None and not unlocked(facts.record, view.caller, view.password)
    ):
        return _REDACTED_SERIES
    series = {"id": event["series"], "rest_url": view.addresses.record("series", event["series"])}
    return {
        "recurrence_id": date_text(event["recurrence_id"]),
        "overrides": overridden_fields(event, facts.record, view.linked),
        "series": series | present_facts(facts, view),
    }


def _with_custom_fields(
    texts: Localized, event: Record, view: View
) -> tuple[Localized, JSONObject]:
    """Return the custom fields, and the texts with ``fallback_fields`` completed."""
    if custom_fields.NAME not in texts.texts:
        return texts, {}
    labels = view.settings.custom_fields
    fields, is_fallback = custom_fields.localize_fields(event["variants"], view.chain, labels)
    names = tuple(name for name in texts.fallback_fields if name != custom_fields.NAME)
    fallback_fields = (*names, custom_fields.NAME) if is_fallback else names
    return Localized(texts.texts, fallback_fields), fields


def describe(event: Record, view: View) -> Node:
    """Describe an event as a JSON-LD document; see ``present``."""
    body = present(event, view, single=True)
    return body.get("json_ld") or json_ld(body, event, view)


def _open_texts(body: JSONObject) -> JSONObject:
    """Return the text fields without those behind the password."""
    texts: JSONObject = {
        "fallback_fields": [name for name in body["fallback_fields"] if name not in _REDACTED]
    }
    if "variants" in body:
        variants = {
            language: {name: text for name, text in texts.items() if name not in _REDACTED}
            for language, texts in body["variants"].items()
        }
        texts["variants"] = {language: texts for language, texts in variants.items() if texts}
    return texts


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


def _cost(event: Record, view: View) -> JSONObject:
    cost = event["cost"]
    if cost is None:
        return {"cost": "", "cost_details": _NO_COST}
    details = {
        "currency_symbol": cost["symbol"],
        "currency_code": cost["code"],
        "currency_position": cost["position"],
        "values": cost["values"],
    }
    text = in_language(cost, translated(Message("Free"), view.chain))
    return {"cost": escape(text), "cost_details": details}


def _flags(event: Record) -> JSONObject:
    return {
        "show_map": event["show_map"],
        "show_map_link": event["show_map_link"],
        "hide_from_listings": is_hidden(event["hidden"]),
        "sticky": event["sticky"],
        "featured": event["featured"],
    }


def _links(event: Record, view: View, *, single: bool) -> JSONObject:
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


def _linked(event: Record, name: str, view: View, present: PresentAll, *, single: bool) -> Any:
    """Present linked records of one kind; in a list as a cached JSON fragment."""
    records = view.linked[name]
    ids = tuple(link for link in event[name] if link in records)

    def present_records() -> Any:
        return present([records[link] for link in ids], view, single=single)

    if not view.in_list:
        return present_records()
    return view.cached(
        f"{name} of an event", ids, lambda: orjson.Fragment(orjson.dumps(present_records()))
    )


def _venues(records: list[Record], view: View, *, single: bool) -> Any:
    """Present the venues: an object if there is one, else a list."""
    places = [venues.present(venue, view, single=single) for venue in records]
    return places[0] if len(places) == 1 else places


def _organizers(records: list[Record], view: View, *, single: bool) -> list[JSONObject]:
    return [organizers.present(organizer, view, single=single) for organizer in records]


def _categories(records: list[Record], view: View, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(CATEGORY, term, view) for term in records)


def _tags(records: list[Record], view: View, **_: bool) -> list[JSONObject]:
    return _by_name(present_term_in_event(TAG, term, view) for term in records)


def _by_name(terms: Iterable[JSONObject]) -> list[JSONObject]:
    return sorted(terms, key=lambda term: (term["name"].casefold(), term["id"]))
