"""What the event that stays in a union gets from an event of people."""

from datetime import datetime

from calendar_app.domain.kinds import EVENT
from calendar_app.sources.additions import UnitedEvent, additions
from calendar_app.sources.merging import digests, stored_values
from calendar_app.sources.notes import escaped


def united(title, slug, **fields):
    event = {
        "_id": 5,
        "variants": {"de": {"title": title, "slug": slug}},
        "start_local": datetime.fromisoformat("2030-03-10 19:00"),
        "end_local": datetime.fromisoformat("2030-03-10 21:00"),
        "timezone": "Europe/Zurich",
        "all_day": False,
        "categories": [],
        "tags": [],
        "hidden": [],
    }
    return UnitedEvent(EVENT, event | fields)


def test_all_that_an_event_of_people_says_counts_as_edited_but_its_slug():
    event = united("Chor", "chor", cost="CHF 20")
    assert event.edited == {"variants.de.title", "cost", "times"}


def test_title_that_people_gave_takes_the_place_of_that_of_a_source():
    brought = united("Concert", "concert")
    wrote = digests(stored_values(brought.record, {"variants.de.title"}, EVENT.usual))
    brought.record["from_sources"] = [{"source": 1, "wrote": escaped(wrote)}]
    changes = additions(brought, united("Chor & Tanz", "chor"))
    assert changes["variants"] == {"de": {"title": "Chor &amp; Tanz"}}
