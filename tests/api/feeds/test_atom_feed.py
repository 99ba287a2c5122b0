"""A reader of news finds events as RFC 4287 has it."""

from pathlib import Path

import feedparser
import pytest
from lxml import etree

pytestmark = pytest.mark.without_mongodb

SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("atom.rng")))


@pytest.fixture
def read(anyone):
    """Return a function that reads and validates the feed."""

    def feed(client=anyone, **query):
        answer = client.get("/events.atom", **query)
        assert (answer.status_code, answer.mimetype) == (200, "application/atom+xml")
        SCHEMA.assertValid(etree.fromstring(answer.data))
        parsed_feed = feedparser.parse(answer.data)
        assert not parsed_feed.bozo
        return parsed_feed

    return feed


def test_feed_without_events_is_valid(read):
    empty = read()
    assert (empty.feed.title, empty.entries) == ("Calendar", [])
    assert empty.feed.author == "Calendar"


def test_entry_has_title_content_dates_and_place(read, make_event, make_category):
    make_category(name="Music & Dance")
    event = make_event(
        title="Concert & more",
        description="<p>With a <b>choir</b></p>",
        start_date="2030-03-10 19:00",
        end_date="2030-03-10 22:00",
        venue={"venue": "Town Hall", "city": "Chur", "geo_lat": 46.85, "geo_lng": 9.53},
        categories=["Music & Dance"],
    )
    (entry,) = read().entries
    assert (entry.title, entry.link) == ("Concert & more", event["url"])
    assert entry.content[0].value == event["description"].strip()
    assert [tag.term for tag in entry.tags] == ["Music & Dance"]
    for part in ("2030-03-10 19:00", "22:00", "Europe/Zurich", "Town Hall, Chur"):
        assert part in entry.summary
    assert entry.where == {"type": "Point", "coordinates": (9.53, 46.85)}


def test_scheduled_event_is_updated_when_it_goes_live(read, make_event, publish_after):
    make_event(date_utc="2030-01-15 13:00:00")
    publish_after(hours=2)
    answer = read()
    (entry,) = answer.entries
    assert entry.published == "2030-01-15T13:00:00Z"
    assert entry.updated == answer.feed.updated == "2030-01-15T14:00:00Z"


def test_all_day_event_has_dates_without_hours(read, make_event):
    make_event(title="One", start_date="2030-03-10", end_date="2030-03-10", all_day=True)
    make_event(title="Two", start_date="2030-03-11", end_date="2030-03-12", all_day=True)
    assert [entry.summary for entry in read().entries] == [
        "2030-03-10",
        "2030-03-11 \u2013 2030-03-12",
    ]


def test_ids_stay_and_are_the_same_in_every_language(read, make_event, as_admin):
    number = make_event(title="Konzert")["id"]
    before = read()
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    after = read(translation_language="rm")
    assert before.entries[0].id == after.entries[0].id
    assert before.entries[0].id.startswith("urn:uuid:")
    assert before.feed.id != after.feed.id
    assert read().feed.id == before.feed.id


def test_each_text_says_its_language(read, make_event, as_admin):
    number = make_event(title="Konzert", description="Mit Chor")["id"]
    as_admin.patch(f"/events/{number}?translation_language=rm", title="Concert")
    feed = read(translation_language="rm")
    (entry,) = feed.entries
    assert feed.feed.language == "rm"
    assert (entry.title, entry.title_detail.language) == ("Concert", "rm")
    assert entry.content[0].language == "de"


@pytest.mark.parametrize(
    ("status", "language", "title"),
    [
        ("canceled", "de", "Abgesagt: Konzert"),
        ("postponed", "de", "Verschoben: Konzert"),
        ("scheduled", "de", "Konzert"),
    ],
)
def test_title_marks_a_canceled_event(read, make_event, status, language, title):
    make_event(title="Konzert", event_status=status)
    assert read(translation_language=language).entries[0].title == title


def test_updated_is_the_latest_change(read, make_event, as_admin, clock):
    first, _ = make_event(title="First"), make_event(title="Second")
    assert read().feed.updated == "2030-01-15T12:00:00Z"
    clock.advance(hours=1)
    as_admin.patch(f"/events/{first['id']}", title="First of all")
    feed = read()
    assert feed.feed.updated == "2030-01-15T13:00:00Z"
    assert {entry.title: entry.updated for entry in feed.entries} == {
        "First of all": "2030-01-15T13:00:00Z",
        "Second": "2030-01-15T12:00:00Z",
    }


def test_a_year_has_four_digits_however_early_it_is(read, make_event):
    make_event(date="0999-01-01 12:00:00")
    assert read().entries[0].published == "0999-01-01T11:25:52Z"


def test_characters_that_xml_forbids_are_dropped(read, make_event):
    make_event(title="A \u0000\u0008\ufffe< & ]]> B", description="<p>\u000b&#8; ok</p>")
    (entry,) = read().entries
    assert entry.title.split() == ["A", "<", "&", "]]>", "B"]
