"""Events as search engines want them: what Google publishes as required and as recommended.

The tables are those of https://developers.google.com/search/docs/appearance/structured-data/event,
by path: what is a dot deeper belongs to the thing before it. What is online is in the table as long
as Google spoke of it there.
"""

import re
from datetime import date, datetime

import pytest

pytestmark = pytest.mark.without_mongodb

SCHEMA = "https://schema.org"
# What Google refuses to show an event without, for people who come and who follow online.
REQUIRED = {
    "name": "text",
    "startDate": "moment",
    "location": "Place",
    "location.address": "PostalAddress",
}
REQUIRED_ONLINE = {
    "name": "text",
    "startDate": "moment",
    "location": "VirtualLocation",
    "location.url": "address",
    "eventAttendanceMode": "EventAttendanceMode",
}
RECOMMENDED = {
    "description": "text",
    "endDate": "moment",
    "eventAttendanceMode": "EventAttendanceMode",
    "eventStatus": "EventStatus",
    "image": "picture",
    "location.name": "text",
    "offers": "Offer",
    "offers.availability": "Availability",
    "offers.price": "price",
    "offers.priceCurrency": "currency",
    "offers.validFrom": "moment",
    "offers.url": "address",
    "organizer": "Organization",
    "organizer.name": "text",
    "organizer.url": "address",
}
# What Google recommends as well, and nobody has told the calendar.
UNKNOWN = {
    "performer": "who performs",
    "performer.name": "the same",
    "previousStartDate": "when it was to start before it was rescheduled",
}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?")
_ENUMERATED = {
    "EventAttendanceMode": "(Offline|Online|Mixed)EventAttendanceMode",
    "EventStatus": "Event(Scheduled|Cancelled|Postponed|Rescheduled|MovedOnline)",
    "Availability": "(InStock|SoldOut|PreOrder)",
}
_PATTERNS = {
    "text": re.compile(r"\S.*", re.DOTALL),
    "address": re.compile(r"https?://\S+"),
    "price": re.compile(r"\d+(\.\d+)?"),
    "currency": re.compile(r"[A-Z]{3}"),
} | {name: re.compile(f"{SCHEMA}/{words}") for name, words in _ENUMERATED.items()}


def at(described, path):
    """Return every value at a path; a list stands for each of its members."""
    values = [described]
    for name in path.split("."):
        there = [value[name] for value in values if name in value]
        values = [
            member for value in there for member in (value if isinstance(value, list) else [value])
        ]
    return values


def _address(picture):
    return picture if isinstance(picture, str) else picture["url"]


def is_one(value, kind):
    """Say whether a value is of a kind of the tables."""
    if kind == "moment":
        reading = datetime.fromisoformat if "T" in value else date.fromisoformat
        return bool(_MOMENT.fullmatch(value) and reading(value))
    if kind == "picture":
        return bool(_PATTERNS["address"].fullmatch(_address(value)))
    if kind in _PATTERNS:
        return bool(_PATTERNS[kind].fullmatch(value))
    return value["@type"] == kind


def missing(described, table):
    """Return the paths of a table at which there is nothing, or something else."""
    return [
        path
        for path, kind in table.items()
        if not at(described, path) or not all(is_one(value, kind) for value in at(described, path))
    ]


@pytest.fixture
def linked_data_of(make_event, described):
    """Return a function that creates a fully described event and reads its linked data."""

    def make(**fields):
        details = {
            "title": "Konzert",
            "description": "<p>Ein Abend</p>",
            "cost": "CHF 20",
            "image": "https://pictures.example/a.jpg",
            "venue": {"venue": "Saal", "address": "Platz 1", "city": "Chur"},
            "organizer": {"organizer": "Verein", "website": "https://verein.example/"},
        }
        return described(make_event(**(details | fields)))

    return make


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"event_status": "postponed"},
        {"all_day": True},
        {"timezone": "America/New_York"},
        {"cost": "10-20 EUR"},
        {"cost": "CHF 0"},
        {"description": "", "excerpt": "Kurz"},
        {"organizer": [{"organizer": "Verein"}, {"organizer": "Stadt"}]},
        {"venue": [{"venue": "Saal", "city": "Chur"}, {"venue": "Park", "zip": "7000"}]},
    ],
    ids=lambda fields: ",".join(fields) or "all",
)
def test_an_event_has_all_that_google_requires_and_recommends(linked_data_of, fields):
    event = linked_data_of(**fields)

    assert missing(event, REQUIRED | RECOMMENDED) == []
    assert not [path for path in UNKNOWN if at(event, path)]


@pytest.mark.parametrize("address", [{}, {"online_url": "https://stream.example/?a=1&b=2"}])
def test_an_event_online_has_all_that_google_requires(linked_data_of, address):
    assert missing(linked_data_of(attendance_mode="online", **address), REQUIRED_ONLINE) == []


def test_a_mixed_event_has_both_sorts_of_places(linked_data_of):
    event = linked_data_of(attendance_mode="mixed")

    assert {place["@type"] for place in event["location"]} == {"Place", "VirtualLocation"}
    assert missing(event, {path: REQUIRED[path] for path in ("name", "startDate")}) == []


@pytest.mark.parametrize(
    ("fields", "paths"),
    [
        ({"venue": []}, {"location", "location.address", "location.name"}),
        ({"venue": {"venue": "Saal"}}, {"location.address"}),
        ({"organizer": []}, {"organizer", "organizer.name", "organizer.url"}),
        ({"cost": "20"}, {"offers.priceCurrency"}),
        ({"image": ""}, {"image"}),
        ({"description": ""}, {"description"}),
        ({"cost": "Kollekte"}, {"offers.price", "offers.priceCurrency"}),
        ({"cost": "CHF 20", "event_status": "canceled"}, {"offers.availability"}),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_absent_facts_are_not_invented(linked_data_of, fields, paths):
    assert set(missing(linked_data_of(**fields), REQUIRED | RECOMMENDED)) == paths
