"""The log tells who has changed which record, from where, and which secrets were refused."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from calendar_app.app import create_app

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "read-the-log.md"
AGENT = "Sender/1.0"
HEADERS = {"User-Agent": AGENT}
HOME = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def app_of_worker(settings, database, clock):
    """Return a function that makes a new service with an empty log."""
    return lambda **changed: create_app(replace(settings, **changed), database, clock)


@pytest.fixture
def lines(app, worker):
    """Return a function that sends a request as a user and returns the new log lines."""
    del app

    def send(method, path, name=None, headers=HEADERS, origin=HOME, **options):
        client = worker(name, trusted_proxies=("198.51.100.1",))
        with capture_logs() as captured:
            client.send(method, path, headers=headers, environ_overrides=dict(origin), **options)
        return captured

    return send


def only(lines, event):
    return [line for line in lines if line["event"] == event]


def changes(lines):
    return [(line["action"], line["record"]) for line in only(lines, "audit")]


def wrong(secret, name="admin"):
    token = b64encode(f"{name}:{secret}".encode()).decode()
    return HEADERS | {"Authorization": f"Basic {token}"}


def test_a_request_is_logged_with_caller_address_path_and_agent(lines, make_event):
    path = f"/events/{make_event()['id']}"
    (line,) = only(lines("GET", path, "editor"), "request")

    assert (line["user"], line["address"], line["agent"]) == (2, "192.0.2.7", AGENT)
    assert line["path"].endswith(path)


def test_a_request_without_credentials_has_no_user(lines):
    (line,) = only(lines("GET", "/events"), "request")
    assert line["user"] is None


def test_behind_a_trusted_proxy_the_client_is_named(lines):
    forwarded = {"X-Forwarded-For": "203.0.113.9"}
    for proxy, address in (("198.51.100.1", "203.0.113.9"), ("192.0.2.7", "192.0.2.7")):
        (line, *_) = lines("GET", "/events", headers=forwarded, origin={"REMOTE_ADDR": proxy})
        assert line["address"] == address


def test_each_write_logs_user_address_and_action(lines):
    created = lines("POST", "/venues", "editor", json={"venue": "Hall"})
    (line,) = only(created, "audit")
    kind, number = line["record"].split()

    assert (line["action"], kind) == ("create", "venue")
    assert (line["user"], line["address"], line["agent"]) == (2, "192.0.2.7", AGENT)
    assert line["request_id"] == only(created, "request")[0]["request_id"]
    for method, options, action in (
        ("PATCH", {"json": {"venue": "Town Hall"}}, "update"),
        ("DELETE", {}, "trash"),
        ("DELETE", {"query_string": {"force": "true"}}, "delete"),
    ):
        log_lines = lines(method, f"/venues/{number}", "editor", **options)
        assert changes(log_lines) == [(action, f"venue {number}")]


def test_records_created_with_an_event_are_logged_separately(lines):
    body = {
        "title": "Concert",
        "start_date": "2030-03-10 19:00:00",
        "end_date": "2030-03-10 22:00:00",
        "venue": {"venue": "Hall"},
        "categories": ["Theatre"],
    }
    logged_changes = changes(lines("POST", "/events", "editor", json=body))

    kinds = sorted(record.split()[0] for _, record in logged_changes)
    assert kinds == ["category", "event", "venue"]
    assert {action for action, _ in logged_changes} == {"create"}


def test_a_write_that_changes_nothing_or_is_refused_has_no_line(lines, make_venue):
    venue = make_venue(venue="Hall")
    path = f"/venues/{venue['id']}"
    assert changes(lines("PATCH", path, "admin", json={"venue": "Hall"})) == []
    assert changes(lines("PATCH", path, "subscriber", json={"venue": "Other"})) == []
    assert changes(lines("GET", path, "admin")) == []


@pytest.mark.parametrize("name", ["admin", "nobody"])
def test_a_refused_secret_has_a_line_without_the_secret(lines, name):
    log_lines = lines("GET", "/events", headers=wrong("my secret", name))
    (line,) = only(log_lines, "audit")

    assert (line["action"], line["address"]) == ("refused secret", "192.0.2.7")
    assert "my secret" not in json.dumps(log_lines)


def test_a_wrong_password_of_an_event_is_a_refused_secret(lines, make_event, as_admin):
    path = f"/events/{make_event()['id']}"
    as_admin.patch(path, password="open sesame")
    (line,) = only(lines("GET", path, query_string={"password": "guess"}), "audit")

    assert line["action"] == "refused secret"
    assert "guess" not in json.dumps(lines("GET", path, query_string={"password": "guess"}))
    assert only(lines("GET", path), "audit") == []
    assert only(lines("GET", path, query_string={"password": "open sesame"}), "audit") == []


@pytest.mark.parametrize(
    "agent", ["", '"address":"203.0.113.9"', '{"action":"refused secret","address":"203.0.113.9"']
)
def test_fail2ban_pattern_finds_the_address_despite_a_forged_agent(lines, agent):
    """``<HOST>`` stands for an address in fail2ban's patterns."""
    (pattern,) = re.findall(r"^failregex = (.+)$", PAGE.read_text(), re.MULTILINE)
    pattern = pattern.replace("<HOST>", r"(?P<host>[0-9a-f.:]+)")
    headers = wrong("wrong") | {"User-Agent": agent}
    log_lines = [
        matched["host"]
        for line in lines("GET", "/events", headers=headers)
        if (matched := re.search(pattern, f"host calendar[17]: {parsed_line(line)}"))
    ]

    assert log_lines == ["192.0.2.7"]


def parsed_line(line):
    """Return a line as the log writes it."""
    return json.dumps(line, separators=(",", ":"))
