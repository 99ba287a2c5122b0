"""Content lines that are nearly right: what was meant is read, and what is no property is named."""

import pytest

from calendar_app.sources.imports.ics.repairs import repaired


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("DTSTART:20270812T240000", "DTSTART:20270813T000000"),
        ("DTSTART:20271231T240000Z", "DTSTART:20280101T000000Z"),
        ("DTSTART;TZID=Europe/Zurich:20270812T2000", "DTSTART;TZID=Europe/Zurich:20270812T200000"),
        ("DTSTART:2027-08-12T20:00:00", "DTSTART:20270812T200000"),
        ("DTSTART:2027-08-12 20:00", "DTSTART:20270812T200000"),
        ("DTSTART:20270812T200000.000Z", "DTSTART:20270812T200000Z"),
        ("DTSTART:20270612T200000+0200", "DTSTART:20270612T180000Z"),
        ("DTSTART;TZID=Europe/Zurich:20270612T200000+02:00", "DTSTART:20270612T180000Z"),
        ("DTSTART;VALUE=DATE:2027-05-01", "DTSTART;VALUE=DATE:20270501"),
        ("DTSTART;VALUE=DATE:20270501T190000", "DTSTART:20270501T190000"),
        ("DTSTART;VALUE=DATE-TIME:20270501", "DTSTART:20270501"),
        ("EXDATE:20270812T2000,20270819T2000", "EXDATE:20270812T200000,20270819T200000"),
    ],
)
def test_time_in_another_notation_is_read(line, meant):
    assert repaired(line) == (meant, [])


@pytest.mark.parametrize(
    "line",
    [
        "DTSTART:20270812T200000Z",
        "DTSTART;VALUE=DATE:20270812",
        "DTSTART:20271399T200000",
        "DTSTART:20270812T250000",
        "RDATE;VALUE=PERIOD:20270812T200000Z/PT1H",
        "SUMMARY:2027-08-12T20:00:00",
        'ORGANIZER;CN="Ada; L: of B":mailto:ada@example.org',
        r"DESCRIPTION:He said \"no\"",
    ],
)
def test_other_lines_stay_as_they_are(line):
    assert repaired(line) == (line, [])


def test_quote_behind_a_backslash_belongs_to_the_name():
    line = r'ORGANIZER;CN="Ada \"Countess\" L":mailto:ada@example.org'
    assert repaired(line) == ("ORGANIZER;CN=\"Ada ^'Countess^' L\":mailto:ada@example.org", [])


@pytest.mark.parametrize("line", ["Beginn: 12 Uhr", "Achtung", "not: folded", "BEGINN:12"])
def test_line_that_is_no_property_is_taken_out(line):
    text = f"BEGIN:VEVENT\r\nX-NOTE:a\r\n{line}\r\nEND:VEVENT\r\n"
    assert repaired(text) == ("BEGIN:VEVENT\r\nX-NOTE:a\r\nEND:VEVENT\r\n", [line])
