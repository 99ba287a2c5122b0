"""The day that a word in the form means, and how a message tells of a move."""

from datetime import date, datetime

import pytest

from calendar_app.site.desk.event_form.asking import days_meant, lacks_time
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.html import wording

TODAY = date(2026, 11, 28)
FRIDAY = date(2027, 1, 8)
MOVED = Notation("de", TODAY, ("de", "rm"), event_day=FRIDAY)
NEW = Notation("de", TODAY, ("de", "rm"))


def at(text):
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("how", "values", "days"),
    [
        (MOVED, {"start_date": "Saturday"}, {"start_date": date(2027, 1, 9)}),
        (MOVED, {"start_date": "morgen"}, {"start_date": date(2027, 1, 9)}),
        (NEW, {"start_date": "Sonntag"}, {"start_date": date(2026, 11, 29)}),
        (MOVED, {"start_date": "9.1.2027", "end_date": "So"}, {}),
        (
            MOVED,
            {"start_date": "15.1.2027", "end_date": "Sonntag"},
            {"end_date": date(2027, 1, 17)},
        ),
        (
            NEW,
            {"start_date": "8.1.2027", "repeat_until": "Samstag"},
            {"repeat_until": date(2027, 1, 9)},
        ),
        (MOVED, {"date": "morgen"}, {"date": date(2026, 11, 29)}),
        (NEW, {"start_date": "21.12.2027"}, {}),
    ],
)
def test_words_for_days_count_from_the_date_that_is_changed(how, values, days):
    assert days_meant(values, how) == days


@pytest.mark.parametrize(
    ("moved_from", "day"),
    [
        # What has been may be moved within the past, what is still to come only to what is.
        (date(2026, 11, 10), "2026-11-01"),
        (TODAY, "2027-11-01"),
        (FRIDAY, "2027-11-01"),
    ],
)
def test_day_without_a_year_is_not_past_where_the_event_is_not(moved_from, day):
    assert NEW.beside(moved_from).moment("1.11.", "")[:10] == day


@pytest.mark.parametrize(
    ("values", "is_asked"),
    [
        ({"start_date": "8.1.2027"}, True),
        ({"start_date": "Samstag", "start_time": " "}, True),
        ({"start_date": "8.1.2027", "all_day": "1"}, False),
        ({"start_date": "8.1.2027", "start_time": "0:00"}, False),
        ({"start_date": "8.1.2027 19:00"}, False),
        ({"start_date": ""}, False),
        ({"start_date": "irgendwann"}, False),
    ],
)
def test_a_day_alone_is_asked_for_its_time(values, is_asked):
    assert lacks_time(values, NEW) is is_asked


@pytest.mark.parametrize(
    ("language", "former", "new"),
    [
        ("en-GB", "Fri 8 Jan", "Sat, 9 Jan 2027, 08:00"),
        ("de", "Fr., 8. Jan.", "Sa., 9. Jan. 2027, 08:00"),
        ("fr", "ven. 8 janv.", "sam. 9 janv. 2027, 08:00"),
        ("it", "ven 8 gen", "sab 9 gen 2027, 08:00"),
        ("rm", "ve, 8 schan.", "so, 9 schan. 2027, 08:00"),
    ],
)
def test_former_time_of_a_move_leaves_out_what_stays(language, former, new):
    before, after = at("2027-01-08 08:00"), at("2027-01-09 08:00")
    texts = wording.move((before, before), (after, after), language, all_day=False)
    assert texts == (former, new)


def test_former_time_of_a_move_is_whole_where_all_of_it_changes():
    before = (at("2026-12-31 08:00"), at("2026-12-31 12:00"))
    after = (at("2027-01-09 09:00"), at("2027-01-09 09:00"))
    assert wording.move(before, after, "de", all_day=False) == (
        *("Do., 31. Dez. 2026, 08:00\u201312:00", "Sa., 9. Jan. 2027, 09:00"),
    )
