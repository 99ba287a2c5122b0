"""The chooser of recurrences: what it names, and which rules it can show."""

from datetime import date, datetime

import pytest

from calendar_app.domain import timespan
from calendar_app.domain.moments import parse_moment
from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.notation import as_json, settle
from calendar_app.domain.recurrence.notation import parse as parse_recurrence
from calendar_app.domain.recurrence.rules import ExtraDate, Recurrence
from calendar_app.site.desk.event_form.times import Notation, choices_of, recurrence_of

wall = datetime.fromisoformat
TEXT = Notation("de", date(2026, 11, 23), ("de", "rm"))
# The second Wednesday of its month.
START = "2027-05-12 19:30:00"


def rule_of(**choices):
    return recurrence_of(choices, START, TEXT)["rrule"]


def choices_for(recurrence):
    return choices_of(recurrence, wall(START), "Europe/Zurich", TEXT, all_day=False)


def test_nothing_chosen_is_no_recurrence():
    assert recurrence_of({"repeat": "", "repeat_dates": " \n"}, START, TEXT) is None


@pytest.mark.parametrize(
    ("choices", "rule"),
    [
        ({"repeat": "DAILY"}, "FREQ=DAILY"),
        ({"repeat": "WEEKLY 2"}, "FREQ=WEEKLY;INTERVAL=2"),
        ({"repeat": "WEEKLY", "repeat_days": ["FR", "WE"]}, "FREQ=WEEKLY;BYDAY=WE,FR"),
        ({"repeat": "MONTHLY", "repeat_by": "weekday"}, "FREQ=MONTHLY;BYDAY=2WE"),
        ({"repeat": "MONTHLY", "repeat_by": "last"}, "FREQ=MONTHLY;BYDAY=-1WE"),
        ({"repeat": "MONTHLY", "repeat_by": "last_day"}, "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ({"repeat": "YEARLY", "repeat_by": "weekday"}, "FREQ=YEARLY;BYMONTH=5;BYDAY=2WE"),
        ({"repeat": "YEARLY", "repeat_count": "5"}, "FREQ=YEARLY;COUNT=5"),
        ({"repeat": "DAILY", "repeat_until": "31. Mai 2027"}, "FREQ=DAILY;UNTIL=20270531"),
        ({"repeat": "rule", "repeat_rule": "FREQ=DAILY;BYMONTH=2"}, "FREQ=DAILY;BYMONTH=2"),
        (
            {"repeat": "rule", "repeat_rule": "FREQ=DAILY;BYMONTH=2;", "repeat_count": "9"},
            "FREQ=DAILY;BYMONTH=2;COUNT=9",
        ),
    ],
)
def test_choices_name_a_rule(choices, rule):
    assert rule_of(**choices) == rule


def test_dates_are_written_one_a_line():
    choices = {
        "repeat": "WEEKLY",
        "repeat_dates": "24.12.2027\n31. Dezember 2027 20 Uhr\n1.1.2028 17:00 \u2013 18:30",
        "repeat_except": "19.5.2027",
    }
    assert recurrence_of(choices, START, TEXT) == {
        "rrule": "FREQ=WEEKLY",
        "rdate": [
            "2027-12-24 19:30:00",
            "2027-12-31 20:00:00",
            {"start": "2028-01-01 17:00:00", "end": "2028-01-01 18:30:00"},
        ],
        "exdate": ["2027-05-19 19:30:00"],
    }


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;INTERVAL=3",
        "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4",
        "FREQ=MONTHLY;BYDAY=2WE",
        "FREQ=MONTHLY;BYDAY=-1WE",
        "FREQ=MONTHLY;BYDAY=1FR",
        "FREQ=YEARLY;BYMONTH=5;BYDAY=2WE",
        "FREQ=MONTHLY;BYMONTHDAY=-1",
    ],
)
def test_rule_survives_the_form(rule):
    recurrence = Recurrence(rules=(rule,))
    assert recurrence_of(choices_for(recurrence), START, TEXT) == as_json(recurrence)


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=2;COUNT=9",
        "FREQ=DAILY;BYHOUR=9,14;UNTIL=20270520T100000Z",
        "FREQ=DAILY;UNTIL=20270520T100000Z",
        "FREQ=DAILY;UNTIL=20270520T180000Z",
        "FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=TU,SU",
        "FREQ=WEEKLY;BYMONTH=6,7,8;UNTIL=20271231T225959Z",
        "FREQ=MONTHLY;BYMONTHDAY=12",
        "FREQ=MONTHLY;BYDAY=1MO,-1FR;INTERVAL=3;UNTIL=20280101T120000Z",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=YEARLY;BYDAY=2WE",
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
        "FREQ=YEARLY;BYYEARDAY=1,100,200;INTERVAL=2",
        "FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
        "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=12;COUNT=4",
    ],
)
def test_rule_gives_the_same_dates_when_its_form_is_saved(rule):
    span = timespan.settle(
        None,
        start=parse_moment(START, wall(START)),
        end=parse_moment(START, wall(START)),
        timezone="Europe/Zurich",
        all_day=False,
        site_timezone="Europe/Zurich",
    )

    def dates(parts):
        settled = settle(parse_recurrence(parts, wall(START)), span, limit=1000)
        return [date.start_local for date in expand(settled, span, until=None, limit=60)]

    saved = recurrence_of(choices_for(Recurrence(rules=(rule,))), START, TEXT)
    assert dates(saved) == dates({"rrule": rule})


def test_series_of_single_dates_survives_the_form():
    recurrence = Recurrence(rdates=(ExtraDate(wall("2027-12-24 19:30")),))
    assert choices_for(recurrence)["repeat"] == "dates"
    assert recurrence_of(choices_for(recurrence), START, TEXT) == as_json(recurrence)


def test_last_day_is_shown_on_the_clocks_of_the_event():
    recurrence = Recurrence(rules=("FREQ=WEEKLY;UNTIL=20271231T225959Z",))
    assert choices_for(recurrence)["repeat_until"] == "31.12.2027"


def test_several_rules_and_dates_survive_the_form():
    recurrence = Recurrence(
        rules=("FREQ=WEEKLY", "FREQ=MONTHLY"),
        rdates=(
            ExtraDate(wall("2027-12-24 19:30")),
            ExtraDate(wall("2028-01-01 17:00"), wall("2028-01-02 01:00")),
        ),
        exdates=(wall("2027-05-19 19:30"),),
    )
    assert recurrence_of(choices_for(recurrence), START, TEXT) == as_json(recurrence)


def test_days_of_the_sentence_may_be_weekdays_seen_from_the_start():
    assert rule_of(repeat="DAILY", repeat_until="nächsten Freitag") == "FREQ=DAILY;UNTIL=20270514"
    assert TEXT.line("nächsten Freitag 19 Uhr") == "2026-11-27 19:00:00"


def test_end_by_day_and_by_number_is_refused():
    with pytest.raises(ValueError, match="not both"):
        rule_of(repeat="DAILY", repeat_count="3", repeat_until="1.6.2027")


@pytest.mark.parametrize(
    ("language", "month_first"),
    [("en-US", True), *((each, False) for each in ("en-GB", "en-AU", "de", "fr", "it", "rm"))],
)
def test_day_of_a_field_is_read_again_and_is_the_example_of_a_refusal(language, month_first):
    text = Notation(language, date(2026, 11, 23), (language,), month_first)
    for month in range(1, 13):
        day = date(2027, month, 5)
        assert text.line(text.day(day)) == f"{day} 00:00:00"
    with pytest.raises(ValueError, match="Write the day") as refused:
        text.line("some day")
    assert text.day(date(2026, 12, 31)) in str(refused.value)
