"""Bad answers to the reading of a source: each ends in one line with its reason, and in time."""

import gzip
import threading
import time
import zlib
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat

import pytest

from calendar_app.domain.addresses import networks_of
from calendar_app.sources.parsed import SourceError, Validators
from calendar_app.sources.readers.fetching import Limits, fetch, refuse_page

LOOPBACK = networks_of("source_networks", ["127.0.0.0/8"])
CALENDAR = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
LIMITS = Limits(seconds=1.0, size=100_000, redirects=3)
GZIPPED = {"Content-Encoding": "gzip"}


def forever(data, pause=0.0):
    for part in repeat(data):
        yield part
        time.sleep(pause)


def bomb(megabytes):
    """Yield the parts of a gzip that is a thousand times larger than itself."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield from (compressor.compress(b"\0" * 1_000_000) for _ in range(megabytes))
    yield compressor.flush()


ANSWERS = {
    "/good": (200, {"ETag": '"1"', "Last-Modified": "Tue, 24 Nov 2026 08:00:00 GMT"}, [CALENDAR]),
    "/calendar.ics.gz": (200, {}, [gzip.compress(CALENDAR)]),
    "/members.gz": (200, {}, [gzip.compress(CALENDAR[:20]), gzip.compress(CALENDAR[20:])]),
    "/czech": (200, {"Content-Type": "text/calendar; charset=ISO-8859-2"}, [b"\xf8\xe1d"]),
    "/gzip": (200, GZIPPED, [gzip.compress(CALENDAR)]),
    "/gzip-members": (200, GZIPPED, [gzip.compress(CALENDAR[:20]), gzip.compress(CALENDAR[20:])]),
    "/gzip-padded": (200, GZIPPED, [gzip.compress(CALENDAR), bytes(100)]),
    "/moved": (301, {"Location": "/good"}, []),
    "/circle": (302, {"Location": "/other-half"}, []),
    "/other-half": (302, {"Location": "/circle"}, []),
    "/to-file": (302, {"Location": "file:///etc/passwd"}, []),
    "/missing": (404, {}, []),
    "/login": (401, {}, []),
    "/busy": (429, {}, []),
    "/broken": (500, {}, []),
    "/odd": (299, {}, []),
    "/half": (200, {"Content-Length": "9999"}, [CALENDAR]),
    "/half-gzip": (200, GZIPPED, [gzip.compress(CALENDAR)[:-9]]),
    "/no-gzip": (200, GZIPPED, [CALENDAR]),
    "/brotli": (200, {"Content-Encoding": "br"}, [CALENDAR]),
    "/announced": (200, {"Content-Length": "5000000000"}, [b"x"]),
    "/long": (200, {}, forever(b"x" * 10_000)),
    "/bomb": (200, GZIPPED, chain(bomb(50))),
    "/bomb.gz": (200, {}, [gzip.compress(b"\0" * 1_000_000)]),
    "/half.gz": (200, {}, [gzip.compress(CALENDAR)[:-9]]),
    "/damaged.gz": (200, {}, [b"\x1f\x8b" + CALENDAR]),
    "/slow-body": (200, {}, forever(b"x", 0.2)),
}


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/slow-headers":
            self.slow_headers()
            return
        if self.path == "/steps" or self.path.startswith("/steps?"):
            self.begin(302, {"Location": f"/steps?{time.monotonic_ns()}"})
            return
        if self.headers["If-None-Match"] == '"1"':
            self.begin(304, {})
            return
        status, headers, parts = ANSWERS[self.path]
        self.begin(status, headers)
        try:
            for part in parts:
                self.wfile.write(part)
        except OSError:
            pass  # the reader had enough
        self.close_connection = True

    def slow_headers(self):
        try:
            for octet in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100:
                self.wfile.write(bytes([octet]))
                time.sleep(0.2)
        except OSError:
            self.close_connection = True

    def begin(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def served(handler):
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def site():
    with served(Site) as address:
        yield address


def test_content_comes_with_its_validators_and_address(site):
    fetched = fetch(f"{site}/moved", None, LOOPBACK, LIMITS)
    assert fetched.content == CALENDAR
    assert fetched.address == f"{site}/good"
    assert fetched.validators == Validators('"1"', "Tue, 24 Nov 2026 08:00:00 GMT")


def test_unchanged_content_is_not_sent_again(site):
    fetched = fetch(f"{site}/good", None, LOOPBACK, LIMITS)
    assert fetch(f"{site}/good", fetched.validators, LOOPBACK, LIMITS) is None


@pytest.mark.parametrize(
    "path", ["/gzip", "/gzip-members", "/gzip-padded", "/calendar.ics.gz", "/members.gz"]
)
def test_gzip_is_decompressed(site, path):
    assert fetch(f"{site}{path}", None, LOOPBACK, LIMITS).content == CALENDAR


def test_text_is_in_the_charset_of_its_header(site):
    assert fetch(f"{site}/czech", None, LOOPBACK, LIMITS).content.decode("utf-8-sig") == "řád"


REFUSED = {
    "/circle": "in a circle",
    "/steps": "without an end",
    "/to-file": "not the web address",
    "/missing": "404: there is nothing at this address",
    "/login": "401: it wants a login",
    "/busy": "429: it is read too often",
    "/broken": "500: the site is out of order",
    "/odd": "299",
    "/half": "no whole one",
    "/half-gzip": "breaks off in the middle",
    "/no-gzip": "cannot be decompressed",
    "/brotli": "compressed as br",
    "/announced": "larger than 100000 bytes",
    "/long": "larger than 100000 bytes",
    "/bomb": "larger than 100000 bytes",
    "/bomb.gz": "larger than 100000 bytes",
    "/half.gz": "breaks off in the middle",
    "/damaged.gz": "cannot be decompressed",
    "/slow-body": "more than 1 s",
    "/slow-headers": "more than 1 s",
}


@pytest.mark.parametrize("path", REFUSED)
def test_bad_answer_is_refused_with_its_reason(site, path):
    with pytest.raises(SourceError) as refused:
        fetch(f"{site}{path}", None, LOOPBACK, LIMITS)
    message = str(refused.value)
    assert message.startswith(f"{site}{path}: ")
    assert REFUSED[path] in message
    assert "\n" not in message


def test_private_network_is_refused(site):
    with pytest.raises(SourceError, match="not public"):
        fetch(f"{site}/good", None, (), LIMITS)


def test_redirect_into_a_private_network_is_refused(site):
    ANSWERS["/inside"] = (302, {"Location": "http://10.0.0.1/"}, [])
    with pytest.raises(SourceError, match="not public"):
        fetch(f"{site}/inside", None, LOOPBACK, LIMITS)


@pytest.mark.parametrize(
    "address",
    [
        "/etc/passwd",
        "file:///etc/passwd",
        "ftp://example.org/a.ics",
        "http:///a.ics",
        "http://[",
        "example.org",
        "",
        "http://exa mple.org/",
        "https://\N{SNOWMAN}\N{ZERO WIDTH SPACE}.example/\n",
    ],
)
def test_what_is_no_address_of_the_web_is_refused(address):
    with pytest.raises(SourceError, match=r"not a web address|cannot be found|gives no answer"):
        fetch(address, None, LOOPBACK, LIMITS)


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("nowhere.invalid", "nowhere.invalid cannot be found"),
        ("127.0.0.1:9", "It cannot be reached"),
    ],
)
def test_site_that_is_not_there_is_named_once(host, words):
    with pytest.raises(SourceError, match=rf"^http://{host}/: {words}\.$"):
        fetch(f"http://{host}/", None, LOOPBACK, LIMITS)


def test_page_instead_of_a_calendar_is_called_by_its_title():
    page = b"\xef\xbb\xbf\n<!DOCTYPE html><html><head><title>Wer &amp; Wo</title></head></html>"
    with pytest.raises(SourceError, match='no calendar, but a page of the web "Wer & Wo"'):
        refuse_page(page, "calendar")


def test_page_with_a_password_is_a_login():
    page = b"<html><form><input name=p type='password'></form></html>"
    with pytest.raises(SourceError, match="wants a login"):
        refuse_page(page, "calendar")


def test_calendar_is_no_page():
    refuse_page(CALENDAR, "calendar")
