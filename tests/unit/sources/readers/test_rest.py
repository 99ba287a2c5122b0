"""Sites with The Events Calendar, sitemaps, and programs that push: fetched and read."""

import json
import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from reading import ZURICH, readers, source, when

from calendar_app.domain.addresses import networks_of
from calendar_app.sources.parsed import SourceError
from calendar_app.sources.readers.fetching import Limits

LOOPBACK = networks_of("source_networks", ["127.0.0.0/8"])


def record(number, **values):
    return {
        "id": number,
        "global_id": f"example.org?id={number}",
        "status": "publish",
        "title": f"Chor {number}",
        "slug": f"chor-{number}",
        "url": f"https://example.org/event/chor-{number}",
        "start_date": "2027-01-06 19:00:00",
        "end_date": "2027-01-06 21:00:00",
        "timezone": ZURICH,
        "venue": {"id": 5, "venue": "Aula", "city": "Chur", "status": "publish"},
        "organizer": [{"id": 6, "organizer": "Verein", "status": "publish"}],
        "categories": [{"id": 7, "name": "Musik &amp; Tanz"}],
        **values,
    }


def event_page(number):
    document = {
        "@type": "Event",
        "@id": str(number),
        "name": f"Chor {number}",
        "startDate": "2027-01-06T19:00",
    }
    return f'<script type="application/ld+json">{json.dumps(document)}</script>'


ASKED = []


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        ASKED.append(self.path)
        body = self.body(urlsplit(self.path))
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write((body or "").encode())

    def body(self, address):
        host = f"http://{self.headers['Host']}"
        match address.path:
            case "/v1/events" | "/endless/events":
                page = int(parse_qs(address.query)["page"][0])
                events = [record(page), record(page + 10, status="odd")]
                pages = 2 if address.path.startswith("/v1") else 10_000
                return json.dumps({"events": events, "total_pages": pages})
            case "/login/events":
                return "<html>"
            case "/sitemap.xml":
                pages = ("/e/2", "/e/1", "/private/3", "/gone")
                entries = "".join(f"<url><loc>{host}{page}</loc></url>" for page in pages)
                return f"<urlset>{entries}<url><loc>https://other.example/</loc></url></urlset>"
            case "/index.xml":
                loc = f"<sitemap><loc>{host}/sitemap.xml</loc></sitemap>"
                return f"<sitemapindex>{loc}</sitemapindex>"
            case "/robots.txt":
                return "User-agent: *\nDisallow: /private\nCrawl-delay: 0.001\n"
            case _:
                is_event = address.path in ("/e/1", "/e/2", "/private/3")
                return event_page(address.path[-1]) if is_event else None

    def log_message(self, *_):
        pass


@contextmanager
def served():
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def site():
    with served() as address:
        yield address


def fetched(kind, address):
    """Return the content of a source, and the calendar read from it."""
    reader = readers(networks=LOOPBACK)
    its_source = source(kind, address)
    content = reader.fetch(its_source).content
    return content, reader.read(content, its_source)


def test_all_pages_of_a_site_are_one_calendar(site):
    content, parsed = fetched("tec", f"{site}/v1")
    assert [event.uid for event in parsed.events] == [
        "events/example.org?id=1",
        "events/example.org?id=2",
    ]
    assert [reason for _, reason in parsed.refused] == ["Its status is odd."] * 2
    assert fetched("tec", f"{site}/v1")[0] == content
    changes = parsed.events[0].changes
    assert when(parsed.events[0]) == ("06.01. 19:00", "06.01. 21:00")
    assert changes["venues"] == [{"variants": {"de": {"venue": "Aula", "city": "Chur"}}}]
    assert changes["organizers"] == [{"variants": {"de": {"organizer": "Verein"}}}]
    assert changes["categories"] == ["Musik & Tanz"]
    assert not {"status", "slug", "author"} & (changes.keys() | changes["variants"]["de"].keys())


@pytest.mark.parametrize(
    ("query", "asks"), [("", True), ("?categories=music", True), ("?start_date=2020-01-01", False)]
)
def test_a_site_is_asked_for_running_events_unless_its_address_names_dates(site, query, asks):
    ASKED.clear()
    fetched("tec", f"{site}/v1{query}")
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    queries = [parse_qs(urlsplit(path).query) for path in ASKED]
    ends = [each.get("ends_after", [""])[0] for each in queries]
    assert [bool(end) for end in ends] == [asks] * 2
    assert all(abs(datetime.fromisoformat(end).date() - yesterday).days <= 1 for end in ends if end)
    assert [each["page"] for each in queries] == [["1"], ["2"]]


def test_calendar_like_this_one_brings_its_languages():
    raw = record(1, variants={"de": {"title": "Chor"}, "fr": {"title": "Chœur"}, "xx": {}})
    content = json.dumps({"page": 1, "pages": 1, "events": [raw]}).encode()
    (event,) = readers().read(content, source("tec")).events
    titles = {tag: texts["title"] for tag, texts in event.changes["variants"].items()}
    assert titles["fr"] == "Chœur"
    assert set(titles) == {"de", "fr"}


def test_picture_of_a_site_has_its_texts():
    image = {"url": "https://example.org/a.png", "alt_text": "Ein Chor", "credit": "Anna &amp; Co"}
    raw = record(1, image=image | {"license": "CC0", "sizes": {}})
    content = json.dumps({"page": 1, "pages": 1, "events": [raw]}).encode()
    (event,) = readers().read(content, source("tec")).events
    texts = {"alt_text": "Ein Chor", "credit": "Anna & Co", "license": "CC0"}
    assert event.picture_texts == texts


def test_page_to_log_in_is_no_interface(site):
    with pytest.raises(SourceError, match="does not answer with JSON"):
        readers(networks=LOOPBACK).fetch(source("tec", f"{site}/login"))


@pytest.mark.parametrize("path", ["/sitemap.xml", "/index.xml"])
def test_pages_of_a_sitemap_are_read_as_far_as_robots_may(site, path):
    ASKED.clear()
    content, parsed = fetched("jsonld", f"{site}{path}")
    assert sorted(event.uid for event in parsed.events) == ["1", "2"]
    assert "/private/3" not in ASKED
    assert parsed.left_out == [
        ("other.example", "Another host has 1 of its pages; only those of its own host are read.")
    ]
    ((label, reason),) = parsed.refused
    assert (label, "404" in reason, parsed.whole) == (f"{site}/gone", True, False)
    assert fetched("jsonld", f"{site}{path}")[0] == content


@pytest.mark.parametrize(
    ("kind", "path", "bounds", "reason"),
    [
        ("tec", "/endless", {"size": 10_000}, "are larger than 10000 bytes"),
        ("tec", "/endless", {"whole": 0.0}, "take longer"),
        ("jsonld", "/sitemap.xml", {"whole": 0.0}, "take longer"),
    ],
)
def test_all_pages_of_a_site_together_have_bounds(site, kind, path, bounds, reason):
    ASKED.clear()
    reader = readers(networks=LOOPBACK, limits=Limits(**bounds))
    with pytest.raises(SourceError, match=f"Its pages {reason}"):
        reader.fetch(source(kind, f"{site}{path}"))
    assert len(ASKED) < 50


def test_page_instead_of_a_calendar_is_refused():
    with pytest.raises(SourceError, match="no calendar, but a page"):
        readers().read(b"<!doctype html><title>Anmelden</title>", source("ics"))


def test_unknown_kind_is_refused():
    with pytest.raises(SourceError, match="kind fax"):
        readers().fetch(source("fax"))
