"""A feed holds so many events, says that there are more, and where."""

import csv
import re
from dataclasses import replace
from io import StringIO

import feedparser
import pytest
from icalendar import Calendar
from keeping import kept


@pytest.fixture
def settings(settings):
    return replace(settings, feed_limit=3)


@kept
def titles(make_event):
    """Return the titles of seven events, in their order."""
    return [
        make_event(
            title=f"Number {day}",
            start_date=f"2030-03-0{day} 10:00",
            end_date=f"2030-03-0{day} 11:00",
        )["title"]
        for day in range(1, 8)
    ]


def titles_in(answer, suffix):
    """Return the titles that a feed holds."""
    match suffix:
        case "ics":
            return [str(event["SUMMARY"]) for event in Calendar.from_ical(answer.data).events]
        case "atom":
            return [entry.title for entry in feedparser.parse(answer.data).entries]
        case "geojson":
            return [event["properties"]["title"] for event in answer.json["features"]]
        case _:
            return [line["title"] for line in csv.DictReader(StringIO(answer.text))]


def following(answer):
    next_link = re.search(r'<([^>]+)>; rel="next"', ", ".join(answer.headers.getlist("Link")))
    return next_link and next_link[1]


@pytest.mark.parametrize("suffix", ["ics", "atom", "geojson", "csv"])
def test_the_pages_of_a_feed_hold_every_event_once(anyone, titles, suffix):
    answer = anyone.get(f"/events.{suffix}")
    pages = [titles_in(answer, suffix)]
    while link := following(answer):
        assert answer.headers["X-Feed-Truncated"] == "3"
        answer = anyone.follow(link)
        pages.append(titles_in(answer, suffix))
    assert pages == [titles[:3], titles[3:6], titles[6:]]
    assert "X-Feed-Truncated" not in answer.headers


def test_truncated_calendar_is_marked(anyone, titles):
    assert Calendar.from_ical(anyone.get("/events.ics").data)["X-FEED-TRUNCATED"] == "3"
    last = anyone.get("/events.ics", page=3)
    assert titles_in(last, "ics") == titles[6:]
    assert "X-FEED-TRUNCATED" not in Calendar.from_ical(last.data)


def test_atom_and_geojson_name_the_next_page_themselves(anyone, titles):
    assert titles
    atom = anyone.get("/events.atom")
    links = feedparser.parse(atom.data).feed.links
    assert [link.href for link in links if link.rel == "next"] == [following(atom)]
    geojson = anyone.get("/events.geojson")
    assert geojson.json["next"] == following(geojson)
    assert "next" not in anyone.get("/events.geojson", page=3).json


def test_complete_feed_is_not_marked_as_truncated(anyone, titles):
    answer = anyone.get("/events.ics", starts_after="2030-03-04")
    assert (titles_in(answer, "ics"), following(answer)) == (titles[4:], None)


def test_pages_can_be_smaller_and_not_larger(anyone, titles):
    assert titles_in(anyone.get("/events.csv", per_page=2), "csv") == titles[:2]
    assert titles_in(anyone.get("/events.csv", per_page=50), "csv") == titles[:3]


def test_a_page_that_is_not_there_is_refused_as_by_the_list(anyone, titles):
    assert titles
    feed, listed = anyone.get("/events.ics", page=4), anyone.get("/events", page=4, per_page=3)
    assert (feed.status_code, feed.json) == (404, listed.json)


def test_withdrawn_events_count_and_come_first(anyone, as_admin, titles):
    listed_events = as_admin.get("/events", search="7", start_date="2030-01-01").json["events"]
    as_admin.delete(f"/events/{listed_events[0]['id']}")
    pages = [titles_in(anyone.get("/events.ics", page=page), "ics") for page in (1, 2, 3)]
    assert pages == [[titles[6], *titles[:2]], titles[2:5], titles[5:6]]


@pytest.mark.parametrize("filters", [{}, {"per_page": 1}, {"per_page": 2}], ids=str)
def test_withdrawn_events_fill_as_many_pages_as_they_need(anyone, as_admin, titles, filters):
    listed_events = anyone.get("/events", per_page=50, start_date="2030-01-01").json["events"]
    for event in listed_events[:5]:
        as_admin.delete(f"/events/{event['id']}")
    answer = anyone.get("/events.ics", **filters)
    size = str(filters.get("per_page", 3))
    read = titles_in(answer, "ics")
    while link := following(answer):
        assert answer.headers["X-Feed-Truncated"] == size
        answer = anyone.follow(link)
        read += titles_in(answer, "ics")
    assert read == [*titles[4::-1], *titles[5:]]
