"""Flat properties of events, without markup: GeoJSON (RFC 7946) for maps, CSV for spreadsheets."""

import csv
from codecs import BOM_UTF8
from dataclasses import replace
from io import StringIO
from typing import Any
from unicodedata import category, normalize
from uuid import UUID

import orjson

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.presentation.records import date_text, utc_text
from calendar_app.domain import custom_fields
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.richtext import plain, plain_lines
from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.feed import Feed, Format
from calendar_app.readmodel.events import ReadEvent

# In this order in a table.
NAMES = (
    "id",
    "uid",
    "title",
    "start_date",
    "end_date",
    "utc_start_date",
    "utc_end_date",
    "timezone",
    "all_day",
    "event_status",
    "status_reason",
    "attendance_mode",
    "online_url",
    "venue",
    "address",
    "zip",
    "city",
    "country",
    "geo_lat",
    "geo_lng",
    "organizer",
    "categories",
    "tags",
    "cost",
    "excerpt",
    "description",
    "image",
    "url",
    "website",
    "language",
    "modified_utc",
    "ai_disclosure",
    *("accessibility", "in_language", "min_age", "max_age", "audience", "registration_url"),
    *(field.name for field in event_fields.PLAIN),
    custom_fields.NAME,
)


def properties(event: ReadEvent, uid: UUID) -> dict[str, Any]:
    """Return the values of one event by ``NAMES``; lists are lists of names.

    ``language`` is that of the title, ``ai_disclosure`` the word for texts of machines. Unknown
    values are empty or ``None``.
    """
    record, picture = event.record, event.picture
    values = {
        "id": event.id,
        "uid": str(uid),
        "title": event.title.text,
        "language": event.title.language,
        "start_date": date_text(event.start),
        "end_date": date_text(event.end),
        "utc_start_date": date_text(record["start"]),
        "utc_end_date": date_text(record["end"]),
        "timezone": record["timezone"],
        "all_day": None if event.is_locked else record["all_day"],
        "event_status": event.status,
        "status_reason": event.status_reason.text,
        "attendance_mode": event.attendance_mode,
        "online_url": event.online_url,
        **_place(event),
        "organizer": [organizer.name.text for organizer in event.organizers],
        "categories": [term.name.text for term in event.categories],
        "tags": [term.name.text for term in event.tags],
        "cost": event.cost_text,
        "excerpt": plain_lines(event.excerpt.text),
        "description": plain_lines(event.description.text),
        "image": picture.full.url if picture else "",
        "url": event.url,
        "website": "" if event.is_locked else event.website or event.url,
        "modified_utc": utc_text(record, "modified"),
        "ai_disclosure": event.shown_disclosure,
        **_participation(event),
        **{text.name: plain(event.text(text.name).text) for text in event_fields.PLAIN_TEXTS},
        **{flag.name: event.flag(flag.attribute) for flag in event_fields.PLAIN_FLAGS},
        custom_fields.NAME: [
            f"{each.label}: {plain(each.text.text)}" for each in event.custom_fields
        ],
    }
    return {name: values[name] for name in NAMES}


def _participation(event: ReadEvent) -> dict[str, Any]:
    audience, registration = event.audience or {}, event.registration or {}
    return {
        "accessibility": list(event.accessibility),
        "in_language": list(event.in_language),
        "min_age": audience.get("min_age"),
        "max_age": audience.get("max_age"),
        "audience": list(audience.get("groups", ())),
        "registration_url": registration.get("url", ""),
    }


def _place(event: ReadEvent) -> dict[str, Any]:
    place = event.places[0] if event.places else None
    longitude, latitude = event.point or (None, None)
    return {
        "venue": place.name.text if place else "",
        "address": place.line("address").text if place else "",
        "zip": place.zip if place else "",
        "city": place.line("city").text if place else "",
        "country": place.line("country").text if place else "",
        "geo_lat": latitude,
        "geo_lng": longitude,
    }


# GeoJSON (RFC 7946).

_SEPARATOR, _END = b",", b"]}"
# What the geometry says already.
_IN_GEOMETRY = {"id", "geo_lat", "geo_lng"}


def _geojson_head(feed: Feed) -> bytes:
    """Return the bytes before the first feature.

    Name, language and next page are foreign members (RFC 7946 section 6.1).
    """
    collection = {
        "type": "FeatureCollection",
        "name": feed.title,
        "language": feed.language,
        **({"next": feed.next_url} if feed.next_url else {}),
        "features": [],
    }
    return orjson.dumps(collection).removesuffix(_END)


def _feature(event: ReadEvent, _: Stamp, feed: Feed) -> bytes:
    """Return an event as a feature; without coordinates it has no geometry."""
    point = {"type": "Point", "coordinates": event.point} if event.point else None
    uid = feed.uid_of(event.id)
    values = {n: value for n, value in properties(event, uid).items() if n not in _IN_GEOMETRY}
    feature = {
        "type": "Feature",
        "id": event.id,
        "geometry": point,
        "properties": values,
    }
    return orjson.dumps(feature)


# CSV (RFC 4180).

# Spreadsheets evaluate texts that begin with one of these, also in full width.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
# Unicode categories of invisible characters, for example U+200B, and of spaces.
_INVISIBLE = ("Cf", "Mn", "Zs")
_TEXT_MARK = "'"


def _header(feed: Feed) -> bytes:
    """Return the header line."""
    del feed
    return _line(NAMES)


def _row(event: ReadEvent, _: Stamp, feed: Feed) -> bytes:
    """Return an event as a line."""
    return _line(_cell(value) for value in properties(event, feed.uid_of(event.id)).values())


def _cell(value: Any) -> Any:
    """Return a value as a cell; formulas are escaped."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return value
        case list():
            return _cell("; ".join(value))
        case _:
            text = str(value)
            return f"{_TEXT_MARK}{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet may evaluate a text as a formula."""
    visible = (character for character in text if category(character) not in _INVISIBLE)
    return normalize("NFKC", next(visible, "")).startswith(_FORMULA_SIGNS)


def _line(cells: Any) -> bytes:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()


GEOJSON = Format(
    "geojson", FEED_TYPES["geojson"], _geojson_head, _feature, separator=_SEPARATOR, end=_END
)
CSV = Format("csv", FEED_TYPES["csv"], _header, _row, disposition="attachment")
# Excel takes a table for one in Windows-1252 unless a byte order mark says otherwise.
CSV_WITH_BOM = replace(CSV, head=lambda feed: BOM_UTF8 + _header(feed))
