"""Dates are written as the readers of each language write them."""

from datetime import date

import pytest

from calendar_app.site.html.wording import date_range, day_from, full_date, short_date

FIRST, FIFTH = date(2026, 12, 1), date(2026, 12, 5)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "December 1\u2009\u2013\u20095, 2026"),
        ("en-GB", "1\u20135 December 2026"),
        ("de", "1.\u20135. Dezember 2026"),
        ("fr", "1er\u20135 décembre 2026"),
        ("it", "1\u20135 dicembre 2026"),
    ],
)
def test_days_of_one_month_name_it_once(language, text):
    assert date_range(FIRST, FIFTH, language) == text


def test_days_of_two_months_name_both():
    last = date(2027, 1, 9)
    assert date_range(FIRST, last, "en-GB") == "1 December 2026 \u2013 9 January 2027"
    assert date_range(date(2026, 11, 30), FIRST, "fr") == "30 novembre \u2013 1er décembre 2026"


def test_first_day_of_a_month_is_an_ordinal_in_french_alone():
    assert full_date(FIRST, "fr") == "mardi 1er décembre 2026"
    assert full_date(date(2026, 12, 11), "fr") == "vendredi 11 décembre 2026"
    assert full_date(FIRST, "it") == "martedì 1 dicembre 2026"


@pytest.mark.parametrize("language", ["en", "en-GB", "de", "fr", "it", "rm"])
def test_short_days_have_their_whole_year(language):
    assert "2026" in short_date(FIRST, language)


@pytest.mark.parametrize(
    ("day", "text"), [(date(2030, 12, 31), "31. Dezember"), (date(2031, 1, 2), "2. Januar 2031")]
)
def test_day_has_its_year_where_that_is_another(day, text):
    assert day_from(day, 2030, "de") == text
