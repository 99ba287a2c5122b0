"""Which pictures a source copies, and with which texts."""

import pytest

from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.copying import described, takes_picture
from calendar_app.sources.digests import digest
from calendar_app.sources.notes import fingerprint
from calendar_app.sources.source import Source

TOWN = {"publisher": {"name": "Town"}, "license": "CC BY 4.0"}
NOTE = {"source": 7, "wrote": {"image": digest(5)}}


def source(**values):
    return Source(id=7, name="Club", kind="ics", **values)


def event(**texts):
    changes = {"variants": {"de": {"title": "Chor"}}, "image": "https://club.example.org/a.png"}
    return CalendarEvent(
        source="ics:1", label="1", language="de", changes=changes, picture_texts=texts
    )


@pytest.mark.parametrize(
    ("record", "note", "authority", "takes"),
    [
        ({}, {}, {}, True),
        ({"image": 5}, NOTE, {}, True),
        ({"image": 6}, NOTE, {}, False),
        ({}, NOTE, {}, False),
        ({"image": 6}, NOTE, {"image": "source"}, True),
        ({"image": 6}, NOTE, {"title": "source"}, False),
        ({"image": 5, "status": "trash"}, NOTE, {}, False),
        ({}, {"source": 7}, {}, True),
    ],
    ids=[
        *("new event", "as the source left it", "another one was chosen", "it was removed here"),
        *("the source has the last word", "of another field", "in the trash", "none so far"),
    ],
)
def test_a_picture_is_copied_only_where_it_would_be_shown(record, note, authority, takes):
    assert takes_picture(record, note, authority) is takes


@pytest.mark.parametrize(
    ("values", "texts", "credit", "license_name"),
    [
        ({}, {}, "", ""),
        (TOWN, {}, "Town", "CC BY 4.0"),
        ({**TOWN, "attribution": "Photo: Town"}, {}, "Photo: Town", "CC BY 4.0"),
        (TOWN, {"credit": "Anna"}, "Anna", "CC BY 4.0"),
        (TOWN, {"credit": "Anna", "license": "CC0"}, "Anna", "CC0"),
        ({**TOWN, "show_provenance": False}, {}, "", ""),
        ({**TOWN, "show_provenance": False}, {"credit": "Anna"}, "Anna", ""),
    ],
)
def test_a_picture_has_its_own_credit_else_that_of_its_source(values, texts, credit, license_name):
    expected = {"credit": credit, "license": license_name, "variants": {}}
    assert described(event(**texts), source(**values)) == expected


def test_the_alternative_text_is_in_the_language_of_the_event():
    changes = described(event(alt_text="Ein Chor"), source())
    assert changes["variants"] == {"de": {"alt_text": "Ein Chor"}}


def test_events_are_looked_at_again_when_a_source_begins_to_copy():
    assert source().fingerprint == source(pictures="link").fingerprint
    assert source().fingerprint != source(pictures="copy").fingerprint


def test_the_texts_of_a_picture_change_no_event():
    assert fingerprint(event()) == fingerprint(event(credit="Anna"))
