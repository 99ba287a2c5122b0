"""Flat properties of an event for tables and maps, without markup."""

from typing import Any
from uuid import UUID

from calendar_app.domain.richtext import plain_lines
from calendar_app.presentation.records import date_text, utc_text
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
)


def properties(event: ReadEvent, uid: UUID) -> dict[str, Any]:
    """Return the values of one event by ``NAMES``; lists are lists of names.

    ``language`` is that of the title. Unknown values are empty or ``None``.
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
    }
    return {name: values[name] for name in NAMES}


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
