"""Which days a list of events covers, and how dates widen, narrow or drop that window."""

from datetime import UTC, datetime

import pytest

pytestmark = pytest.mark.without_mongodb


def test_the_default_window_is_from_today_for_two_years(make_on, listed, anyone):
    make_on("2030-01-14 23:00:00", "2030-01-15 20:00:00")
    make_on("2032-01-15", "2032-01-16")
    today, last = make_on("2030-01-15 00:00:00"), make_on("2032-01-15 23:00:00")

    assert listed() == [today, last]
    link = anyone.get("/events").json["rest_url"]
    assert "start_date=2030-01-15+00%3A00%3A00" in link
    assert "end_date=2032-01-15+23%3A59%3A59" in link


def test_the_window_begins_where_utc_ends_its_day(make_on, listed, clock):
    clock.now = datetime(2030, 1, 15, 23, 30, tzinfo=UTC)  # already the 16th in Zurich
    make_on("2030-01-14 23:59:59")
    make_on("2030-01-15 12:00:00")
    today = make_on("2030-01-16 00:00:00")

    assert listed()[-1] == today


def test_list_contains_only_events_wholly_inside_the_window(make_on, listed):
    inside = make_on("2030-04-02")
    make_on("2030-04-01", "2030-04-03")

    assert listed(start_date="2030-04-02", end_date="2030-04-02") == [inside]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ({"start_date": "2030-09-10"}, "10 11 12"),
        ({"start_date": "2030-09-10 23:00:00"}, "10 11 12"),
        ({"end_date": "2030-09-11"}, "09 10 11"),
        ({"end_date": "2030-09-11 00:00:01"}, "09 10 11"),
        ({"starts_after": "2030-09-10"}, "11 12"),
        ({"starts_before": "2030-09-10"}, "09 10"),
        ({"ends_after": "2030-09-10"}, "11 12"),
        ({"ends_before": "2030-09-10"}, "09 10"),
        ({"starts_after": "2030-09-09", "ends_before": "2030-09-11"}, "10 11"),
        ({"start_date": "2030-09-11", "starts_after": "2030-09-09"}, "11 12"),
        ({"end_date": "2030-09-10", "ends_before": "2030-09-12"}, "09 10"),
        ({"start_date": "2030-09-10 10:00:00", "strict_dates": "true"}, "10 11 12"),
        ({"start_date": "2030-09-10 10:00:01", "strict_dates": "true"}, "11 12"),
        ({"start_date": "2030-09-10 10:00:01", "strict_dates": "false"}, "10 11 12"),
        ({"end_date": "2030-09-10 12:00:00", "strict_dates": "1"}, "09 10"),
        ({"end_date": "2030-09-10 11:59:59", "strict_dates": "on"}, "09"),
        ({"starts_before": "2030-09-10 10:00:00", "strict_dates": "yes"}, "09"),
        ({"ends_after": "2030-09-10 11:00:00", "strict_dates": "true"}, "10 11 12"),
        ({"start_date": "2030/09/11"}, "11 12"),
        ({"start_date": "11 September 2030"}, "11 12"),
        ({"start_date": "2030-09-10T12:00:00Z", "strict_dates": "true"}, "11 12"),
        ({"start_date": "2030-09-10T07:00:00Z", "strict_dates": "true"}, "10 11 12"),
        ({"starts_after": "2030-02-30", "ends_before": "2030-09-09"}, "09"),
    ],
)
def test_dates_select_whole_days_unless_they_are_strict(make_on, listed, query, matches):
    days = {make_on(f"2030-09-{day}"): day for day in ("09", "10", "11", "12")}

    assert [days[event] for event in listed(**query)] == matches.split()


def test_relative_dates_drop_the_default_window(make_on, listed):
    past, far = make_on("2020-01-01"), make_on("2050-01-01")

    assert listed() == []
    assert listed(starts_before="2100-01-01") == [past, far]
    assert listed(ends_after="2000-01-01") == [past, far]
    assert listed(starts_before="2100-01-01", start_date="2040-01-01") == [far]


def test_an_overlap_is_asked_for_by_name(make_on, listed):
    before = make_on("2030-05-01 10:00:00", "2030-05-02 10:00:00")
    across = make_on("2030-05-01 11:00:00", "2030-05-09 10:00:00")
    inside = make_on("2030-05-03 10:00:00", "2030-05-03 12:00:00")
    after = make_on("2030-05-04 10:00:00", "2030-05-05 10:00:00")
    span = {"overlaps_from": "2030-05-02 10:00:00", "overlaps_to": "2030-05-04 10:00:00"}

    assert listed(**span, strict_dates="true") == [across, inside]
    assert set(listed(overlaps_from="2030-05-02", overlaps_to="2030-05-03")) == {
        before,
        across,
        inside,
    }
    assert after not in listed(overlaps_to="2030-05-03")
    assert listed(overlaps_from="2030-05-06") == [across]


def test_event_starting_in_the_last_second_is_on_that_day(make_on, listed):
    late = make_on("2030-05-03 23:59:59", "2030-05-04 02:00:00")
    make_on("2030-05-04 00:00:00", "2030-05-04 02:00:00")

    assert listed(overlaps_from="2030-05-03", overlaps_to="2030-05-03") == [late]
    strict = {"overlaps_to": "2030-05-03 23:59:59", "strict_dates": "true"}
    assert listed(overlaps_from="2030-05-03 00:00:00", **strict) == []


def test_event_ending_at_the_start_of_a_span_does_not_overlap(make_on, listed):
    make_on("2030-05-02 20:00:00", "2030-05-03 00:00:00")
    make_on("2030-05-03 00:00:00", "2030-05-03 00:00:00")
    moment = make_on("2030-05-03 12:00:00", "2030-05-03 12:00:00")

    assert listed(overlaps_from="2030-05-03", overlaps_to="2030-05-03") == [moment]


def test_dates_are_compared_on_the_clocks_of_each_event(make_event, listed):
    gala = make_event(
        start_date="2030-05-05 20:00:00",
        end_date="2030-05-05 23:00:00",
        timezone="America/New_York",
    )["id"]

    assert listed(start_date="2030-05-05", end_date="2030-05-05") == [gala]
    assert listed(start_date="2030-05-06", end_date="2030-05-06") == []


@pytest.mark.parametrize(
    "name",
    ["start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after"],
)
@pytest.mark.parametrize("value", ["", "foo", "2030-13-01", "[]"])
def test_invalid_date_is_refused(anyone, name, value):
    answer = anyone.get("/events", **{name: value})

    assert answer.status_code == 400
    assert answer.invalid_params == [name]


def test_include_switches_off_every_date_filter(make_on, listed):
    past, future = make_on("2020-01-01"), make_on("2050-01-01")
    both = f"{future},{past}"

    assert listed(include=both) == [past, future]
    assert listed(include=both, start_date="2040-01-01", ends_before="1990-01-01") == [past, future]
    assert listed(include=f"{past},999999") == [past]


@pytest.mark.parametrize(
    ("span", "status"),
    [
        ({"overlaps_from": "2030-05-04", "overlaps_to": "2030-05-03"}, 400),
        ({"overlaps_from": "2030-05-04", "overlaps_to": "2030-05-04"}, 200),
        (
            {
                "overlaps_from": "2030-05-04 10:00",
                "overlaps_to": "2030-05-04 10:00",
                "strict_dates": "true",
            },
            400,
        ),
    ],
)
def test_a_span_that_ends_before_it_begins_is_refused(anyone, span, status):
    answer = anyone.get("/events", **span)
    assert answer.status_code == status
    if status == 400:
        assert "overlaps_to" in answer.json["data"]["params"]
