"""``check-move`` compares old addresses on two sites, and knows which differences to expect."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from click.testing import CliRunner

from calendar_app.cli import main

BASE = "/wp-json/tribe/events/v1"
ICALENDAR, HTML, XML = "text/calendar; charset=utf-8", "text/html", "application/xml"
RULE = "BEGIN:VEVENT\r\nRRULE:FREQ=DAILY;COUNT=2\r\nEND:VEVENT\r\n"
DATES = "BEGIN:VEVENT\r\nEND:VEVENT\r\n" * 2


@pytest.fixture
def serve():
    """Return a function that serves answers by their path, or by path and query."""
    servers = []

    def start(answers):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                bare = self.path.partition("?")[0]
                missing = (404, HTML, "")
                status, kind, body = answers.get(self.path, answers.get(bare, missing))
                self.send_response(status)
                self.send_header("Location" if status == 301 else "Content-Type", kind)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def check(old, new, *options):
    return CliRunner().invoke(main, ["check-move", str(old), new, "--pause", "0", *options])


def listed(folder, *lines):
    file = folder / "addresses.txt"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def interface(**records):
    """Return the lists of an interface that has these records and no others."""
    names = ("categories", "tags", "venues", "organizers", "events")
    return {
        f"{BASE}/{name}": (
            200,
            "application/json",
            json.dumps(
                {
                    "rest_url": f"http://old.example{BASE}/{name}/",
                    "total": len(records.get(name, ())),
                    "total_pages": 1,
                    name: records.get(name, []),
                }
            ),
        )
        for name in names
    }


def test_addresses_that_answer_differ_in_nothing(serve, tmp_path):
    new = serve({"/event/a/": (200, HTML, "A"), "/events/": (200, HTML, "")})
    result = check(listed(tmp_path, "# pages", "https://old.example/event/a/", "/events/"), new)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        0,
        "2 addresses compared: 0 differences without a reason, 0 expected.",
    )


def test_an_address_that_is_gone_is_named_and_fails_the_check(serve, tmp_path):
    result = check(
        listed(tmp_path, "/event/a/", "/event/b/"), serve({"/event/a/": (200, HTML, "")})
    )
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "/event/b/: answers 404"


def test_redirects_are_followed_on_the_new_site_alone(serve, tmp_path):
    new = serve(
        {
            "/a": (301, "https://old.example/event/a/", ""),
            "/event/a/": (200, HTML, ""),
            "/b": (301, "https://elsewhere.example/", ""),
            "/round": (301, "/round", ""),
        }
    )
    result = check(listed(tmp_path, "https://old.example/a", "/b", "/round"), new)
    assert result.stdout.splitlines()[:2] == [
        "/b: leads to another site: https://elsewhere.example/",
        "/round: answers 508",
    ]


def test_a_recorded_answer_is_compared_value_by_value(serve, tmp_path):
    body = {
        "rest_url": f"https://old.example{BASE}/events/",
        "events": [{"id": 5, "title": "Concert", "cost": "Free"}],
    }
    recorded = tmp_path / "site.jsonl"
    recorded.write_text(json.dumps({"path": "/events?page=1", "body": body}), encoding="utf-8")
    changed = json.dumps({**body, "events": [{"id": 5, "title": "Opera", "cost": "Gratis"}]})
    result = check(tmp_path, serve({f"{BASE}/events": (200, "application/json", changed)}))
    unexplained, expected, _ = result.stdout.splitlines()
    assert unexplained == f"{BASE}/events?page=1: events.title is 'Opera', was 'Concert'"
    assert expected.startswith("expected, 1 times: That an event is free is said in the language")
    assert result.exit_code == 1


def test_a_running_site_is_walked_by_interface_sitemap_and_feeds(serve):
    records = {"events": [{"id": 5, "url": "http://old.example/event/a/"}]}
    index = "<sitemapindex><sitemap><loc>/events.xml</loc></sitemap></sitemapindex>"
    entries = ("/event/a/", "/event/b/", "/blog/c/")
    urls = "".join(f"<url><loc>{path}</loc></url>" for path in entries)
    old = serve(
        {
            **interface(**records),
            "/sitemap.xml": (200, XML, index),
            "/events.xml": (200, XML, f"<urlset>{urls}</urlset>"),
            "/events/?ical=1": (200, ICALENDAR, DATES),
            "/events/feed/": (200, "application/rss+xml", "<rss/>"),
            **dict.fromkeys(entries, (200, HTML, "")),
        }
    )
    new = serve(
        {
            **interface(**records),
            "/event/a/": (200, HTML, ""),
            "/events/?ical=1": (200, ICALENDAR, RULE),
            "/events/feed/": (200, HTML, ""),
        }
    )
    result = check(old, new)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        "/event/b/: answers 404",
        "/events/feed/: is text/html, was application/rss+xml",
    ]
    assert "A series is one event with a rule" in result.stdout
    assert "blog" not in result.stdout


def test_a_missing_record_is_named_and_the_others_are_compared_by_id(serve):
    events = [{"id": number, "title": f"Concert {number}"} for number in (1, 2, 3)]
    present = [events[0], events[2] | {"title": "Opera"}]
    result = check(serve(interface(events=events)), serve(interface(events=present)))
    page = f"{BASE}/events?per_page=50&start_date=1000-01-01&end_date=9999-12-30&page=1"
    values = [line.removeprefix(f"{page}: ") for line in result.stdout.splitlines()]
    assert "events.id 2 is missing" in values
    assert "events.title is 'Opera', was 'Concert 3'" in values
    assert not any("Concert 2" in value for value in values)


def test_another_order_of_records_is_a_difference(serve):
    events = [{"id": 1}, {"id": 2}]
    result = check(serve(interface(events=events)), serve(interface(events=events[::-1])))
    assert "events.id is [2, 1], was [1, 2]" in result.stdout


def test_lost_addresses_come_before_changed_values(serve):
    url = "http://old.example/event/a/"
    old = serve(interface(events=[{"id": 5, "title": "Concert", "url": url}]))
    new = serve(interface(events=[{"id": 5, "title": "Opera", "url": url}]))
    lines = check(old, new).stdout.splitlines()
    assert lines[0] == "/event/a/: answers 404"
    assert lines[1].endswith("events.title is 'Opera', was 'Concert'")


def test_site_without_the_interface_is_refused_with_its_address(serve):
    site = serve({"/": (200, HTML, "")})
    result = check(site, site)
    assert result.exit_code == 1
    assert f"OLD has no calendar at {site}{BASE}" in result.stderr


def test_list_in_another_encoding_is_refused_by_name(tmp_path):
    file = tmp_path / "addresses.txt"
    file.write_bytes("/événement/".encode("latin-1"))
    result = check(file, "http://127.0.0.1:9")
    assert (result.exit_code, result.stderr) == (1, f"Error: {file} is not in UTF-8.\n")


def test_no_more_addresses_are_compared_than_asked_for(serve, tmp_path):
    result = check(
        listed(tmp_path, "/a", "/b", "/c"), serve({"/a": (200, HTML, "")}), "--most", "1"
    )
    assert result.exit_code == 0
    assert "2 addresses were left out" in result.stdout


@pytest.mark.parametrize(("old", "new"), [("nowhere", "http://127.0.0.1:9"), ("{}", "agenda")])
def test_what_is_no_site_is_refused_in_one_line(tmp_path, old, new):
    result = check(old.format(listed(tmp_path, "/a")), new)
    assert result.exit_code in (1, 2)
    assert result.stderr.strip()
    assert "Traceback" not in result.output


def test_a_site_that_is_away_ends_the_check_with_its_address(tmp_path):
    result = check(listed(tmp_path, "/a"), "http://127.0.0.1:9")
    assert result.exit_code == 1
    assert "http://127.0.0.1:9/a gives no answer" in result.stderr
