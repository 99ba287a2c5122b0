"""Dates added as time passes equal the dates of the whole rule."""

from datetime import datetime, timedelta

import pytest

from calendar_app.calendar.series.schedule import Schedule

START = datetime.fromisoformat("2030-01-31 10:00")
DAY = timedelta(days=1)
RULES = [
    ["FREQ=DAILY"],
    ["FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TH"],
    ["FREQ=MONTHLY;BYMONTHDAY=31"],
    ["FREQ=MONTHLY;BYDAY=-1SU", "FREQ=WEEKLY"],
    ["FREQ=WEEKLY;COUNT=130"],
    ["FREQ=DAILY;UNTIL=20310301T000000Z"],
    ["FREQ=YEARLY"],
]


def series(rules, **fields):
    recurrence = {
        "rules": rules,
        "rdates": [
            {"start": START + 40 * DAY, "end": None},
            {"start": START + 400 * DAY, "end": None},
        ],
        "exdates": [START + 7 * DAY, START + 500 * DAY],
    }
    end = START + timedelta(hours=1)
    return {
        "status": "publish",
        "recurrence": recurrence,
        "start": START,
        "end": end,
        "start_local": START,
        "end_local": end,
        "timezone": "UTC",
        "all_day": False,
        **fields,
    }


@pytest.mark.parametrize("limit", [20, 10_000])
@pytest.mark.parametrize("rules", RULES, ids=" and ".join)
def test_further_dates_are_those_of_the_whole_rule(rules, limit):
    clock = [START]
    schedule = Schedule(lambda: clock[0], "UTC", 24, 4, limit)
    stored, fields = schedule.expansion(series(rules))
    spans = dict(stored)
    for _ in range(30):
        clock[0] += 29 * DAY
        due = series(rules, **fields)
        further, fields = schedule.further(due, spans.keys())
        spans |= further
        whole, own_fields = schedule.expansion(due, spans.keys())
        assert (spans.keys(), fields) == (whole.keys(), own_fields)
        assert spans == dict(whole)


def test_dates_that_were_due_before_are_not_made_again():
    clock = [START]
    schedule = Schedule(lambda: clock[0], "UTC", 24, 4, 10_000)
    stored, fields = schedule.expansion(series(["FREQ=DAILY"]))
    clock[0] += 10 * DAY
    further, _ = schedule.further(series(["FREQ=DAILY"], **fields), stored.keys())
    assert len(further.keys() - stored.keys()) == 10
    assert len(further) < 20 < len(stored)
