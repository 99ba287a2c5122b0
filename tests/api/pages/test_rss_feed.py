"""News readers read RSS 2.0 at the addresses of The Events Calendar."""

import feedparser
import pytest
from calling import SITE
from lxml import etree

pytestmark = pytest.mark.without_mongodb
EVENING = {"start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}


@pytest.fixture
def read(browse):
    """Return a function that follows redirects, and parses the feed."""

    def parsed(path):
        answer = browse(path)
        while answer.status == 301:
            answer = browse(answer.headers["Location"].removeprefix(SITE))
        assert answer.headers["Content-Type"] == "application/rss+xml; charset=utf-8"
        feed = feedparser.parse(answer.answer.data)
        assert (feed.bozo, feed.version) == (False, "rss20")
        return feed

    return parsed


def test_item_is_an_event_on_the_day_on_which_it_starts(read, make_event):
    event = make_event(
        title="Sing & dance",
        description="<p>With a <b>choir</b></p>",
        venue={"venue": "Hall", "city": "Chur", "geo_lat": 46.85, "geo_lng": 9.53},
        categories=["Music"],
        tags=["Live"],
        **EVENING,
    )
    feed = read("/events/feed/")
    (item,) = feed.entries
    assert (item.title, item.link) == ("Sing & dance", event["url"])
    assert item.published == "Sun, 10 Mar 2030 18:00:00 GMT"
    assert item.content[0].value == "<p>With a <b>choir</b></p>"
    assert "Hall, Chur" in item.summary
    assert [tag.term for tag in item.tags] == ["Music", "Live"]
    assert not item.guidislink
    assert feed.feed.language == "de"


@pytest.mark.parametrize(
    ("address", "titles"),
    [
        ("/events/feed/", ["Concert", "Parade"]),
        ("/events/?feed=rss2", ["Concert", "Parade"]),
        ("/?post_type=tribe_events&feed=rss2", ["Concert", "Parade"]),
        ("/events/category/music/feed/", ["Concert"]),
        ("/events/category/music/?feed=rss", ["Concert"]),
        ("/events/feed/?tribe-bar-search=parade", ["Parade"]),
        ("/venue/hall/?feed=rss2", ["Parade"]),
    ],
)
def test_feed_has_what_its_address_selects(read, make_event, make_venue, address, titles):
    hall = make_venue(venue="Hall", slug="hall")["id"]
    make_event(title="Concert", categories=["Music"], **EVENING)
    make_event(title="Parade", venue=hall, **EVENING)
    assert [item.title for item in read(address).entries] == titles


def test_feed_is_in_the_language_of_its_address(read, make_event):
    make_event(title="Konzert", variants={"rm": {"title": "Concert"}}, **EVENING)
    feed = read("/rm/events/feed/")
    assert (feed.feed.language, feed.entries[0].title) == ("rm", "Concert")


def test_atom_of_wordpress_is_atom_here(browse, make_event):
    make_event(title="Concert", **EVENING)
    answer = browse("/events/?feed=atom")
    root = etree.fromstring(answer.answer.data)
    assert root.tag == "{http://www.w3.org/2005/Atom}feed"


@pytest.mark.parametrize("name", ["feed=rss2", "feed=atom", "ical=1"])
def test_feed_with_a_secret_is_not_kept(browse, make_event, as_admin, name):
    make_event(title="Concert", password="tor", **EVENING)
    public = browse(f"/events/list/?{name}")
    opened = browse(f"/events/list/?{name}&password=tor")
    assert "no-store" not in public.headers.get("Cache-Control", "")
    assert opened.headers["Cache-Control"] == "private, no-store"
    assert as_admin.send("GET", f"/events/list/?{name}", base="").headers["Cache-Control"] == (
        "private, no-store"
    )


def test_unknown_feeds_and_those_of_single_events_are_pages(browse, make_event):
    event = make_event(title="Concert", **EVENING)
    for path in ("/events/?feed=rdf", f"{event['url'].removeprefix(SITE)}?feed=rss2"):
        assert browse(path).headers["Content-Type"].startswith("text/html")
