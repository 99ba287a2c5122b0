"""The fixtures of other calendar programs: no traceback, and nothing dropped without a word.

Those of the installed icalendar are read, a tenth of them; ``FOREIGN_CALENDARS`` names a directory
with more, such as clones of ical.js, node-ical and recurring-ical-events, and reads all.
"""

import os
import re
from pathlib import Path

import icalendar
import pytest

from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.parsed import SourceError

MORE = os.environ.get("FOREIGN_CALENDARS")
STEP = 1 if MORE is not None else 10
INSTALLED = sorted(Path(icalendar.__file__).parent.rglob("*.ics"))
FILES = [*INSTALLED[::STEP], *(sorted(Path(MORE).rglob("*.ics")) if MORE else ())]
EVENT = re.compile(rb"^BEGIN:VEVENT\s*$", re.IGNORECASE | re.MULTILINE)


def test_there_are_fixtures():
    assert len(FILES) >= 10


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_each_event_is_read_or_reported(file):
    content = file.read_bytes()
    try:
        parsed = CalendarReader(Languages(["en"], "en"), "UTC").read(content, partly=True)
    except SourceError:
        return  # no calendar, and told so
    read_count = len(parsed.events) + sum(len(event.overrides) for event in parsed.events)
    repeated = sum("another event" in words for _, words in parsed.left_out)
    reported_count = len(parsed.refused) + repeated + (not parsed.whole)
    assert read_count + reported_count >= len(EVENT.findall(content))
