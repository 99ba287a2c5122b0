"""The note of a source in an event, and its conversion from notes of earlier releases."""

from datetime import datetime

import pytest

from calendar_app.calendar.reading.provenance import HIDDEN_OF_NOTES, NOTES, SHOWN_OF_NOTES
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.domain.moments import Moment
from calendar_app.domain.provenance import BY_LANGUAGE, named_note
from calendar_app.sources.adopting import imported_by, without_taken_over
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.noting import NoteWriter
from calendar_app.sources.source import Source

NOW = datetime.fromisoformat("2027-01-01 12:00")
UID = "events/site.example?id=5"
NEW, OLD = {"digest": "new"}, {"digest": "old", "group": "7"}
JOINED = {"digest": "other", "joined": True}
OF_FILE = {"digest": "file", "overridden": [], "exdates": []}
GERMAN = named_note(UID, {"de": OLD})
BOTH = named_note(UID, {"de": OLD, "rm": JOINED})
FILE = named_note(UID, {"de": OF_FILE})
ELSEWHERE = named_note("events/elsewhere.example?id=5", {"de": JOINED})
SOURCE = {"source": 1, "uid": UID, BY_LANGUAGE: {"de": OLD}}


def event(**fields):
    start = Moment(datetime.fromisoformat("2027-05-01 19:00"))
    changes = {
        "variants": {"de": {"title": "Fest"}},
        "start": start,
        "end": start,
        "timezone": "Europe/Zurich",
        "all_day": False,
    }
    own = {"source": UID, "uid": UID, "label": "Fest", "language": "de", "changes": changes}
    return CalendarEvent(**(own | fields))


def note_of(event, stored=None):
    source = Source(id=1, name="Site", kind="tec", language="de", timezone="Europe/Zurich")
    return NoteWriter(None, (EVENT, SERIES), source).fresh(event, stored or {}, NOW)


def test_readers_learn_nothing_of_a_note_but_its_source_and_page():
    full = event(imported=NEW, lineage=("1@elsewhere",), text_digest="text")
    names = {f"{NOTES}.{name}" for name in note_of(full)}
    assert names <= {*SHOWN_OF_NOTES, *HIDDEN_OF_NOTES}


def test_import_leaves_no_digest_since_a_reading_names_records_otherwise():
    assert note_of(event(imported=NEW))["digest"] == ""
    assert note_of(event())["digest"]


@pytest.mark.parametrize(
    ("own", "former", "noted", "expected"),
    [
        ({}, [], {}, {}),
        (NEW, [], {}, {"de": NEW}),
        ({}, [BOTH], {}, {"de": OLD}),
        ({}, [ELSEWHERE, FILE], {}, {}),
        (NEW, [GERMAN], {}, {"de": NEW}),
        ({}, [GERMAN], {BY_LANGUAGE: {"de": NEW, "rm": OLD}}, {"de": NEW, "rm": OLD}),
    ],
)
def test_note_of_a_source_has_what_imports_know_the_event_by(own, former, noted, expected):
    assert imported_by(event(imported=own), {NOTES: former}, noted) == expected


@pytest.mark.parametrize(
    ("former", "taken", "remaining"),
    [
        ([], {}, []),
        ([GERMAN], {}, []),
        ([BOTH], {}, [named_note(UID, {"rm": JOINED})]),
        ([ELSEWHERE, SOURCE], {}, [ELSEWHERE, SOURCE]),
        ([FILE], {"source": UID, "language": "de"}, []),
        ([FILE], {"source": UID, "language": "rm"}, []),
    ],
)
def test_name_that_every_source_knows_goes_once_the_note_of_a_source_has_it(
    former, taken, remaining
):
    assert without_taken_over(former, taken, SOURCE) == remaining
