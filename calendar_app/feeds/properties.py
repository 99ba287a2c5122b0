"""What a table or a map says of an event: one value a name, texts without markup."""

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
_AS_SHOWN = (
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
_OF_PLACE = ("address", "zip", "city", "country")


def properties(entry: Entry) -> dict[str, Any]:
    """Return the values of one event under all ``NAMES``; lists are lists of names.

    ``language`` is the one of the title. What is not known is an empty text or ``None``.
    """
    shown = entry.shown
    found = {
        "id": shown["id"],
        "uid": str(entry.uid),
        "title": entry.title.text,
        "language": entry.title.language,
        "status_reason": decoded(shown["status_reason"]),
        **_place(entry),
        "organizer": [decoded(one["organizer"]) for one in shown["organizer"]],
        "categories": [word.text for word in entry.terms("categories")],
        "tags": [word.text for word in entry.terms("tags")],
        "cost": decoded(shown["cost"]),
        "excerpt": plain_lines(shown["excerpt"]),
        "description": plain_lines(shown["description"]),
        "image": shown["image"]["url"] if shown["image"] else "",
        "website": decoded(shown["website"]),
        **{name: shown[name] for name in _AS_SHOWN},
    }
    return {name: found[name] for name in NAMES}


def _place(entry: Entry) -> dict[str, Any]:
    place = entry.places[0] if entry.places else {}
    longitude, latitude = entry.point or (None, None)
    return {
        "venue": decoded(place.get("venue", "")),
        **{name: place.get(name, "") for name in _OF_PLACE},
        "geo_lat": latitude,
        "geo_lng": longitude,
    }
