"""A report names the trouble of a source; nothing is stored then, and nothing lost."""

import dataclasses
import gzip

import pytest
from calendars import calendar, vevent

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.assembly.services import build_services
from calendar_app.domain.moments import system_clock
from calendar_app.sources.parsed import Fetched
from calendar_app.sources.reports import Reports
from calendar_app.storage.mongo.store import Store

EDITOR = Caller(2, "editor", "editor")
GOOD = calendar(*(vevent(f"{n}@club", title=f"Concert {n}") for n in range(3))).encode()
LOGIN = b"<!doctype html><title>Club</title><form><input type=password></form>"
ENGLISH = {"Accept-Language": "en"}
# The file, the status and the headers of an answer, and what is said of it.
TROUBLES = {
    "a page": (b"<!doctype html><title>Club</title>", 200, {}, 'a page of the web "Club"'),
    "a login": (LOGIN, 200, {}, "wants a login"),
    "nothing there": (b"", 404, {}, "there is nothing at this address"),
    "out of order": (b"", 503, {}, "the site is out of order"),
    "a circle": (b"", 302, {"Location": "/all.ics"}, "in a circle"),
    "into a private network": (b"", 302, {"Location": "http://10.0.0.1/"}, "not public"),
    "to a file": (b"", 302, {"Location": "file:///etc/passwd"}, "not the web address"),
    "5 GB": (b"", 200, {"Content-Length": "5000000000"}, "larger than"),
    "a bomb": (gzip.compress(bytes(60_000_000)), 200, {"Content-Encoding": "gzip"}, "larger than"),
    "other words": (b"Internal Server Error", 200, {}, "not an iCalendar file"),
    "an empty file": (b"", 200, {}, "empty"),
    "half a file": (GOOD[: len(GOOD) // 2], 200, {}, "cut off"),
    "half a file in UTF-16": (GOOD.decode().encode("utf-16")[:600], 200, {}, "cut off"),
}


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, source_networks=("127.0.0.0/8",))


def stored(database):
    return {name: list(database[name].find()) for name in ("events", "venues", "history")}


def test_trouble_at_the_source_is_named_and_nothing_changes(app, host, database, as_editor):
    sources = get_services(app).sources
    address = host.put("/all.ics", GOOD)
    feed = {"name": "Club", "kind": "ics", "address": address, "status": "publish"}
    source = sources.add(feed | {"vanished": "trash"}, EDITOR).id
    assert sources.readings.read(source, EDITOR).numbers == {"new": 3}
    before = stored(database)
    for trouble, (body, status, headers, words) in TROUBLES.items():
        host.put("/all.ics", body, status, **headers)
        reading = as_editor.send("POST", f"/sources/{source}/read", headers=ENGLISH).json
        assert reading["state"] in ("failed", "waiting"), trouble
        assert words in reading["reason"], (trouble, reading["reason"])
        path = f"/sources/{source}/readings"
        report = as_editor.send("GET", path, headers=ENGLISH).json["readings"]
        assert reading["reason"] in [each["reason"] for each in report]
        assert stored(database) == before, trouble


@pytest.mark.parametrize(
    ("encoding", "guessed"), [("latin-1", {"left_out": 1}), ("utf-16", {}), ("utf-8-sig", {})]
)
def test_a_calendar_is_read_in_the_encodings_that_programs_write(app, database, encoding, guessed):
    sources = get_services(app).sources
    feed = {"name": "Club", "kind": "ics", "address": "https://club.example.org/a.ics"}
    source = sources.add(feed, EDITOR).id
    content = calendar(vevent(title="Café")).encode(encoding)
    assert sources.readings.read(source, EDITOR, content=content).numbers == {"new": 1, **guessed}
    assert database["events"].find_one()["variants"]["de"]["title"] == "Café"


@pytest.mark.parametrize(
    "content", [b"<html>", b"[" * 200_000, b'{"events": []}'], ids=["page", "deep", "answer"]
)
def test_file_that_is_no_list_of_a_site_is_refused_in_one_line(sources, add, content):
    reading = sources.readings.read(add(kind="tec"), EDITOR, content=content)
    assert (reading.state, reading.reason) == (
        "failed",
        "It contains something other than pages of events in JSON, one a line.",
    )


def test_defect_in_one_source_lets_the_others_be_read(sources, add, clock, monkeypatch):
    number = add(every=60)
    add(every=60)

    def fetch(source, _):
        if source.id == number:
            raise LookupError
        return Fetched(GOOD, "", "", source.address)

    monkeypatch.setattr(sources.readings, "parts", dataclasses.replace(sources.parts, fetch=fetch))
    clock.advance(hours=2)
    assert sources.readings.read_due() == 1
    assert sources.readings.last(number, EDITOR).state == "interrupted"


class _Watched(Reports):
    """Keeps the results that stand at a source when it is told that a reading has ended."""

    def __init__(self, *made_of):
        super().__init__(*made_of)
        self.results = []

    def finish(self, reading):
        self.results.append(self.state(reading.source).get("result"))
        super().finish(reading)


def test_reading_has_not_ended_before_its_result_stands_at_the_source(
    sources, add, read, monkeypatch
):
    watched = _Watched(sources.parts.store, sources.parts.now)
    monkeypatch.setattr(
        sources.readings, "parts", dataclasses.replace(sources.parts, reports=watched)
    )
    read(add(), vevent(title="Concert"))
    assert watched.results == ["done"]


@pytest.fixture
def parsed(sources, monkeypatch):
    """Return the list of contents that are parsed from now on."""
    contents = []

    def noting(read):
        def read_noted(content, *options):
            contents.append(content)
            return read(content, *options)

        return read_noted

    readers = {kind: noting(read) for kind, read in sources.parts.readers.items()}
    monkeypatch.setattr(
        sources.readings, "parts", dataclasses.replace(sources.parts, readers=readers)
    )
    return contents


def test_answer_that_is_the_same_is_not_parsed_again(sources, add, host, clock, parsed):
    number = add(address=host.put("/all.ics", GOOD), every=60)
    for _ in range(3):
        clock.advance(hours=2)
        assert sources.readings.read_due() == 1
    assert parsed == [GOOD]
    assert sources.readings.last(number, EDITOR).state == "unchanged"


def test_answer_that_was_refused_is_not_parsed_again_by_schedule(sources, add, host, clock, parsed):
    number = add(address=host.put("/all.ics", LOGIN), every=60)
    reasons = set()
    for _ in range(3):
        clock.advance(days=2)
        sources.readings.read_due()
        last = sources.readings.last(number, EDITOR)
        reasons.add((last.state, last.reason))
    assert len(reasons) == 1
    assert parsed == [LOGIN]
    # People may want to see it fail, and other answers are read.
    sources.readings.read(number, EDITOR)
    assert parsed == [LOGIN, LOGIN]
    host.put("/all.ics", GOOD)
    clock.advance(days=2)
    sources.readings.read_due()
    assert sources.readings.last(number, EDITOR).state == "done"
    host.put("/all.ics", LOGIN)
    clock.advance(days=2)
    sources.readings.read_due()
    assert (sources.readings.last(number, EDITOR).state, parsed[2:]) == ("failed", [GOOD])


def test_reading_beyond_its_bounds_fails_with_the_reason(add, sources, database, settings):
    bounded = dataclasses.replace(settings, source_computing=1)
    number = add()
    own = build_services(bounded, Store(database), system_clock).sources
    before = stored(database)
    many = calendar(*(vevent(f"{n}@club", title=f"Concert {n}") for n in range(20_000)))
    reading = own.readings.read(number, EDITOR, content=many.encode())
    assert (reading.state, reading.reason) == (
        "failed",
        "The source took more than 1 s of computing to read.",
    )
    assert stored(database) == before
    assert sources.readings.read(number, EDITOR, content=GOOD).numbers == {"new": 3}
