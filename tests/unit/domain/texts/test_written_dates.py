"""Days and times of day are read as people of each language write them in any form."""

from datetime import date, time

import pytest

from calendar_app.domain.texts.written_dates import (
    clocks_in,
    dated_day,
    is_clock,
    read_clock,
    read_day,
)

TODAY = date(2026, 11, 23)
LANGUAGES = ("de", "fr", "it", "rm")


@pytest.mark.parametrize(
    "text",
    [
        *("2026-12-31", "2026/12/31", "31.12.2026", "31. 12. 2026", "31/12/2026", "31-12-2026"),
        *("31.12.26", "31 12 2026", "31.12.", "31.12. 2026", "31/12", "Do. 31.12.", "am 31.12."),
        *("31. Dezember 2026", "31. Dez. 2026", "Do, 31. Dezember 2026", "31. Dezember 26"),
        *("Donnerstag, den 31. Dezember", "31 décembre 2026", "le 31 déc. 2026"),
        *("jeudi 31 décembre 2026", "31 dicembre 2026", "giovedì 31 dicembre", "il 31 dic 2026"),
        *("31 da december 2026", "ils 31 da december", "gievgia, ils 31 da december 2026"),
        *("December 31, 2026", "31st of December 2026", "on the 31st of December", "31 DECEMBRE"),
    ],
)
def test_last_day_of_the_year_in_every_language(text):
    assert read_day(text, LANGUAGES, TODAY) == date(2026, 12, 31)
    assert read_day(text, (), TODAY) == date(2026, 12, 31)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1er mai 2027", date(2027, 5, 1)),
        ("1° maggio", date(2027, 5, 1)),
        ("12 da matg 2027", date(2027, 5, 12)),
        ("12 matg 2027", date(2027, 5, 12)),
        ("May 12, 2027", date(2027, 5, 12)),
        ("l'11 ottobre 2027", date(2027, 10, 11)),
        ("ils 3 d'avrigl 2027", date(2027, 4, 3)),
        ("1. August", date(2027, 8, 1)),
        ("1 d'avust 2027", date(2027, 8, 1)),
        ("23.11.", TODAY),
        ("22.11.", date(2027, 11, 22)),
        ("29.2.", date(2028, 2, 29)),
        ("29 février", date(2028, 2, 29)),
        ("4. März 2027", date(2027, 3, 4)),
        ("4 mars 2027", date(2027, 3, 4)),
        ("5/12/2027", date(2027, 12, 5)),
    ],
)
def test_day_without_a_year_is_the_next_one(text, day):
    assert read_day(text, LANGUAGES, TODAY) == day


@pytest.mark.parametrize(
    ("texts", "day"),
    [
        (("heute", "Aujourd'hui", "aujourd\u2019hui", "oggi", "oz", "today"), TODAY),
        (("Morgen", "demain", "domani", "damaun", "tomorrow"), date(2026, 11, 24)),
        (("übermorgen", "après-demain", "dopodomani", "puschdamaun"), date(2026, 11, 25)),
    ],
)
def test_days_near_today_have_names(texts, day):
    assert {read_day(text, LANGUAGES, TODAY) for text in texts} == {day}


@pytest.mark.parametrize(
    ("texts", "day"),
    [
        (("Freitag", "am Freitag", "vendredi", "venerdì", "venderdi", "Friday", "Fri"), 27),
        (("nächsten Freitag", "kommender Freitag", "vendredi prochain", "next Friday"), 27),
        (("venerdì prossimo", "il proxim venderdi", "venderdi proxim", "on the next Fri."), 27),
        (("Sonntag", "dimanche prochain", "la prossima domenica", "la proxima dumengia"), 29),
        (("Montag", "lundi", "lunedì", "glindesdi", "on Monday"), 23),
        (("nächster Montag", "lundi prochain", "lunedì prossimo", "proxim glindesdi"), 30),
    ],
)
def test_weekday_is_the_next_one_of_its_name(texts, day):
    assert {read_day(text, LANGUAGES, TODAY) for text in texts} == {date(2026, 11, day)}


@pytest.mark.parametrize("text", ["heute", "tomorrow", "Freitag", "next Friday"])
def test_day_seen_from_today_is_none_where_today_does_not_last(text):
    with pytest.raises(ValueError, match="Write the day"):
        dated_day(text, LANGUAGES, TODAY)


@pytest.mark.parametrize("text", ["5/12/2027", "5/12/27", "5-12-2027", "2027-05-12", "May 12 2027"])
def test_month_comes_first_for_who_writes_american_english(text):
    assert read_day(text, LANGUAGES, TODAY, month_first=True) == date(2027, 5, 12)


@pytest.mark.parametrize("text", ["21.12.2027", "21. 12. 27", "21.12."])
def test_day_comes_before_a_dot_for_everybody(text):
    today = date(2027, 1, 1)
    assert read_day(text, LANGUAGES, today, month_first=True) == date(2027, 12, 21)


@pytest.mark.parametrize(
    "text",
    [
        *("", "bald", "31", "31.12.126", "Dezember 2026", "1.2.3.4", "31. Dezember Januar"),
        *("ma 2027", "x" * 100, "٣١.١٢.20x6", "12.5.2027 19:00", "12.-15. Mai", "3.-5.12."),
        *("Mai 12-15", "24. Dezember 19 Uhr", "next", "nächsten", "Freitag Samstag", "der"),
    ],
)
def test_what_is_no_day_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"31\.12\.2026"):
        read_day(text, LANGUAGES, TODAY)
    with pytest.raises(ValueError, match="12/31/2026"):
        read_day(text, LANGUAGES, TODAY, month_first=True)


@pytest.mark.parametrize(
    "text",
    ["31.13.2026", "30. Februar 2027", "31.2.", "31 avril 2027", "1.13.2027", "0.0.2026"],
)
def test_day_that_no_month_has_is_refused(text):
    with pytest.raises(ValueError, match="no such day"):
        read_day(text, LANGUAGES, TODAY)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        *((text, time(19)) for text in ("19:00", "19.00", "19h", "19 h", "19h00", "19 Uhr", "19")),
        *((text, time(19)) for text in ("um 19 Uhr", "à 19 heures", "ore 19", "alle 19.00")),
        *((text, time(9)) for text in ("9 a.m.", "9:00 A.M.", "9:00 a.m", "9a.m.", "9 am", "a 9")),
        *((text, time(19)) for text in ("a las 19", "las 19 uras", "7 pm", "7:00 p.m.", "1900")),
        *((text, time(19)) for text in ("ab 19 Uhr", "ca. 19 Uhr", "dès 19h", "dalle 19", "7pm")),
        *((text, time(19)) for text in ("da las 19", "from 7 pm", "gegen 19 Uhr", "19 ore")),
        *((text, time(19, 30)) for text in ("19:30", "19 Uhr 30", "19h30", "19 h 30", "ore 19.30")),
        *((text, time(19, 30)) for text in ("19.30 Uhr", "à 19h30", "las 19:30", "1930")),
        ("Mittag", time(12)),
        ("à midi", time(12)),
        ("um Mitternacht", time(0)),
        ("minuit", time(0)),
        ("12 am", time(0)),
        ("9.05", time(9, 5)),
        ("930", time(9, 30)),
    ],
)
def test_times_of_day_in_every_language(text, clock):
    assert read_clock(text) == clock
    assert is_clock(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, "19:30") for text in ("", "abends", "19:3", "x" * 100, "19 bis 21 Uhr")),
        *((text, "no such time") for text in ("25:00", "19:60", "13 pm", "2575")),
    ],
)
def test_what_is_no_time_of_day_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        read_clock(text)
    assert not is_clock(text)


@pytest.mark.parametrize(
    "text",
    [
        *("19:30-21:00", "19:30 \u2013 21:00", "19.30 \u2014 21 Uhr", "von 19:30 bis 21 Uhr"),
        *("1930-2100", "19h30 \u00e0 21h", "7:30 pm to 9 pm", "19:30 bis 21:00"),
    ],
)
def test_span_of_time_has_a_begin_and_an_end(text):
    assert clocks_in(text) == ("19:30", "21:00")


@pytest.mark.parametrize(
    "text", ["", "19:30", "7-8 pm", "19:30 - open end", "12.5.-13.5.", "25:00-26:00", "a" * 99]
)
def test_anything_else_is_no_span_of_time(text):
    assert clocks_in(text) is None
