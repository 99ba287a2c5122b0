"""What anybody may ask of a calendar, and what may be dear to answer."""

from typing import NamedTuple
from urllib.parse import quote

from calls import BASE
from small_calendar import SampleCalendar

_MANY_WORDS = 20
_FEEDS = ("jsonld", "ics", "atom", "csv", "geojson")
_PLACE = "geoloc_lat=46.8&geoloc_lng=9.5"


class VisitorRequest(NamedTuple):
    """A request without credentials; ``status`` is that of its answer."""

    name: str
    path: str
    status: int = 200


LIST = VisitorRequest("list of 12 events", f"{BASE}/events?per_page=12")


def visitor_requests(calendar: SampleCalendar, text: str) -> list[VisitorRequest]:
    """Return about forty requests; ``text`` is one that an event shows, of many words."""
    words = list(dict.fromkeys(text.split()))[:_MANY_WORDS]
    one, four, many = words[0], " ".join(words[:4]), " ".join(words)
    return [
        *_feeds(calendar, one),
        *_lists(calendar, {"1 word": one, "4 words": four, "20 words": many}),
        *_phrases(text),
        *_pages(calendar, one),
        *_data(),
    ]


def _feeds(calendar: SampleCalendar, word: str) -> list[VisitorRequest]:
    whole = [VisitorRequest(f".{suffix}", f"{BASE}/events.{suffix}") for suffix in _FEEDS]
    found = [
        VisitorRequest(f".{suffix}, 1 word", f"{BASE}/events.{suffix}?search={word}")
        for suffix in _FEEDS
    ]
    category = f"categories={calendar.category}"
    return [
        *whole,
        VisitorRequest("RSS", "/events/?feed=rss2"),
        *found,
        VisitorRequest("RSS, 1 word", f"/events/?feed=rss2&search={word}"),
        VisitorRequest(".jsonld, 2 letters", f"{BASE}/events.jsonld?search={word[:2]}"),
        VisitorRequest(".jsonld by category", f"{BASE}/events.jsonld?{category}"),
        VisitorRequest(".ics by category", f"{BASE}/events.ics?{category}"),
        VisitorRequest(".jsonld of venues", f"{BASE}/venues.jsonld"),
    ]


def _lists(calendar: SampleCalendar, searches: dict[str, str]) -> list[VisitorRequest]:
    json = [
        VisitorRequest(f"JSON, {name}", f"{BASE}/events?search={quote(words)}")
        for name, words in searches.items()
    ]
    pages = [
        VisitorRequest(f"list page, {name}", f"/events/list/?search={quote(words)}")
        for name, words in searches.items()
    ]
    one = searches["1 word"]
    absent = f"{searches['20 words']} nirgendwo"
    by_relevance = [
        VisitorRequest(
            f"JSON, {name} by relevance",
            f"{BASE}/events?orderby=relevance&search={quote(words)}",
        )
        for name, words in searches.items()
    ]
    return [
        VisitorRequest("JSON, 50 events", f"{BASE}/events?per_page=50"),
        *json,
        *by_relevance,
        VisitorRequest("JSON, 20 words and 1 that is nowhere", f"{BASE}/events?search={absent}"),
        VisitorRequest("JSON, 1 letter", f"{BASE}/events?search=a"),
        VisitorRequest("JSON, nothing but -word", f"{BASE}/events?search=-{one}"),
        VisitorRequest("list page", "/events/list/"),
        *pages,
        VisitorRequest("list page, 1 letter", "/events/list/?search=a"),
        VisitorRequest("list page, nothing but -word", f"/events/list/?search=-{one}"),
        VisitorRequest("list page, misspelled word", f"/events/list/?search={one[:2]}{one[3:]}"),
        VisitorRequest(
            "list page, facets of a category", f"/events/list/?categories={calendar.category}"
        ),
    ]


def _phrases(text: str) -> list[VisitorRequest]:
    words = text.split()
    phrases = {"of 2 words": words[:2], "of 6 words": words[:6]}
    return [
        VisitorRequest(f"JSON, phrase {name}", f"{BASE}/events?search={_quoted(phrase)}")
        for name, phrase in phrases.items()
    ] + [VisitorRequest("list page, phrase", f"/events/list/?search={_quoted(words[:2])}")]


def _quoted(words: list[str]) -> str:
    return quote(f'"{" ".join(words)}"')


def _pages(calendar: SampleCalendar, word: str) -> list[VisitorRequest]:
    page = max(1, len(calendar.events) // 12 // 2)
    return [
        VisitorRequest("month", "/events/month/"),
        VisitorRequest("month, 1 word", f"/events/month/?search={word}"),
        VisitorRequest("month in a frame", "/embed/month/"),
        VisitorRequest("event", f"/event/{calendar.slug}/"),
        VisitorRequest("suggestions", f"/events/suggestions?search={word[:3]}"),
        VisitorRequest("nearest", f"{BASE}/events?{_PLACE}&geoloc_radius=1000&orderby=distance"),
        VisitorRequest("deep in the list", f"{BASE}/events?per_page=12&page={page}"),
        VisitorRequest("deep in the list, as a page", f"/events/list/?page={page}"),
    ]


def _data() -> list[VisitorRequest]:
    return [
        VisitorRequest("sitemap", "/sitemap.xml"),
        VisitorRequest("part of the sitemap", "/sitemap-events-1.xml"),
        VisitorRequest("data set", f"{BASE}/dcat.jsonld"),
    ]
