"""The template of events: filled in, it is read without a mapping, in each language."""

import io
from datetime import date

import pytest
from openpyxl import load_workbook
from reading import only, read, when

from calendar_app.sources.readers.columns import fields_of
from calendar_app.sources.readers.template import (
    FIELDS,
    HEADINGS,
    csv_template,
    excel_template,
    headings,
)

TODAY = date(2026, 11, 28)
FILLED = {
    "uid": "4711",
    "title": "Chor",
    "start": "06.03.2027",
    "start_time": "19:30",
    "end": "06.03.2027",
    "end_time": "21:00",
    "venue": "Turnhalle",
    "city": "Samedan",
    "zip": "7503",
    "organizer": "Verein",
    "cost": "CHF 20",
    "categories": "Musik",
}


@pytest.mark.parametrize("language", HEADINGS)
def test_each_heading_is_known_as_its_field(language):
    assert fields_of(headings(language), {}) == {name: place for place, name in enumerate(FIELDS)}


@pytest.mark.parametrize("language", HEADINGS)
def test_filled_csv_template_gives_its_events_alone(language):
    row = ";".join(FILLED.get(name, "") for name in FIELDS)
    parsed = read("csv", csv_template(language, TODAY) + f"{row}\r\n".encode())
    event = only(parsed)
    assert (event.uid, event.changes["variants"]["de"]["title"]) == ("4711", "Chor")
    assert when(event) == ("06.03. 19:30", "06.03. 21:00")
    (venue,) = event.changes["venues"]
    assert (venue["variants"]["de"], venue["zip"]) == (
        {"venue": "Turnhalle", "city": "Samedan"},
        "7503",
    )
    assert event.changes["categories"] == ["Musik"]


@pytest.mark.parametrize("language", [*HEADINGS, "ru"])
def test_filled_workbook_gives_its_events_alone(language):
    workbook = load_workbook(io.BytesIO(excel_template(language, TODAY)))
    workbook.active.append([FILLED.get(name, "") for name in FIELDS])
    stream = io.BytesIO()
    workbook.save(stream)
    event = only(read("csv", stream.getvalue()))
    assert (event.uid, *when(event)) == ("4711", "06.03. 19:30", "06.03. 21:00")


@pytest.mark.parametrize("make", [csv_template, excel_template])
def test_template_alone_has_no_event(make):
    assert not [*read("csv", make("de", TODAY)).events]
