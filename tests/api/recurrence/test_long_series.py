"""Series that began long ago: which dates have events."""

import pytest

from calendar_app.api.http.request.state import get_services

pytestmark = pytest.mark.without_mongodb

TIMES = {"start_date": "2019-01-01 10:00:00", "end_date": "2019-01-01 12:00:00"}


@pytest.fixture
def make_long(make_weekly):
    """Return a function that makes a series since 2019, eleven years ago."""

    def make(rrule="FREQ=WEEKLY", **parts):
        return make_weekly(**TIMES, recurrence={"rrule": rrule, **parts})

    return make


def starts_of(events):
    return [event["start_date"] for event in events]


@pytest.mark.parametrize("end", ["", ";COUNT=1200", ";UNTIL=20300601T000000Z"])
def test_long_series_has_its_first_date_and_those_around_today(make_long, occurrences, end):
    event = make_long(f"FREQ=WEEKLY{end}")
    assert event["series"]["next"] == "2030-01-22 10:00:00"
    assert event["series"]["dates_from"] == "2028-01-18 10:00:00"
    assert starts_of(occurrences(event["id"]))[:3] == [
        "2019-01-01 10:00:00",
        "2028-01-18 10:00:00",
        "2028-01-25 10:00:00",
    ]


def test_count_counts_from_the_start_of_a_long_series(make_long, occurrences):
    first = make_long("FREQ=MONTHLY;COUNT=134")["id"]
    assert starts_of(occurrences(first))[-1] == "2030-02-01 10:00:00"


def test_dates_of_a_long_series_come_as_time_passes(make_long, app, clock, anyone):
    first = make_long("FREQ=MONTHLY")["id"]
    clock.advance(days=60)
    assert get_services(app).horizon.extend() == 2
    series = anyone.get(f"/series/{first}").json
    assert (series["count"], series["dates_from"]) == (1 + 48 + 2, "2028-02-01 10:00:00")


def test_a_series_says_until_when_its_dates_have_events(make_long, anyone, occurrences):
    first = make_long("FREQ=MONTHLY")["id"]
    until = anyone.get(f"/series/{first}").json["dates_until"]
    last = starts_of(occurrences(first))[-1]
    assert last <= until < f"{int(last[:4]) + 1}{last[4:]}"


def test_series_that_stopped_short_gets_its_dates_with_time(make_long, app, clock, database):
    """Before 0.2.0 the limit counted from the first date on."""
    first = make_long("FREQ=MONTHLY")["id"]
    database["events"].delete_many({"recurrence_id": {"$gt": clock.now.replace(tzinfo=None)}})
    database["series"].update_many({}, {"$unset": {"dates_from": ""}})
    clock.advance(days=1)
    assert get_services(app).horizon.extend() == 24
    assert database["series"].find_one({"_id": first})["dates_from"]


def test_series_that_has_ended_has_the_dates_before_its_end(make_long, occurrences):
    short = make_long("FREQ=WEEKLY;COUNT=5")
    assert (short["series"]["count"], short["series"]["dates_from"]) == (5, None)
    long = make_long("FREQ=MONTHLY;UNTIL=20240701T000000Z")
    starts = starts_of(occurrences(long["id"]))
    assert (starts[1], starts[-1]) == ("2022-07-01 10:00:00", "2024-06-01 10:00:00")


def test_past_events_stay_whatever_is_changed_later(make_weekly, occurrences, clock, as_admin):
    event = make_weekly(recurrence={"rrule": "FREQ=MONTHLY;COUNT=40"})
    before = [each["id"] for each in occurrences(event["id"])]
    clock.advance(days=1500)
    as_admin.patch(f"/events/{event['id']}", scope="all", title="Fair")
    assert [each["id"] for each in occurrences(event["id"])][: len(before)] == before
    moved = {"start_date": "2030-03-06 11:00:00", "end_date": "2030-03-06 13:00:00"}
    answer = as_admin.patch(f"/events/{event['id']}", scope="all", **moved).json
    assert [each["id"] for each in occurrences(event["id"])][: len(before)] == before
    assert answer["series"]["dates_from"] is None


def test_first_event_of_a_long_series_can_be_sent_back(make_long, as_admin):
    first = make_long()["id"]
    event = as_admin.get(f"/events/{first}").json
    assert event["start_date"] == TIMES["start_date"]
    as_admin.put(f"/events/{first}", **event, scope="all")
    as_admin.put(f"/series/{first}", **as_admin.get(f"/series/{first}").json)
    assert as_admin.get(f"/events/{first}").json == event


def test_event_that_becomes_a_long_series_stays_what_it_is(make_event, as_admin, occurrences):
    event = make_event(**TIMES)
    changed = as_admin.patch(f"/events/{event['id']}", recurrence={"rrule": "FREQ=MONTHLY"}).json
    assert (changed["id"], changed["start_date"]) == (event["id"], event["start_date"])
    assert starts_of(occurrences(event["id"]))[1] == "2028-02-01 10:00:00"


def test_extra_date_before_the_listed_ones_is_there(make_long, occurrences):
    event = make_long("FREQ=MONTHLY", rdate=["2024-02-29 18:00:00"])
    assert starts_of(occurrences(event["id"]))[1] == "2024-02-29 18:00:00"
    assert event["series"]["dates_from"] == "2028-02-01 10:00:00"


def test_another_rule_for_a_long_series_makes_no_earlier_dates(make_long, as_admin, occurrences):
    first = make_long("FREQ=YEARLY")["id"]
    as_admin.patch(f"/events/{first}", scope="all", recurrence={"rrule": "FREQ=MONTHLY"})
    assert starts_of(occurrences(first))[:2] == ["2019-01-01 10:00:00", "2028-02-01 10:00:00"]


def test_following_events_of_a_long_series_are_split_off(make_long, as_admin, occurrences):
    first = make_long("FREQ=MONTHLY")["id"]
    later = occurrences(first, start_date="2030-01-16")[0]
    as_admin.patch(f"/events/{later['id']}", scope="following", title="Fair")
    assert starts_of(occurrences(first))[-1] == "2030-01-01 10:00:00"
    assert starts_of(occurrences(later["id"]))[0] == "2030-02-01 10:00:00"
    assert as_admin.get(f"/series/{first}").json["rrule"].endswith("UNTIL=20300101T090000Z")


def test_endless_rule_with_rare_dates_does_not_end(make_weekly):
    times = {"start_date": "1990-01-01 10:00:00", "end_date": "1990-01-01 12:00:00"}
    rule = {"rrule": "FREQ=DAILY;BYMONTH=1;BYMONTHDAY=1"}
    assert make_weekly(**times, recurrence=rule)["series"]["next"] == "2031-01-01 10:00:00"


def test_preview_shows_the_dates_that_would_be_listed(preview):
    times = {"start": TIMES["start_date"], "end": TIMES["end_date"]}
    body = preview({"rrule": "FREQ=DAILY"}, **times)
    assert body["dates"][1]["start_date"] == body["dates_from"] == "2028-01-15 10:00:00"
    assert preview({"rrule": "FREQ=DAILY"})["dates_from"] is None


def test_count_beyond_the_limit_is_refused(preview):
    times = {"start": TIMES["start_date"], "end": TIMES["end_date"]}
    preview({"rrule": "FREQ=DAILY;COUNT=4301"}, **times)
    problem = preview({"rrule": "FREQ=DAILY;COUNT=4302"}, status=400, **times)
    assert "4301" in problem["data"]["params"]["recurrence"]
