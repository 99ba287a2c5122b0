"""Texts of events that are the same as last time are not parsed again, unless they would differ."""

import pytest

from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader

CLOCKS = """BEGIN:VTIMEZONE
TZID:Club
LAST-MODIFIED:20260101T000000Z
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
END:VTIMEZONE"""
CHOIR = """BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Zurich:20270106T190000
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:Choir
END:VEVENT"""
GUEST = """BEGIN:VEVENT
UID:choir
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=Europe/Zurich:20270113T190000
DTSTART;TZID=Europe/Zurich:20270113T200000
SUMMARY:Guest
END:VEVENT"""


def read(*components, texts=None, languages=("de", "rm"), zone="Europe/Zurich"):
    lines = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *components, "END:VCALENDAR", ""])
    reader = CalendarReader(Languages(languages, "de"), zone, texts or {})
    return reader.read(lines.replace("\n", "\r\n").encode())


def texts_of(parsed):
    return {event.uid: event.text_digest for event in parsed.events}


@pytest.mark.parametrize(
    "components",
    [
        (CLOCKS, CHOIR, GUEST),
        (CLOCKS, GUEST, CHOIR),
        (CLOCKS, CHOIR.replace("DTSTAMP:2026", "DTSTAMP:2027"), GUEST),
        (CLOCKS.replace("MODIFIED:2026", "MODIFIED:2027"), CHOIR, GUEST),
        (CLOCKS, CHOIR.replace("SUMMARY:Choir", "SUMMARY:Ch\n oir"), GUEST),
        (CLOCKS, CHOIR.replace("END", "BEGIN:VALARM\nUID:1\nEND:VALARM\nEND", 1), GUEST),
    ],
    ids=["as it was", "in another order", "a later stamp", "a later zone", "folded", "an alarm"],
)
def test_the_same_text_is_not_parsed(components):
    texts = texts_of(read(CLOCKS, CHOIR, GUEST))
    parsed = read(*components, texts=texts)
    assert (len(parsed.events), parsed.unparsed_uids) == (0, {"choir"})


@pytest.mark.parametrize(
    ("components", "options"),
    [
        ((CLOCKS, CHOIR.replace("Choir", "Band"), GUEST), {}),
        ((CLOCKS, CHOIR), {}),
        ((CLOCKS, CHOIR, GUEST, GUEST.replace("0113", "0120")), {}),
        ((CLOCKS.replace("+0100", "+0137"), CHOIR, GUEST), {}),
        (("X-WR-TIMEZONE:Europe/Athens", CLOCKS, CHOIR, GUEST), {}),
        ((CLOCKS, CHOIR, GUEST), {"zone": "Europe/Athens"}),
        ((CLOCKS, CHOIR, GUEST), {"languages": ("de", "fr")}),
    ],
    ids=["title", "a date less", "a date more", "clocks", "its zone", "our zone", "languages"],
)
def test_what_would_be_read_otherwise_is_parsed(components, options):
    texts = texts_of(read(CLOCKS, CHOIR, GUEST))
    parsed = read(*components, texts=texts, **options)
    assert (len(parsed.events), parsed.unparsed_uids) == (1, set())


@pytest.mark.parametrize(
    "components",
    [
        (CHOIR.replace("RRULE", "EXRULE:FREQ=YEARLY\nRRULE"),),
        (CHOIR, GUEST.replace("T190000", "T190000\nURL:nowhere", 1)),
        (CHOIR, GUEST.replace("20270113T200000", "nothing")),
        (CHOIR, GUEST.replace("RECURRENCE-ID", "RECURRENCE-ID;RANGE=THISANDFUTURE")),
        (GUEST, GUEST.replace("0113", "0120")),
    ],
    ids=["left out", "left out of a date", "a date refused", "several series", "lone dates"],
)
def test_what_has_to_be_said_again_is_parsed_each_time(components):
    first = read(*components)
    assert set(texts_of(first).values()) == {""}
    again = read(*components, texts=texts_of(first))
    assert (again.left_out, again.refused) == (first.left_out, first.refused)
    assert len(again.events) == len(first.events)


@pytest.mark.parametrize("line", ["UID:a\\,b", "UID;X-A=1:a", "uid:a", "X-NONE:a"])
def test_a_uid_is_the_same_however_it_is_written(line):
    parsed = read(CHOIR.replace("UID:choir", line))
    again = read(CHOIR.replace("UID:choir", line), texts=texts_of(parsed))
    assert again.unparsed_uids == {event.uid for event in parsed.events}
