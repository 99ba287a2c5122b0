"""All feeds of one day on one server of this machine."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from region import writing
from region.feeds import CSV, ERROR, HALF, ICS, LOGIN, PAGE, SITE, TEC, Feed, Item

_LOGIN = b"<!doctype html><html><head><title>Login</title></head><form><input type=password></form>"
_XML = "http://www.sitemaps.org/schemas/sitemap/0.9"
_PATHS = {ICS: "feed.ics", TEC: "events/v1", PAGE: "agenda", SITE: "sitemap.xml", CSV: "feed.csv"}
_TYPES = {
    ICS: "text/calendar; charset=utf-8",
    CSV: "text/csv; charset=utf-8",
    TEC: "application/json",
    SITE: "application/xml",
}
_PAGE_TYPE = "text/html; charset=utf-8"


class Host:
    """The server; ``today`` is the clock of all feeds, and ``asked`` counts requests."""

    def __init__(self, feeds: Mapping[int, Feed], today: datetime) -> None:
        self._feeds = feeds
        self.today = today
        self.address = ""
        self.asked = 0

    def address_of(self, feed: Feed) -> str:
        return f"{self.address}/{feed.number}/{_PATHS[feed.kind]}"

    def answer(self, path: str, headers: Mapping[str, str]) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of a request."""
        self.asked += 1
        address = urlsplit(path)
        _, number, name, *rest = [*address.path.split("/"), ""]
        feed = self._feeds.get(int(number) if number.isdecimal() else -1)
        if feed is None:
            return 404, {}, b""
        query = {key: values[0] for key, values in parse_qs(address.query).items()}
        if feed.fault == ERROR or self._is_cut_off(feed, query):
            return 500, {}, b"Internal Server Error"
        body = _LOGIN if feed.fault == LOGIN else self._body(feed, name, rest, query)
        is_page = feed.kind == SITE and name != _PATHS[SITE]
        fields = {"Content-Type": _PAGE_TYPE if is_page else _TYPES.get(feed.kind, _PAGE_TYPE)}
        if feed.has_tags:
            fields["ETag"] = f'"{sha256(body).hexdigest()}"'
            if headers.get("If-None-Match") == fields["ETag"]:
                return 304, fields, b""
        return 200, fields, body

    def _is_cut_off(self, feed: Feed, query: Mapping[str, str]) -> bool:
        """Say whether a site fails behind its first page."""
        return feed.kind == TEC and feed.fault == HALF and int(query.get("page", "1")) > 1

    def _body(self, feed: Feed, name: str, rest: list[str], query: Mapping[str, str]) -> bytes:
        items = feed.items(self.today)
        match feed.kind:
            case "ics":
                # Most programs write another time into each download.
                count = 0 if feed.has_tags else self.asked
                stamp = self.today + timedelta(seconds=count)
                return _halved(writing.icalendar(feed, items, stamp), feed)
            case "csv":
                return _halved(writing.table(feed, items), feed)
            case "tec":
                return self._tec(feed, query)
            case "site" if name != _PATHS[SITE]:
                months = self._months(items)
                return writing.page(feed, months.get(rest[0], []))
            case "site":
                return self._sitemap(feed, items)
            case _:
                return _halved(writing.page(feed, items), feed)

    def _tec(self, feed: Feed, query: Mapping[str, str]) -> bytes:
        """Return a page as The Events Calendar does: what begins from now on, unless asked for."""
        page = int(query.get("page", "1"))
        items = [item for item in feed.items(self.today) if self._is_listed(item, query)]
        return writing.tec_page(feed, items, page)

    def _is_listed(self, item: Item, query: Mapping[str, str]) -> bool:
        return (item.end if "ends_after" in query else item.start) >= self.today

    def _months(self, items: list[Item]) -> dict[str, list[Item]]:
        months: dict[str, list[Item]] = {}
        for item in items:
            months.setdefault(f"{item.start:%Y-%m}", []).append(item)
        return months

    def _sitemap(self, feed: Feed, items: list[Item]) -> bytes:
        months = list(self._months(items))
        kept = months[: len(months) // 2] if feed.fault == HALF else months
        pages = (f"{self.address}/{feed.number}/agenda/{month}" for month in kept)
        urls = "".join(f"<url><loc>{page}</loc></url>" for page in pages)
        return f'<?xml version="1.0"?><urlset xmlns="{_XML}">{urls}</urlset>'.encode()


def _halved(content: bytes, feed: Feed) -> bytes:
    return content[: len(content) // 2] if feed.fault == HALF else content


@contextmanager
def served(feeds: Mapping[int, Feed], today: datetime) -> Iterator[Host]:
    """Serve the feeds on loopback; requests are answered one by one."""
    host = Host(feeds, today.astimezone(writing.ZONE).replace(tzinfo=None))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, fields, body = host.answer(self.path, self.headers)
            self.send_response(status)
            for name, value in {**fields, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        host.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield host
        finally:
            server.shutdown()
            thread.join()
