"""``import tec`` from a live site: page by page, with retries, and errors in one line."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from import_report import missing, outcome
from small_calendar import calendar, event, stored
from small_calendar import pages as pages_of


class Replay(BaseHTTPRequestHandler):
    """Answers with the pages of a site, or with errors while it is busy."""

    def do_GET(self):
        url = urlsplit(self.path)
        name = url.path.rpartition("/")[2]
        page = parse_qs(url.query)["page"][0]
        body = self.server.bodies.get((name, page))
        if isinstance(body, list):
            # The last body is repeated.
            body = body.pop(0) if len(body) > 1 else body[0]
        self.server.requests.append(url)
        if self.server.busy:
            self._answer(*self.server.busy.pop())
        elif body is None:
            self._answer(404, {"code": "rest_no_route"})
        else:
            self._answer(200, body)

    def _answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


@contextmanager
def live(site, *busy):
    """Serve a site on loopback; its first answers are ``busy``, pairs of status and body."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Replay) as server:
        server.requests = []
        server.busy = list(busy)
        server.bodies = {
            (urlsplit(path).path[1:], parse_qs(urlsplit(path).query)["page"][0]): body
            for path, body in pages_of(site)
        }
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def address(server):
    return f"http://127.0.0.1:{server.server_port}/wp-json/tribe/events/v1/"


def test_live_site_is_walked_page_by_page(import_calendar, database):
    with live(calendar()) as server:
        assert outcome(import_calendar(address(server))) == (9, 0, 0, 0)
    assert stored(database, "events", 62)["variants"]["de"]["title"] == "Talk"
    queries = {}
    for url in server.requests:
        queries.setdefault(url.path.rpartition("/")[2], parse_qs(url.query))
    assert queries["categories"]["hide_empty"] == ["0"]
    assert queries["events"]["per_page"] == ["50"]
    assert queries["events"]["start_date"] < ["1900"] < ["2100"] < queries["events"]["end_date"]


def test_query_in_the_address_goes_with_each_request(import_calendar):
    with live(calendar()) as server:
        assert outcome(import_calendar(f"{address(server)}?lang=rm")) == (9, 0, 0, 0)
    assert all(parse_qs(url.query)["lang"] == ["rm"] for url in server.requests)


def test_live_site_and_its_recording_are_the_same(import_calendar):
    import_calendar(calendar())
    with live(calendar()) as server:
        assert outcome(import_calendar(address(server))) == (0, 0, 9, 0)


def test_busy_site_is_asked_again(import_calendar):
    with live(calendar(), (429, {}), (503, {})) as server:
        assert outcome(import_calendar(address(server))) == (9, 0, 0, 0)


def test_site_without_a_calendar_ends_with_one_line_and_writes_nothing(import_calendar, database):
    with live({"categories": []}) as server:
        result = import_calendar(address(server))
    assert result.exit_code != 0
    (line,) = result.stderr.splitlines()
    assert "404" in line
    assert database["categories"].count_documents({}) == 0


@pytest.mark.parametrize("body", [[], {"categories": 5}, {"categories": [], "total_pages": "x"}])
def test_malformed_response_ends_with_one_line(import_calendar, body):
    with live(calendar(), (200, body)) as server:
        result = import_calendar(address(server))
    assert result.exit_code != 0
    assert len(result.stderr.splitlines()) == 1


def test_record_that_slipped_between_two_pages_is_asked_for_again(import_calendar, database):
    with live(calendar()) as server:
        first, second = server.bodies["events", "1"], server.bodies["events", "2"]
        shifted = {**second, "events": first["events"][1:]}
        server.bodies["events", "2"] = [shifted, second]
        assert outcome(import_calendar(address(server))) == (9, 0, 0, 0)
    assert stored(database, "events", 62)["status"] == "publish"


@pytest.mark.parametrize("pages", [{"1": 1}, {"1": 3, "2": 3}], ids=["one page", "no third page"])
def test_incomplete_list_is_reported_instead_of_missing_records(import_calendar, pages):
    import_calendar(calendar())
    with live(calendar()) as server:
        events = [event(60, "Concert"), event(61, "Market")]
        del server.bodies["events", "2"]
        for page, count in pages.items():
            body = {"events": events, "total": 6, "total_pages": count}
            server.bodies["events", page] = body
        result = import_calendar(address(server))
    assert "events: the site counts 6, and gave 2 only" in result.stdout.splitlines()
    assert missing(result) == []
