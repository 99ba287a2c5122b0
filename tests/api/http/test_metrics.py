"""The figures for Prometheus."""

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from calling import BASE

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.calendar.reading.slots import FeedSlots
from calendar_app.sources.reports import RESULTS
from calendar_app.storage.embedded.directory import DataDirectory
from calendar_app.storage.mongo.connection import open_database


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, metrics=True)


@pytest.fixture
def counted(app):
    """Return a function that counts the responses, by method and route."""

    def figures():
        text = app.test_client().get("/metrics").get_data(as_text=True)
        line = r'calendar_requests_total\{method="(\w+)",route="([^"]+)",status="\d+"\} (\d+)'
        return {(method, route): int(many) for method, route, many in re.findall(line, text)}

    return figures


def test_unknown_methods_share_a_metrics_label(app, counted):
    for method in ("BREW", "WHEN"):
        assert app.test_client().open(f"{BASE}/tags", method=method).status_code == 405
    methods = {method for method, _ in counted()}
    assert "other" in methods
    assert methods <= {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"}


@pytest.mark.parametrize(("metrics", "more"), [(True, 1), (False, 0)])
def test_answers_are_counted_where_figures_are_wanted(worker, counted, metrics, more):
    before = counted().get(("GET", f"{BASE}/organizers"), 0)
    assert worker(metrics=metrics).get("/organizers").status_code == 200
    assert counted().get(("GET", f"{BASE}/organizers"), 0) == before + more


@pytest.fixture
def figure(app):
    """Return a function that reads a metric's value, ``None`` where it is missing."""

    def value(name):
        text = app.test_client().get("/metrics").get_data(as_text=True)
        match = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        return float(match[1]) if match else None

    return value


def test_the_database_is_measured(figure):
    assert figure("calendar_database_up") == 1
    assert 0 < figure("calendar_database_seconds") < 10
    assert figure("calendar_database_disk_free_bytes") > 0


def test_a_database_that_is_away_is_down(settings, clock):
    away = open_database("mongodb://127.0.0.1:1/calendar?replicaSet=none", patience=10)
    with closing(away.client):
        text = create_app(settings, away, clock).test_client().get("/metrics").text
    assert "calendar_database_up 0.0" in text
    assert "calendar_database_seconds" not in text


def test_readings_of_sources_are_counted_and_a_source_grows_old(app, figure, clock):
    sources, editor = get_services(app).sources, Caller(2, "editor", "editor")
    feed = {"name": "Club", "kind": "ics", "address": "https://club.example.org/a.ics"}
    number = sources.add(feed | {"every": 60}, editor).id
    age = rf'calendar_source_age_seconds\{{name="Club",source="{number}"\}}'
    assert figure(age) == 0
    clock.advance(hours=2)
    sources.readings.read(number, editor, content=b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    clock.advance(hours=3)
    sources.readings.read(number, editor, content=b"<html>")
    for result in ("done", "failed"):
        labels = rf'name="Club",result="{result}",source="{number}"'
        assert figure(rf"calendar_source_readings_total\{{{labels}\}}") == 1
    assert figure(age) == 3 * 60 * 60
    labels = rf'\{{name="Club",source="{number}"\}}'
    assert figure(f"calendar_source_failures{labels}") == 1
    assert figure(f"calendar_source_events{labels}") == 0
    assert figure(f"calendar_source_held_back_events{labels}") == 0


def test_events_of_a_source_and_those_held_back_are_measured(app, figure, clock):
    sources, editor = get_services(app).sources, Caller(2, "editor", "editor")
    feed = {"name": "Club", "kind": "ics", "address": "https://club.example.org/a.ics"}
    number = sources.add(feed | {"vanished": "trash"}, editor).id
    labels = rf'\{{name="Club",source="{number}"\}}'

    def read(numbers):
        events = "".join(
            f"BEGIN:VEVENT\r\nUID:{each}@club\r\nSUMMARY:Concert {each}\r\n"
            f"DTSTART:203003{each:02}T190000Z\r\nEND:VEVENT\r\n"
            for each in numbers
        )
        content = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n"
        sources.readings.read(number, editor, content=content.encode())

    read(range(1, 21))
    assert figure(f"calendar_source_events{labels}") == 20
    clock.advance(days=2)
    read([1, 20])
    clock.advance(days=2)
    read([1, 20])
    assert figure(f"calendar_source_held_back_events{labels}") > 0


def test_readings_of_a_new_source_count_from_zero(app, figure):
    sources, editor = get_services(app).sources, Caller(2, "editor", "editor")
    feed = {"name": "New", "kind": "ics", "address": "https://new.example.org/a.ics"}
    number = sources.add(feed, editor).id
    for result in RESULTS:
        labels = rf'name="New",result="{result}",source="{number}"'
        assert figure(rf"calendar_source_readings_total\{{{labels}\}}") == 0


def test_failures_of_a_route_count_from_zero(app, figure):
    app.test_client().get(f"{BASE}/venues")
    for status in ("500", "503"):
        labels = rf'method="GET",route="{BASE}/venues",status="{status}"'
        assert figure(rf"calendar_requests_total\{{{labels}\}}") is not None


def test_refused_secrets_are_counted(app, figure):
    before = figure("calendar_refused_secrets_total")
    app.test_client().post(f"{BASE}/events", headers={"Authorization": "Bearer wrong"})
    assert figure("calendar_refused_secrets_total") == before + 1


@pytest.mark.parametrize(("uri", "lines"), [("", ["2.0"]), ("mongodb://db.example/calendar", [])])
def test_restarts_of_our_own_mongod_are_counted(settings, database, tmp_path, uri, lines):
    for _ in range(2):
        DataDirectory(tmp_path).count_restart()
    located = dataclasses.replace(settings, mongodb_uri=uri, data=str(tmp_path))
    text = create_app(located, database).test_client().get("/metrics").text
    assert re.findall(r"^calendar_mongod_restarts_total (\S+)$", text, re.MULTILINE) == lines


def test_feeds_that_wait_are_counted(figure):
    slots = FeedSlots(1)
    with ThreadPoolExecutor(1) as pool:
        with slots.slot("192.0.2.1"):
            waiting = pool.submit(lambda: slots.slot("192.0.2.1").__enter__())
            while figure("calendar_feeds_waiting") != 1:
                assert not waiting.done()
        waiting.result()

    assert figure("calendar_feeds_waiting") == 0
