"""A source without a title for an event leaves the one that the event has here."""

import pytest

from calendar_app.sources.calendar_events import CalendarEvent

TEXTS = {"title": "(ohne Titel)", "excerpt": "<p>Mit Apéro</p>"}


@pytest.mark.parametrize(
    ("untitled", "stored", "texts"),
    [
        (True, {"variants": {"de": {"title": "Chor"}}}, {"excerpt": TEXTS["excerpt"]}),
        (True, {"variants": {"rm": {"title": "Chor"}}}, TEXTS),
        (True, {}, TEXTS),
        (False, {"variants": {"de": {"title": "Chor"}}}, TEXTS),
    ],
)
def test_title_that_stands_in_for_none_replaces_none(untitled, stored, texts):
    changes = {"cost": "CHF 20", "variants": {"de": TEXTS}}
    event = CalendarEvent(
        source="ics:1", label="1", language="de", changes=changes, untitled=untitled
    )
    assert event.beside_titles(stored) == {"cost": "CHF 20", "variants": {"de": texts}}
