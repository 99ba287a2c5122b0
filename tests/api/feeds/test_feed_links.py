"""Lists and events link their feeds, in JSON and in headers."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = pytest.mark.without_mongodb

BASE = "https://calendar.example/calendar/events/v1"
TYPES = {
    "ics": "text/calendar",
    "atom": "application/atom+xml",
    "geojson": "application/geo+json",
    "csv": "text/csv",
}


def alternates(answer):
    """Return the addresses of the header by their type."""
    links = ", ".join(answer.headers.getlist("Link"))
    matches = re.findall(r'<([^>]+)>; rel="alternate"; type="([^"]+)"', links)
    return {media_type: address for address, media_type in matches}


def query(address):
    return parse_qs(urlsplit(address).query)


def test_a_list_names_its_feeds(anyone, make_event):
    make_event()
    answer = anyone.get("/events")
    assert answer.json["feeds"] == {suffix: f"{BASE}/events.{suffix}" for suffix in TYPES}
    feed_urls = {TYPES[suffix]: address for suffix, address in answer.json["feeds"].items()}
    assert alternates(answer) == feed_urls


def test_feeds_of_a_list_have_its_filters(anyone, make_event, make_category):
    make_category(name="Music")
    music, _ = make_event(categories=["music"]), make_event()
    page = anyone.get("/events", categories="music", start_date="2030-03-01", per_page=1, page=1)
    feed = page.json["feeds"]["geojson"]
    assert query(feed) == {"categories": ["music"], "start_date": ["2030-03-01"]}
    assert [feature["id"] for feature in anyone.follow(feed).json["features"]] == [music["id"]]


def test_a_password_is_in_no_address_of_a_feed(anyone, make_event):
    make_event()
    answer = anyone.get("/events", password="open sesame")
    assert "sesame" not in str(answer.json["feeds"]) + str(answer.headers)
    assert "sesame" not in anyone.get("/events.ics", password="open sesame").text


@pytest.mark.parametrize("suffix", TYPES)
def test_every_feed_that_a_list_names_answers_in_its_type(anyone, make_event, suffix):
    make_event()
    feed = anyone.follow(anyone.get("/events").json["feeds"][suffix])
    assert feed.status_code == 200
    assert feed.headers["Content-Type"] == f"{TYPES[suffix]}; charset=utf-8"


def test_an_event_names_its_feed(anyone, make_event):
    number = make_event()["id"]
    answer = anyone.get(f"/events/{number}")
    assert answer.json["feeds"] == {"ics": f"{BASE}/events/{number}.ics"}
    assert alternates(answer) == {"text/calendar": f"{BASE}/events/{number}.ics"}
    assert anyone.follow(answer.json["feeds"]["ics"]).mimetype == "text/calendar"


def test_feed_links_keep_the_language_of_the_response(anyone, make_event, as_admin):
    number = make_event(title="Konzert")["id"]
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    page = anyone.get("/events", translation_language="rm").json
    for feed in (page["feeds"]["ics"], page["events"][0]["feeds"]["ics"]):
        assert query(feed) == {"translation_language": ["rm"]}
        assert "SUMMARY;LANGUAGE=rm:Concert" in anyone.follow(feed).text


def test_a_language_in_front_of_the_path_stays_there(app, make_event):
    number = make_event()["id"]
    segment = "/rm/calendar/events/v1"
    page = app.test_client().get(f"{segment}/events").json
    assert page["feeds"]["ics"] == f"https://calendar.example{segment}/events.ics"
    ics_url = page["events"][0]["feeds"]["ics"]
    assert ics_url == f"https://calendar.example{segment}/events/{number}.ics"


def test_other_lists_have_no_feeds(anyone, make_venue):
    make_venue()
    answer = anyone.get("/venues")
    assert "feeds" not in answer.json
    assert alternates(answer) == {}


def test_feeds_with_long_addresses_are_named_in_the_body_alone(anyone, make_event):
    number = make_event()["id"]
    ids = ",".join(str(each) for each in [number, *range(10**6, 10**6 + 999)])
    answer = anyone.get("/events", include=ids)
    assert query(answer.json["feeds"]["csv"]) == {"include": [ids]}
    assert sum(len(name) + len(value) + 4 for name, value in answer.headers) < 4000
    assert alternates(answer) == {}
