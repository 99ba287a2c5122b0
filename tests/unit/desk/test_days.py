"""Days and times of day as people of four languages write them."""

from datetime import date, time

import pytest

from calendar_app.desk.event_form.days import parse_clock, parse_day

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    "text",
    [
        "12.5.2027",
        "12.05.27",
        "12/5/2027",
        "12-05-2027",
        "2027-05-12",
        "12. Mai 2027",
        "Mi, 12. Mai 2027",
        "Mittwoch, den 12. Mai 2027",
        "12 mai 2027",
        "mercredi 12 mai 2027",
        "12 maggio 2027",
        "mercoledì 12 maggio 2027",
        "12 da matg 2027",
        "12 matg 2027",
        "mesemna, ils 12 da matg 2027",
        "May 12, 2027",
        "12 May 2027",
        "the 12th of May 2027",
        "12.5.",
        "12. Mai",
    ],
)
def test_day_is_read_as_people_write_it(text):
    assert parse_day(text, TODAY) == date(2027, 5, 12)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1er février 2027", date(2027, 2, 1)),
        ("1° marzo 2027", date(2027, 3, 1)),
        ("l'11 ottobre 2027", date(2027, 10, 11)),
        ("ils 3 d'avrigl 2027", date(2027, 4, 3)),
        ("24.12.", date(2026, 12, 24)),
        ("3. März 2027", date(2027, 3, 3)),
        ("8 dec. 2026", date(2026, 12, 8)),
    ],
)
def test_days_with_little_words_are_read(text, day):
    assert parse_day(text, TODAY) == day


@pytest.mark.parametrize("text", ["31.2.2027", "30. Februar 2027", "31 avril 2027", "1.13.2027"])
def test_day_that_no_month_has_is_refused(text):
    with pytest.raises(ValueError, match="no such day"):
        parse_day(text, TODAY)


@pytest.mark.parametrize("text", ["", "soon", "12", "Mai 2027", "12.5.2027 19:00", "1.2.3.4"])
def test_other_texts_are_left_to_the_interface(text):
    assert parse_day(text, TODAY) is None


@pytest.mark.parametrize(
    "text",
    [
        "19:30",
        "19.30",
        "1930",
        "19h30",
        "à 19h30",
        "19 h 30",
        "19.30 Uhr",
        "um 19:30 Uhr",
        "ore 19.30",
        "alle 19:30",
        "las 19:30",
        "7:30 pm",
        "7.30 p.m.",
    ],
)
def test_time_is_read_as_people_write_it(text):
    assert parse_clock(text) == time(19, 30)


@pytest.mark.parametrize("text", ["19", "19h", "19 Uhr", "7pm", "19 ore", "19 heures", "19 uras"])
def test_full_hour_needs_no_minutes(text):
    assert parse_clock(text) == time(19)


@pytest.mark.parametrize("text", ["25:00", "19:75", "13pm"])
def test_time_that_no_day_has_is_refused(text):
    with pytest.raises(ValueError, match="no such time"):
        parse_clock(text)
