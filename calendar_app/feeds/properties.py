"""Flat properties of an event for tables and maps, without markup."""

from typing import Any

from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.feeds.entry import Entry

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
_UNCHANGED = (
    "start_date",
    "end_date",
    "utc_start_date",
    "utc_end_date",
    "timezone",
    "all_day",
    "event_status",
    "attendance_mode",
    "online_url",
    "url",
    "modified_utc",
)
_ADDRESS_FIELDS = ("address", "zip", "city", "country")


def properties(entry: Entry) -> dict[str, Any]:
    """Return the values of one event by ``NAMES``; lists are lists of names.

    ``language`` is that of the title. Unknown values are empty or ``None``.
    """
    event_json = entry.event_json
    values = {
        "id": event_json["id"],
        "uid": str(entry.uid),
        "title": entry.title.text,
        "language": entry.title.language,
        "status_reason": decoded(event_json["status_reason"]),
        **_place(entry),
        "organizer": [decoded(organizer["organizer"]) for organizer in event_json["organizer"]],
        "categories": [term.text for term in entry.terms("categories")],
        "tags": [term.text for term in entry.terms("tags")],
        "cost": decoded(event_json["cost"]),
        "excerpt": plain_lines(event_json["excerpt"]),
        "description": plain_lines(event_json["description"]),
        "image": event_json["image"]["url"] if event_json["image"] else "",
        "website": decoded(event_json["website"]),
        **{name: event_json[name] for name in _UNCHANGED},
    }
    return {name: values[name] for name in NAMES}


def _place(entry: Entry) -> dict[str, Any]:
    place = entry.places[0] if entry.places else {}
    longitude, latitude = entry.point or (None, None)
    return {
        "venue": decoded(place.get("venue", "")),
        **{name: place.get(name, "") for name in _ADDRESS_FIELDS},
        "geo_lat": latitude,
        "geo_lng": longitude,
    }
