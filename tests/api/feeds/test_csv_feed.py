"""A spreadsheet finds events as RFC 4180 has it, and works nothing out."""

import csv
from codecs import BOM_UTF8
from io import StringIO

import pytest

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def read(anyone):
    def table(**query):
        answer = anyone.get("/events.csv", **query)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.headers["Content-Disposition"] == 'attachment; filename="calendar.csv"'
        return list(csv.DictReader(StringIO(answer.data.decode(), newline=""), strict=True))

    return table


def test_a_line_is_an_event(read, make_event):
    event = make_event(
        title='Sing, "swing" & dance',
        cost="10-20",
        venue={"venue": "Town Hall", "city": "Chur", "geo_lat": -46.85, "geo_lng": 9.53},
        organizer=[{"organizer": "A"}, {"organizer": "B"}],
    )
    (line,) = read()
    assert (line["id"], line["title"]) == (str(event["id"]), 'Sing, "swing" & dance')
    assert (line["geo_lat"], line["geo_lng"]) == ("-46.85", "9.53")
    assert (line["organizer"], line["all_day"]) == ("A; B", "false")
    assert line["start_date"] == event["start_date"]


def test_custom_fields_have_their_labels(read, make_event):
    make_event(
        custom_fields={
            "admission": {"label": "Doors open", "value": "18:30"},
            "bring": {"value": "A <b>cup</b>"},
        }
    )
    (line,) = read()
    assert line["custom_fields"] == "Doors open: 18:30; bring: A cup"


def test_table_begins_with_a_byte_order_mark_where_excel_needs_it(anyone, make_event):
    make_event(title="Cor da Müstair")
    plain, marked = anyone.get("/events.csv"), anyone.get("/events.csv", bom="true")
    assert marked.data == BOM_UTF8 + plain.data
    assert marked.headers["ETag"] != plain.headers["ETag"]
    assert anyone.get("/events.csv", bom="false").data == plain.data
    refused = anyone.get("/events.csv", bom="perhaps")
    assert (refused.status_code, [*refused.json["data"]["params"]]) == (400, ["bom"])


def test_lines_end_as_the_standard_has_it(anyone, make_event):
    make_event()
    assert anyone.get("/events.csv").data.count(b"\r\n") == 2


FULL_WIDTH = ["\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)"]
BEHIND_INVISIBLE = ["\u200b=1+1", "\u2060\u00ad=1+1", "\u200d\uff1d1", "\u034f+1", "\u2060@A1"]


@pytest.mark.parametrize(
    "begin",
    ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", *FULL_WIDTH, *BEHIND_INVISIBLE],
)
def test_a_text_is_never_worked_out(read, make_event, begin):
    make_event(title=begin, excerpt=begin, venue={"venue": begin, "address": begin})
    (line,) = read()
    for name in ("title", "excerpt", "venue", "address"):
        assert line[name] == f"'{begin}"


def test_a_list_of_names_is_never_worked_out(read, make_event):
    make_event(categories=["=1+1", "B"])
    (line,) = read()
    assert line["categories"] == "'=1+1; B"


@pytest.mark.parametrize("text", ["1=1", "\u200bA=B", "\u00bd + 1"])
def test_a_text_that_is_no_formula_gets_no_mark(read, make_event, text):
    make_event(title="T", excerpt=text)
    assert read()[0]["excerpt"] == text


def test_columns_are_there_without_events(anyone):
    header = anyone.get("/events.csv").text.splitlines()[0].split(",")
    assert header[:4] == ["id", "uid", "title", "start_date"]
