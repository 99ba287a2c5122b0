"""RELATED-TO: an event continues the series of another one, if that is its parent."""

import pytest

from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader


def related(*lines):
    """Return the source to which an event of a file is related."""
    content = (
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:two"),
        *("DTSTAMP:20261101T100000Z", "DTSTART:20270104T190000Z", "SUMMARY:Chor", *lines),
        *("END:VEVENT", "END:VCALENDAR", ""),
    )
    parsed = CalendarReader(Languages(["de"], "de"), "UTC").read("\r\n".join(content).encode())
    (event,) = parsed.events
    return event.related


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("RELATED-TO:one", "ics:one"),
        ("RELATED-TO;RELTYPE=PARENT:one", "ics:one"),
        ("RELATED-TO;RELTYPE=parent:one", "ics:one"),
        ("RELATED-TO;RELTYPE=CHILD:one", ""),
        ("RELATED-TO;RELTYPE=SIBLING:one", ""),
        ("RELATED-TO:", ""),
    ],
)
def test_event_continues_what_it_names_as_its_parent(line, source):
    assert related(line) == source


def test_event_that_names_no_other_continues_none():
    assert related() == ""
