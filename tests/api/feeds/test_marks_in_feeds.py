"""Feeds say which texts a machine wrote, as their formats allow."""

import csv
from io import StringIO

import feedparser
import pytest
from icalendar import Calendar

pytestmark = pytest.mark.without_mongodb

UNCHECKED, CHECKED = "ai-autonomous", "ai-assisted"
NOTE = "Translatà cun ina maschina, betg anc controllà."


@pytest.fixture
def event(make_event):
    return make_event(title="Konzert", venue={"venue": "Park"})


@pytest.fixture(params=["the event", "its venue"])
def translated(request, as_admin, event):
    """Return the path of the record that a machine has translated."""
    if request.param == "the event":
        path, texts = f"/events/{event['id']}", {"title": "Concert"}
    else:
        path, texts = f"/venues/{event['venue']['id']}", {"venue": "Il parc"}
    body = {"translation_origin": "machine", **texts}
    as_admin.post(f"{path}?translation_language=rm", **body)
    return path


@pytest.fixture
def read(anyone):
    """Return a function that reads feeds in a language, as four programs understand them."""

    def feeds(language="rm"):
        def text(suffix):
            answer = anyone.get(f"/events.{suffix}", translation_language=language)
            return answer.json if suffix == "geojson" else answer.text

        [event] = Calendar.from_ical(text("ics")).events
        [entry] = feedparser.parse(text("atom")).entries
        [row] = csv.DictReader(StringIO(text("csv")))
        [feature] = text("geojson")["features"]
        return event, entry, row, feature["properties"]

    return feeds


def words(event, entry, row, properties):
    terms = [tag.term for tag in entry.get("tags", ()) if "ai-content" in (tag.scheme or "")]
    disclosures = {str(event.get("X-AI-DISCLOSURE", "")), row["ai_disclosure"], "".join(terms)}
    return disclosures | {properties["ai_disclosure"]}


def test_each_format_says_that_nobody_has_checked_a_text(read, event, translated):
    calendar_event, entry, row, properties = read()
    assert words(calendar_event, entry, row, properties) == {UNCHECKED}
    comment = calendar_event["COMMENT"]
    assert comment.startswith(NOTE)
    assert comment.params["X-AI-DISCLOSURE"] == UNCHECKED
    assert comment.params["LANGUAGE"] == "rm"
    assert event["url"] in comment
    assert NOTE in entry.summary
    assert translated


def test_a_check_leaves_the_mark_for_machines(read, as_admin, translated):
    as_admin.post(f"{translated}?translation_language=rm", translation_reviewed=True)
    event, entry, row, properties = read()
    assert words(event, entry, row, properties) == {CHECKED}
    assert "COMMENT" not in event
    assert NOTE not in entry.summary


def test_readers_of_the_original_see_no_mark(read, translated):
    event, entry, row, properties = read("de")
    assert words(event, entry, row, properties) == {""}
    assert "COMMENT" not in event
    assert translated


def test_reason_of_a_canceled_event_stays_the_first_comment(read, as_admin, event, translated):
    reason = {"status_reason": "Malaura", "event_status": "canceled"}
    as_admin.post(f"/events/{event['id']}?translation_language=rm", **reason)
    first, second = read()[0]["COMMENT"]
    assert first == "Malaura"
    assert second.startswith(NOTE)
    assert translated
