"""Tables of events as spreadsheets write them: columns, delimiters, encodings, dates."""

import io
from datetime import date, time

import pytest
from openpyxl import Workbook
from reading import only, read, when

from calendar_app.sources.parsed import SourceError


@pytest.mark.parametrize(
    "header",
    [
        "Title,Start date",
        "Titel;Datum",
        "Titre\tDate de début",
        "Titolo|Data",
        "Titul;Cumenzament",
        '"Veranstaltung";"Beginn"',
    ],
)
def test_usual_names_of_columns_are_known_in_five_languages(header):
    delimiter = next(each for each in ",;\t|" if each in header)
    event = only(read("csv", f"{header}\r\nChor{delimiter}6.1.2027\r\n"))
    assert (event.changes["variants"]["de"]["title"], when(event)[0]) == ("Chor", "06.01.")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_encoding_is_found(encoding):
    event = only(read("csv", "Titel;Datum\nGrüsse;6.1.2027\n".encode(encoding)))
    assert event.changes["variants"]["de"]["title"] == "Grüsse"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2027-01-06", "", ("06.01.", "06.01.")),
        ("2027-01-06 19:30", "2027-01-06 21:00", ("06.01. 19:30", "06.01. 21:00")),
        ("2027-07-06T17:00:00Z", "", ("06.07. 19:00", "06.07. 19:00")),
        ("6.1.2027 19.30 Uhr", "21 Uhr", ("06.01. 19:30", "06.01. 21:00")),
        ("Mittwoch, 6. Januar 2027", "8. Januar 2027", ("06.01.", "08.01.")),
        ("6 janvier 2027 19h30", "", ("06.01. 19:30", "06.01. 19:30")),
        ("6.1.", "", ("06.01.", "06.01.")),
        ("1/31/2027 7:30 pm", "", ("31.01. 19:30", "31.01. 19:30")),
    ],
)
def test_dates_are_read_as_people_write_them(start, end, expected):
    event = only(read("csv", f'title;start;end\nChor;"{start}";"{end}"\n'))
    assert when(event) == expected


def test_first_column_may_have_no_name():
    event = only(read("csv", "\n\tTitel\tDatum\n1\tChor\t6.1.2027\n"))
    assert (event.changes["variants"]["de"]["title"], when(event)[0]) == ("Chor", "06.01.")


def test_day_and_time_may_stand_in_two_columns():
    event = only(read("csv", "Titel;Datum;Zeit;Endzeit\nChor;6.1.2027;19:30;21:00\n"))
    assert when(event) == ("06.01. 19:30", "06.01. 21:00")


def test_columns_are_mapped_by_the_settings_of_the_source():
    event = only(read("csv", "Was;Wann\nChor;6.1.2027\n", title="was", start="Wann"))
    assert event.changes["variants"]["de"]["title"] == "Chor"


def test_place_organizer_cost_and_terms_are_taken():
    event = only(
        read(
            "csv",
            "Nr;Titel;Datum;Ort;PLZ;Stadt;Veranstalter;Preis;Kategorie;Status\n"
            "7;Chor;6.1.2027;Aula;7000;Chur;Verein;CHF 10;Musik, Tanz;abgesagt\n",
        )
    )
    assert (event.uid, event.changes["categories"]) == ("7", ["Musik", "Tanz"])
    assert event.changes["event_status"] == "canceled"
    assert event.changes["venues"] == [
        {"variants": {"de": {"venue": "Aula", "city": "Chur"}}, "zip": "7000"}
    ]
    assert event.changes["cost"]["values"] == ["10"]


def test_row_that_cannot_be_read_is_named_with_its_number():
    parsed = read("csv", "Titel;Datum;Link\nChor;bald;\nBand;6.1.2027;nix\n;7.1.2027;\n;;\n")
    assert [label.partition('"')[0] for label, _ in parsed.refused] == ["row 2 ", "row 4 "]
    assert (len(parsed.events), len(parsed.left_out)) == (1, 1)


def test_second_row_with_one_uid_and_unknown_columns_are_named():
    parsed = read("csv", "id;Titel;Datum;Farbe\n1;A;6.1.2027;rot\n1;B;7.1.2027;blau\n")
    assert len(parsed.events) == 1
    assert [label for label, _ in parsed.left_out] == ["columns", 'event 1 "B"']


@pytest.mark.parametrize(
    "content",
    ["a;b\n1;2\n", "Titel\nChor\n", "<html>", "", 'Titel;Datum\n"' + "x" * 200_000 + '";1.1.\n'],
)
def test_what_is_no_table_of_events_is_refused(content):
    with pytest.raises(SourceError):
        read("csv", content)


def test_column_of_the_settings_has_to_be_there():
    with pytest.raises(SourceError, match="no column Wann"):
        read("csv", "Titel;Datum\nChor;6.1.2027\n", start="Wann")


def title_of(event):
    return event.changes["variants"]["de"]["title"]


@pytest.mark.parametrize(
    ("clock", "end"),
    [
        ("19:30:00", "19:30"),
        ("7:30 PM", "19:30"),
        ("7:30:00 PM", "19:30"),
        ("19.30 Uhr", "19:30"),
        ("ab 19:30", "19:30"),
        ("1930", "19:30"),
        ("19:30 - 21:00", "21:00"),
        ("19:30\u201321:00 Uhr", "21:00"),
    ],
)
def test_clock_may_have_seconds_halves_of_the_day_and_an_end(clock, end):
    event = only(read("csv", f"Titel;Datum;Zeit\nChor;6.1.2027;{clock}\n"))
    assert when(event) == ("06.01. 19:30", f"06.01. {end}")


@pytest.mark.parametrize("days", ["6.-8.1.2027", "6.1.2027 - 8.1.2027", "6.1.2027 bis 8.1.2027"])
def test_first_and_last_day_may_share_a_cell(days):
    assert when(only(read("csv", f"Titel;Datum\nChor;{days}\n"))) == ("06.01.", "08.01.")


OUTLOOK = "Subject,Start Date,Start Time,End Date,End Time,All day event,Private,Sensitivity\n"


@pytest.mark.parametrize(
    ("cells", "days"),
    [
        ("4/21/2027,12:00 AM,4/22/2027,12:00 AM,True", ("21.04.", "21.04.")),
        ("4/21/2027,12:00 AM,4/21/2027,12:00 AM,True", ("21.04.", "21.04.")),
        ("4/23/2027,00:00:00,4/25/2027,00:00:00,True", ("23.04.", "24.04.")),
        ("4/23/2027,12:00 AM,4/24/2027,11:59 PM,True", ("23.04.", "24.04.")),
        ("4/23/2027,,4/24/2027,,True", ("23.04.", "24.04.")),
        ("4/23/2027,8:00 PM,4/24/2027,12:00 AM,False", ("23.04. 20:00", "24.04. 00:00")),
    ],
)
def test_whole_days_end_as_their_program_ends_them(cells, days):
    assert when(only(read("csv", f"{OUTLOOK}Markt,{cells}\n"))) == days


@pytest.mark.parametrize("marks", ["True,Normal", "False,Private", "False,Confidential"])
def test_event_that_outlook_keeps_private_stays_so(marks):
    event = only(read("csv", f"{OUTLOOK}Chor,4/21/2027,19:00:00,,,False,{marks}\n"))
    assert event.changes["status"] == "private"


def test_public_event_of_outlook_has_no_status_of_its_own():
    event = only(read("csv", f"{OUTLOOK}Chor,4/21/2027,19:00:00,,,False,False,Normal\n"))
    assert "status" not in event.changes


@pytest.mark.parametrize("separator", [";", ",", "|"])
def test_first_line_may_name_the_separator(separator):
    rows = f"sep={separator}\nTitel{separator}Datum\nA, B; C{separator}6.1.2027\n"
    content = "\ufeff\r\n" + rows.replace("A, B; C", '"A, B; C"')
    assert title_of(only(read("csv", content))) == "A, B; C"


def test_template_of_the_events_calendar_is_read():
    head = (
        "EVENT NAME,EVENT EXCERPT,EVENT VENUE NAME,EVENT ORGANIZER NAME,EVENT START DATE,"
        "EVENT START TIME,EVENT END DATE,EVENT END TIME,ALL DAY EVENT,TIMEZONE,EVENT CATEGORY,"
        "EVENT TAGS,EVENT COST,EVENT CURRENCY SYMBOL,EVENT ISO CURRENCY CODE,EVENT DESCRIPTION"
    )
    row = (
        "Tasting,Short,The Barn,Ann Lee,05/03/2027,6:30 PM,05/03/2027,9:00 PM,FALSE,"
        'Europe/Zurich,"Food,Wine",red,25,$,USD,Long'
    )
    event = only(read("csv", f"{head}\n{row}\n"))
    texts = event.changes["variants"]["de"]
    assert (texts["excerpt"], texts["description"]) == ("<p>Short</p>", "<p>Long</p>")
    assert when(event) == ("03.05. 18:30", "03.05. 21:00")
    assert (event.changes["categories"], event.changes["tags"]) == (["Food", "Wine"], ["red"])
    cost = event.changes["cost"]
    assert (cost["values"], cost["symbol"], cost["code"]) == (["25"], "$", "USD")


def workbook(*rows, title="Anlässe", formats=()):
    book = Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for cell, number_format in formats:
        sheet[cell].number_format = number_format
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_workbook_of_excel_is_read_with_its_dates_and_numbers():
    content = workbook(
        [],
        ["Titel", "Datum", "Zeit", "Ende", "PLZ", "Ort", "Preis"],
        ["Chor", date(2027, 1, 6), time(19, 30), None, 7000, "Aula", 12.5],
        ["Markt", date(2027, 1, 7), None, date(2027, 1, 8), None, "", None],
    )
    choir, market = read("csv", content).events
    assert when(choir) == ("06.01. 19:30", "06.01. 19:30")
    assert choir.changes["venues"][0]["zip"] == "7000"
    assert choir.changes["cost"]["values"] == ["12.5"]
    assert when(market) == ("07.01.", "08.01.")


def test_midnight_in_a_workbook_is_a_time_where_the_cell_shows_one():
    rows = (["Titel", "Start"], ["Silvester", date(2027, 1, 1)])
    shown = workbook(*rows, formats=[("B2", "dd.mm.yyyy hh:mm")])
    assert when(only(read("csv", shown)))[0] == "01.01. 00:00"
    assert when(only(read("csv", workbook(*rows, formats=[("B2", "dd.mm.yyyy")]))))[0] == "01.01."


def test_other_sheets_of_a_workbook_are_named():
    book = Workbook()
    book.active.append(["Titel", "Datum"])
    book.active.append(["Chor", "6.1.2027"])
    book.create_sheet("Archiv").append(["Titel"])
    stream = io.BytesIO()
    book.save(stream)
    parsed = read("csv", stream.getvalue())
    assert parsed.left_out == [("sheet Archiv", "Only the first sheet is read.")]


@pytest.mark.parametrize(
    "content", [b"PK\x03\x04", workbook()[:300], workbook()], ids=["cut off", "half", "empty"]
)
def test_damaged_or_empty_workbook_is_refused(content):
    with pytest.raises(SourceError):
        read("csv", content)


def test_formula_mark_is_no_part_of_a_text():
    assert title_of(only(read("csv", "Titel;Datum\n'=SUM;6.1.2027\n"))) == "=SUM"


@pytest.mark.parametrize(
    ("place", "link", "mode"),
    [
        ("Halle", "", "offline"),
        ("Halle", "https://example.org/live", "mixed"),
        ("", "https://example.org/live", "online"),
        ("", "", "offline"),
    ],
)
def test_place_and_link_say_how_people_take_part(place, link, mode):
    event = only(read("csv", f"Titel;Datum;Ort;Online\nChor;6.1.2027;{place};{link}\n"))
    assert event.changes["attendance_mode"] == mode
