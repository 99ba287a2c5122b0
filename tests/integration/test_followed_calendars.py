"""A calendar follows another one: nothing is lost, nothing comes twice, nothing comes home."""

from contextlib import ExitStack

import pytest
from neighbors import neighbor


@pytest.fixture
def calendars(mongod_uri, settings, _user_documents):
    """Return a function that serves so many calendars."""
    with ExitStack() as stack:
        yield lambda names: [
            stack.enter_context(neighbor(name, mongod_uri, settings, _user_documents))
            for name in names
        ]


@pytest.fixture
def pair(calendars):
    return calendars("ab")


FULL = {
    "variants": {
        "de": {
            "title": "Konzert & Tanz",
            "description": "<p>Mit Musik</p>",
            "excerpt": "Kurz",
            "website": "https://club.example/de",
            "custom_fields": {"dress": {"label": "Kleidung", "value": "festlich"}},
        },
        "rm": {"title": "Concert", "description": "<p>Cun musica</p>"},
    },
    "translation_origin": {"rm": "machine"},
    "cost": "CHF 20",
    "image": "https://pictures.example/choir.jpg",
    "accessibility": ["wheelchair", "hearing_loop"],
    "in_language": ["de", "rm"],
    "audience": {"min_age": 6, "max_age": 12, "groups": ["families"]},
    "registration": {
        "url": "https://club.example/register",
        "closes": "2030-02-20 12:00:00",
        "required": True,
    },
    "event_status": "postponed",
    "status_reason": "Ill",
    "attendance_mode": "mixed",
    "online_url": "https://stream.example/1",
    "venue": {
        "venue": "Aula",
        "description": "<p>Hall</p>",
        "address": "Via 1",
        "city": "Chur",
        "zip": "7000",
        "country": "Switzerland",
        "phone": "+41 81 555 01 01",
        "website": "https://aula.example/",
        "geo_lat": 46.85,
        "geo_lng": 9.53,
    },
    "organizer": [{"organizer": "Club", "email": "club@example.org", "phone": "+41 81 555 01 02"}],
    "categories": ["Music"],
    "tags": ["Choir"],
}


def test_first_reading_brings_everything(pair):
    a, b = pair
    a.make(**FULL)
    source = b.follow(a)
    assert b.read(source) == {"new": 1}
    assert b.events() == a.events()
    assert b.events()[0]["proposed"] != []
