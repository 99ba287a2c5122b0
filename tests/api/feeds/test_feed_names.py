"""A filtered feed is named after the records and words of its filters."""

from dataclasses import replace

import icalendar
import pytest
from flask.testing import FlaskClient


@pytest.fixture
def settings(settings):
    return replace(settings, site_name="Agenda")


@pytest.fixture
def event(make_event):
    return make_event(
        title="Concert",
        start_date="2030-03-05 08:00",
        end_date="2030-03-05 12:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"},
        venue={"venue": "Rock & Roll, Chur"},
        organizer={"organizer": "The choir"},
        categories=["Music"],
        tags=["free"],
    )


def names(anyone, **query):
    """Return the names of a feed as iCalendar, Atom and GeoJSON give them."""
    calendar = icalendar.Calendar.from_ical(anyone.get("/events.ics", **query).text)
    assert calendar["NAME"].to_ical() == calendar["X-WR-CALNAME"].to_ical()
    geojson = anyone.get("/events.geojson", **query).json
    assert f"<title>{geojson['name'].replace('&', '&amp;')}</title>" in (
        anyone.get("/events.atom", **query).text
    )
    return geojson["name"]


def test_feed_is_called_after_the_site_and_what_its_filter_names(anyone, event):
    venue, organizer = event["venue"]["id"], event["organizer"][0]["id"]
    assert names(anyone) == names(anyone, start_date="2030-01-01") == "Agenda"
    assert names(anyone, categories="music") == "Agenda \u2013 Music"
    assert names(anyone, venue=venue) == "Agenda \u2013 Rock & Roll, Chur"
    assert names(anyone, organizer=organizer, tags="free") == "Agenda \u2013 free, The choir"
    assert names(anyone, series=event["series"]["id"]) == "Agenda \u2013 Concert"
    assert names(anyone, search=" choir ") == "Agenda \u2013 choir"


def test_long_names_of_feeds_are_cut(anyone, as_admin):
    for name in "abcd":
        as_admin.post("/tags", name=name)
    assert names(anyone, tags="a,b,c,d") == "Agenda \u2013 a, b, c, \u2026"


def test_feed_of_a_page_has_the_name_of_its_term(app, event):
    assert event["categories"][0]["slug"] == "music"
    text = FlaskClient(app).get("/events/category/music/?ical=1").text
    assert "X-WR-CALNAME:Agenda \u2013 Music" in text


def test_name_of_a_hidden_venue_is_in_no_feed(anyone, as_admin):
    venue = as_admin.post("/venues", venue="Safe house", status="private").json
    answer = anyone.get("/events.ics", venue=venue["id"])
    assert (answer.status_code, "Safe house" in answer.text) == (400, False)
    assert "Safe house" in as_admin.get("/events.ics", venue=venue["id"]).text
