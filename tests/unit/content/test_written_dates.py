"""Days and times of day are read as people of each language write them."""

from datetime import date, time

import pytest

from calendar_app.content.written_dates import read_clock, read_day

TODAY = date(2026, 11, 23)
LANGUAGES = ("de", "fr", "it", "rm")


@pytest.mark.parametrize(
    "text",
    [
        *("2026-12-31", "31.12.2026", "31. 12. 2026", "31/12/2026", "31-12-2026", "31.12.26"),
        *("31.12.", "31/12", "31. Dezember 2026", "31. Dez. 2026", "Do, 31. Dezember 2026"),
        *("Donnerstag, 31. Dezember", "31 décembre 2026", "le 31 déc. 2026", "31 DECEMBRE 2026"),
        *("jeudi 31 décembre 2026", "31 dicembre 2026", "giovedì 31 dicembre", "il 31 dic 2026"),
        *("31 da december 2026", "ils 31 da december", "gievgia, ils 31 da december 2026"),
        *("December 31, 2026", "31st of December 2026"),
    ],
)
def test_last_day_of_the_year_in_every_language(text):
    assert read_day(text, LANGUAGES, TODAY) == date(2026, 12, 31)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1er mai 2027", date(2027, 5, 1)),
        ("1° maggio", date(2027, 5, 1)),
        ("1. August", date(2027, 8, 1)),
        ("1 d'avust 2027", date(2027, 8, 1)),
        ("23.11.", TODAY),
        ("22.11.", date(2027, 11, 22)),
        ("29 février", date(2028, 2, 29)),
        ("4. März 2027", date(2027, 3, 4)),
        ("4 mars 2027", date(2027, 3, 4)),
    ],
)
def test_day_without_a_year_is_the_next_one(text, day):
    assert read_day(text, LANGUAGES, TODAY) == day


@pytest.mark.parametrize(
    "text",
    [
        *("", "bald", "31", "31.13.2026", "30. Februar 2027", "31.12.126", "Dezember 2026"),
        *("1.2.3.4", "31. Dezember Januar", "ma 2027", "x" * 100, "0.0.2026", "٣١.١٢.20x6"),
    ],
)
def test_what_is_no_day_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        read_day(text, LANGUAGES, TODAY)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        *((text, time(19)) for text in ("19:00", "19.00", "19h", "19 h", "19h00", "19 Uhr", "19")),
        *((text, time(19)) for text in ("um 19 Uhr", "à 19 heures", "ore 19", "alle 19.00")),
        *((text, time(19)) for text in ("a las 19", "las 19 uras", "7 pm", "7:00 p.m.", "1900")),
        *((text, time(19, 30)) for text in ("19:30", "19 Uhr 30", "19h30", "19 h 30", "ore 19.30")),
        ("Mittag", time(12)),
        ("minuit", time(0)),
        ("12 am", time(0)),
        ("9.05", time(9, 5)),
    ],
)
def test_times_of_day_in_every_language(text, clock):
    assert read_clock(text) == clock


@pytest.mark.parametrize("text", ["", "abends", "25:00", "19:60", "13 pm", "19:3", "x" * 100])
def test_what_is_no_time_of_day_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        read_clock(text)
