"""Tables of events as spreadsheets write them: columns, delimiters, encodings, dates."""

import pytest
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
