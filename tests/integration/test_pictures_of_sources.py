"""Pictures of a source that copies them: kept once, safely fetched, and never fetched in vain."""

import dataclasses
import json
import struct
import zlib
from datetime import timedelta

import pytest
from agenda import png
from calendars import WEEKLY, override, vevent

from calendar_app.accounts.callers import Caller
from calendar_app.sources.copying import CopyLimits
from calendar_app.sources.reports import SOURCE_READING_EVENTS

EDITOR = Caller(2, "editor", "editor")
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, source_networks=("127.0.0.0/8",))


def shown(uid, address, **values):
    return vevent(uid, f"IMAGE;VALUE=URI:{address}", **values)


def image(database, uid="1@club"):
    return database["events"].find_one({"from_sources.uid": uid}).get("image")


def entries(as_editor, source, headers=ENGLISH):
    (last, *_) = as_editor.send("GET", f"/sources/{source}/readings").json["readings"]
    path = f"/sources/{source}/readings/{last['id']}"
    return as_editor.send("GET", path, headers=headers).json["entries"]


def stored(database):
    names = ("events", "media", "history", "files.files", "outbox")
    return {name: list(database[name].find()) for name in names}


def test_pictures_stay_links_unless_the_source_copies_them(add, read, host, database):
    address = host.put("/a.png", png())
    read(add(), shown("1@club", address))
    assert (image(database), host.asked) == (address, [])


def test_a_copied_picture_has_the_credit_and_license_of_its_source(add, read, host, anyone):
    publisher = {"publisher": {"name": "Town"}, "license": "CC BY 4.0"}
    read(add(pictures="copy", **publisher), shown("1@club", host.put("/a.png", png())))
    (event,) = anyone.get("/events", start_date="2027-01-01").json["events"]
    picture = event["image"]
    assert (picture["width"], picture["credit"], picture["license"]) == (400, "Town", "CC BY 4.0")
    assert str(host.port) not in picture["url"]


def test_one_picture_at_two_addresses_is_kept_once(add, read, host, database):
    source, other = add(pictures="copy"), add(pictures="copy", name="Other", address="https://o.x/")
    one, two = host.put("/a.png", png()), host.put("/b.png", png())
    read(source, shown("1@club", one), shown("2@club", two, start="20270107T190000"))
    read(other, shown("3@club", two, title="Other", start="20270108T190000"))
    assert image(database, "1@club") == image(database, "2@club") == image(database, "3@club")
    assert database["media"].count_documents({}) == 1
    assert host.asked == ["/a.png", "/b.png"]


def test_an_unchanged_reading_asks_for_no_picture_and_writes_nothing(add, read, host, database):
    source = add(pictures="copy")
    event = shown("1@club", host.put("/a.png", png()))
    read(source, event)
    before, asked = stored(database), [*host.asked]
    assert read(source, event).state == "unchanged"
    read(source, event, dry_run=True)
    assert (stored(database), host.asked) == (before, asked)
    other = vevent("2@club", title="Market", start="20270207T190000")
    assert read(source, event, other).numbers == {"unchanged": 1, "new": 1}
    assert host.asked == asked


def test_a_replaced_picture_is_noticed_when_its_event_changes(add, read, host, database):
    source = add(pictures="copy")
    address = host.put("/a.png", png(), ETag='"1"')
    read(source, shown("1@club", address))
    first = image(database)
    host.put("/a.png", b"", 304)
    read(source, shown("1@club", address, title="Great choir"))
    assert (image(database), host.asked) == (first, ["/a.png", "/a.png"])
    host.put("/a.png", png("red"))
    read(source, shown("1@club", address, title="Grand choir"))
    assert image(database) != first
    assert database["media"].count_documents({}) == 2


def test_a_picture_that_is_gone_there_stays_here(add, read, host, database):
    source = add(pictures="copy")
    address = host.put("/a.png", png())
    read(source, shown("1@club", address))
    first = image(database)
    for status, body in ((404, b""), (200, b"<html>"), (500, b"")):
        host.put("/a.png", body, status)
        reading = read(source, shown("1@club", address, title=f"Choir {status}"))
        assert (reading.numbers, image(database)) == ({"changed": 1}, first)


def test_the_picture_of_an_editor_is_kept_and_no_other_is_fetched(
    add, read, host, database, as_editor
):
    source = add(pictures="copy")
    read(source, shown("1@club", host.put("/a.png", png())))
    event = database["events"].find_one()["_id"]
    own = "https://example.org/own.png"
    assert as_editor.put(f"/events/{event}", image=own).status_code == 200
    read(source, shown("1@club", host.put("/b.png", png("red")), title="Great choir"))
    assert (image(database), host.asked) == (own, ["/a.png"])


def bomb():
    """Return a PNG of a few hundred octets that says to have 60,000 by 60,000 pixels."""

    def chunk(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(bytes(1000))), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


# The file, the status and the headers of an answer, and the words for it.
TROUBLES = {
    "500 MB": (b"", 200, {"Content-Length": "500000000"}, "larger than 10 MB"),
    "500 MB without a length": (bytes(11_000_000), 200, {}, "larger than 10 MB"),
    "a page": (b"<html>", 200, {"Content-Type": "text/html"}, "not a picture, but text/html"),
    "a page that says to be a picture": (b"<html>", 200, {"Content-Type": "image/png"}, "JPEG"),
    "into a private network": (b"", 302, {"Location": "http://10.0.0.1/"}, "not public"),
    "to a file": (b"", 302, {"Location": "file:///etc/passwd"}, "not the web address"),
    "a bomb": (bomb(), 200, {}, "pixels"),
    "gone": (b"", 404, {}, "404"),
    "half a picture": (png()[:200], 200, {}, "damaged"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_an_event_comes_in_with_the_link_where_its_picture_is_refused(
    add, read, host, as_editor, trouble
):
    body, status, headers, words = TROUBLES[trouble]
    source = add(pictures="copy")
    address = host.put("/a.png", body, status, **headers)
    assert read(source, shown("1@club", address)).numbers == {"new": 1}
    (event,) = as_editor.get("/events", start_date="2027-01-01").json["events"]
    assert (event["image"]["url"], event["image"]["id"]) == (address, 0)
    assert as_editor.get("/media").json["total"] == 0
    (entry,) = entries(as_editor, source)
    assert entry["reason"].startswith("Its picture is linked, not copied: ")
    assert words in entry["reason"]


def test_the_reason_is_in_the_language_of_the_reader(add, read, host, as_editor):
    source = add(pictures="copy")
    read(source, shown("1@club", host.put("/a.png", b"<html>", Content_Type="text/html")))
    (entry,) = entries(as_editor, source, {"Accept-Language": "de"})
    assert entry["reason"] == (
        "Sein Bild ist verlinkt, nicht kopiert: Es ist kein Bild, sondern text/html."
    )


def test_a_refused_picture_is_tried_again_after_a_day_and_then_less_often(
    add, read, host, database, clock
):
    source, address = add(pictures="copy"), host.put("/a.png", b"", 500)
    event = shown("1@club", address, start="20280106T190000")
    asked = []
    for _ in range(8):
        read(source, event)
        asked.append(len(host.asked))
        clock.now += timedelta(days=1)
    assert asked == [1, 2, 2, 3, 3, 3, 3, 4]
    host.put("/a.png", png())
    clock.now += timedelta(days=8)
    assert read(source, event).numbers == {"changed": 1}
    assert isinstance(image(database), int)


def test_an_event_that_is_gone_there_is_waited_for_no_more(add, read, host, clock):
    source, other = add(pictures="copy"), vevent("2@club", title="Market")
    read(source, shown("1@club", host.put("/a.png", b"", 500)), other)
    states = []
    for days in (0, 3, 60):
        clock.now += timedelta(days=days)
        states.append(read(source, other).state)
    assert states == ["done", "done", "unchanged"]
    assert host.asked == ["/a.png"]


def test_a_series_and_its_dates_get_their_pictures(add, read, host, database):
    source = add(pictures="copy")
    one, two = host.put("/a.png", png()), host.put("/b.png", png("red"))
    changed = override("20270113T190000", f"IMAGE;VALUE=URI:{two}")
    weekly = vevent("1@club", WEEKLY, f"IMAGE;VALUE=URI:{one}")
    read(source, weekly, changed.replace("one@example.org", "1@club"))
    pictures = [each["image"] for each in database["events"].find().sort("start")]
    assert len(set(pictures)) == 2
    assert all(isinstance(each, int) for each in pictures)
    assert pictures[0] == pictures[2] != pictures[1]
    assert database["series"].find_one()["image"] == pictures[0]


def test_a_reading_copies_so_many_pictures_and_the_next_one_the_rest(
    sources, add, read, host, database
):
    readings = sources.readings
    copier = readings.parts.copier

    def copier_of_two(source):
        few = copier(source)
        few.limits = CopyLimits(pictures=2)
        return few

    readings.parts = dataclasses.replace(readings.parts, copier=copier_of_two)
    source = add(pictures="copy")
    events = [
        shown(f"{n}@club", host.put(f"/{n}.png", png(size=(n, 9))), start=f"2027010{n}T190000")
        for n in range(1, 6)
    ]
    copied = []
    for _ in range(4):
        read(source, *events)
        copied.append(database["media"].count_documents({}))
        if len(copied) == 1:
            later = {"reason": "Its picture is still linked. The next reading copies it."}
            assert database[SOURCE_READING_EVENTS].count_documents(later) == 3
    assert copied == [2, 4, 5, 5]
    assert len(host.asked) == 5
    assert all(isinstance(each["image"], int) for each in database["events"].find())


def test_a_source_that_begins_to_copy_takes_the_pictures_of_its_events(
    sources, add, read, host, database
):
    event = shown("1@club", host.put("/a.png", png()))
    source = add()
    read(source, event)
    sources.change(source, {"pictures": "copy"}, EDITOR)
    assert read(source, event).numbers == {"changed": 1}
    first = image(database)
    assert isinstance(first, int)
    sources.change(source, {"pictures": "link"}, EDITOR)
    read(source, event)
    assert image(database) == first


def test_a_picture_of_linked_data_has_its_own_texts(sources, add, host, anyone):
    picture = {
        "@type": "ImageObject",
        "url": host.put("/a.png", png()),
        "caption": "A choir on stage",
        "creator": {"name": "Anna"},
        "license": "https://creativecommons.org/licenses/by/4.0/",
    }
    event = {"@type": "Event", "name": "Choir", "startDate": "2027-01-06T19:00", "image": picture}
    page = json.dumps({"@context": "https://schema.org", **event}).encode()
    source = add(kind="jsonld", pictures="copy", license="CC0", publisher={"name": "Town"})
    sources.readings.read(source, EDITOR, content=page)
    (event,) = anyone.get("/events", start_date="2027-01-01").json["events"]
    own = event["image"]
    assert (own["alt_text"], own["credit"]) == ("A choir on stage", "Anna")
    assert own["license"] == "https://creativecommons.org/licenses/by/4.0/"


def test_the_picture_of_a_pushed_event_is_copied(add, host, database, as_editor):
    source = add(kind="push", address="", pictures="copy")
    times = {"start_date": "2027-01-06 19:00:00", "end_date": "2027-01-06 21:00:00"}
    body = {"title": "Choir", "image": host.put("/a.png", png()), **times}
    for _ in range(2):
        answer = as_editor.put(f"/events/by-source/{source}/1", **body)
        assert answer.status_code in (200, 201)
    assert isinstance(database["events"].find_one()["image"], int)
    assert host.asked == ["/a.png"]
