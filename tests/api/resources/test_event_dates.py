"""When an event takes place: dates, zones, whole days."""

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


def times(event):
    return [event[name] for name in ("start_date", "end_date", "utc_start_date", "utc_end_date")]


@pytest.mark.parametrize(
    ("sent", "local"),
    [
        ("2030-05-01", "2030-05-01 00:00:00"),
        ("2030-05-01 10:30", "2030-05-01 10:30:00"),
        ("2030-05-01T10:30:15", "2030-05-01 10:30:15"),
        ("2030-05-01T10:30:00Z", "2030-05-01 12:30:00"),
        ("2030-05-01T10:30:00-04:00", "2030-05-01 16:30:00"),
        ("1 May 2030 10am", "2030-05-01 10:00:00"),
        ("05/01/2030", "2030-05-01 00:00:00"),
        ("01-05-2030", "2030-05-01 00:00:00"),
        ("tomorrow 9am", "2030-01-16 09:00:00"),
        ("+5 days 11am", "2030-01-20 11:00:00"),
        (1903861800, "2030-05-01 12:30:00"),
        ("1903861800", "2030-05-01 12:30:00"),
        ("@1903861800", "2030-05-01 12:30:00"),
    ],
)
def test_dates_are_read_in_many_notations(make_event, sent, local):
    assert make_event(start_date=sent, end_date="2031-01-01")["start_date"] == local


@pytest.mark.parametrize("date", ["2026-13-01", "2026-01-32"])
def test_a_day_that_no_month_has_is_refused_in_the_language_of_the_reader(as_admin, date):
    answer = as_admin.post("/events", title="Concert", start_date=date, end_date="2031-01-01")

    assert (answer.status_code, answer.invalid_params) == (400, ["start_date"])
    assert answer.json["data"]["params"]["start_date"] == "Diesen Tag gibt es nicht."


@pytest.mark.parametrize(
    ("zone", "expected", "abbreviation", "utc"),
    [
        ("America/New_York", "America/New_York", "EDT", "23:00:00"),
        ("Asia/Kolkata", "Asia/Kolkata", "IST", "13:30:00"),
        ("UTC", "UTC", "UTC", "19:00:00"),
        ("UTC+2", "UTC+2", "UTC+2", "17:00:00"),
        ("UTC-3.5", "UTC-3.5", "UTC-3.5", "22:30:00"),
        ("UTC+5:30", "UTC+5:30", "UTC+5:30", "13:30:00"),
        ("GMT+2", "GMT+2", "GMT+2", "17:00:00"),
        ("GMT-3.5", "GMT-3.5", "GMT-3.5", "22:30:00"),
        ("Z", "Z", "UTC", "19:00:00"),
        ("", "Europe/Zurich", "CEST", "17:00:00"),
    ],
)
def test_wall_clocks_are_those_of_the_events_zone(make_event, zone, expected, abbreviation, utc):
    event = make_event(
        timezone=zone, start_date="2030-07-01 19:00:00", end_date="2030-07-01 22:00:00"
    )

    assert event["timezone"] == expected
    assert event["timezone_abbr"] == abbreviation
    assert event["start_date"] == "2030-07-01 19:00:00"
    assert event["utc_start_date"] == f"2030-07-01 {utc}"


def test_zones_are_named_in_any_letter_case(make_event):
    event = make_event(timezone="america/NEW_york")

    assert event["utc_start_date"] == "2030-03-10 23:00:00"


def test_fixed_offsets_have_no_daylight_saving(make_event):
    for day in ("2030-01-20", "2030-07-01"):
        event = make_event(start_date=f"{day} 12:00", end_date=f"{day} 13:00", timezone="UTC+2")
        assert event["utc_start_date"] == f"{day} 10:00:00"


def test_skipped_hours_move_forward_and_ambiguous_ones_take_the_first_reading(make_event):
    spring = make_event(start_date="2030-03-31 02:30:00", end_date="2030-03-31 05:00:00")
    assert spring["start_date"] == "2030-03-31 03:30:00"
    assert spring["utc_start_date"] == "2030-03-31 01:30:00"

    autumn = make_event(start_date="2030-10-27 02:30:00", end_date="2030-10-27 05:00:00")
    assert autumn["start_date"] == "2030-10-27 02:30:00"
    assert autumn["utc_start_date"] == "2030-10-27 00:30:00"


def test_an_event_in_the_hour_that_occurs_twice_is_taken_and_listed(make_event, anyone, as_admin):
    night = {"start_date": "2030-10-27T00:30:00Z", "end_date": "2030-10-27T01:15:00Z"}
    event = make_event(**night)
    utc = ["2030-10-27 00:30:00", "2030-10-27 01:15:00"]
    assert times(event) == ["2030-10-27 02:30:00", "2030-10-27 02:30:00", *utc]
    for query in (
        {"start_date": "2030-10-27 02:20", "strict_dates": True},
        {"end_date": "2030-10-27 02:30", "starts_before": "2030-10-28", "strict_dates": True},
    ):
        assert anyone.get("/events", **query).json["total"] == 1
    calendar = anyone.get(f"/events/{event['id']}.ics").text
    assert "DTSTART;TZID=Europe/Zurich:20301027T023000" in calendar
    assert "DTEND:20301027T011500Z" in calendar
    again = as_admin.put(f"/events/{event['id']}", **event)
    assert times(again.json) == times(event)


def test_an_event_whose_end_shows_an_earlier_clock_keeps_its_length_in_another_zone(
    make_event, as_admin
):
    night = {"start_date": "2030-10-27T02:30:00+02:00", "end_date": "2030-10-27T02:10:00+01:00"}
    event = make_event(**night)
    path = f"/events/{event['id']}"
    assert times(as_admin.patch(path, timezone="Europe/Berlin").json) == times(event)
    whole = as_admin.get(path).json | {"timezone": "UTC"}
    moved = as_admin.put(path, **whole).json
    assert times(moved) == ["2030-10-27 02:30:00", "2030-10-27 03:10:00"] * 2


def test_an_event_whose_start_alone_is_skipped_ends_when_it_starts(make_event, as_admin):
    night = {"start_date": "2030-03-31 02:30", "end_date": "2030-03-31 03:15"}
    moved = ["2030-03-31 03:30:00", "2030-03-31 03:30:00"]
    assert times(make_event(**night))[:2] == moved
    abroad = make_event(**night, timezone="America/New_York")
    changed = as_admin.patch(f"/events/{abroad['id']}", timezone="Europe/Zurich")
    assert (changed.status_code, times(changed.json)[:2]) == (200, moved)


def test_a_whole_day_lasts_from_midnight_to_the_last_second(make_event, as_admin):
    event = make_event(all_day=True, start_date="2030-03-10 19:00", end_date="2030-03-12 08:00")
    assert event["all_day"] is True
    assert times(event)[:2] == ["2030-03-10 00:00:00", "2030-03-12 23:59:59"]

    changed = as_admin.patch(f"/events/{event['id']}", title="Later").json
    assert changed["all_day"] is True
    assert times(changed) == times(event)


def test_an_end_before_the_start_is_refused(as_admin, make_event, database):
    late = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 18:59:59"}
    answer = as_admin.post("/events", title="Concert", **late)
    assert answer.status_code == 400
    assert answer.code == "rest_invalid_param"
    assert answer.invalid_params == ["end_date"]
    assert database["events"].count_documents({}) == 0

    path = f"/events/{make_event()['id']}"
    for sent in ({"end_date": "2030-03-10 18:00:00"}, {"start_date": "2030-03-10 23:00:00"}, late):
        answer = as_admin.patch(path, **sent)
        assert answer.status_code == 400
        assert answer.invalid_params == ["end_date"]
    assert times(as_admin.get(path).json)[:2] == list(EVENING.values())


def test_an_event_may_end_when_it_starts(make_event):
    moment = "2030-03-10 19:00:00"

    assert make_event(start_date=moment, end_date=moment)["end_date"] == moment


def test_start_and_end_are_changed_one_at_a_time(make_event, as_admin):
    path = f"/events/{make_event()['id']}"

    later = as_admin.patch(path, end_date="2030-03-11 01:00:00").json
    assert times(later)[:2] == ["2030-03-10 19:00:00", "2030-03-11 01:00:00"]
    earlier = as_admin.patch(path, start_date="2030-03-10 18:00:00").json
    assert times(earlier)[:2] == ["2030-03-10 18:00:00", "2030-03-11 01:00:00"]


def test_another_zone_keeps_the_clock_and_moves_the_instants(make_event, as_admin):
    path = f"/events/{make_event()['id']}"
    moved = as_admin.patch(path, timezone="America/New_York").json

    assert times(moved) == [
        "2030-03-10 19:00:00",
        "2030-03-10 22:00:00",
        "2030-03-10 23:00:00",
        "2030-03-11 02:00:00",
    ]
    assert as_admin.patch(path, title="Renamed").json["timezone"] == "America/New_York"


def test_dates_sent_without_a_zone_stay_in_the_events_zone(make_event, as_admin):
    event = make_event(timezone="America/New_York")
    changed = as_admin.patch(f"/events/{event['id']}", start_date="2030-03-10 18:00:00").json

    assert changed["timezone"] == "America/New_York"
    assert changed["utc_start_date"] == "2030-03-10 22:00:00"


# Before there were zones, clocks in Samoa were half a day ahead, and those in Kiribati behind.
@pytest.mark.parametrize(
    ("date", "zone"),
    [
        ("9999-12-31 23:59:59", "Pacific/Kiritimati"),
        ("0001-01-01 00:00:00", "Pacific/Kiritimati"),
        ("1800-05-05", "Pacific/Kiritimati"),
        ("1800-05-05", "Pacific/Pago_Pago"),
    ],
)
def test_first_and_last_dates_are_accepted(as_admin, date, zone):
    response = as_admin.post(
        "/events", title="Concert", start_date=date, end_date=date, timezone=zone
    )
    assert response.status_code == 201, response.json
    path = f"/events/{response.json['id']}"
    assert as_admin.get(path).status_code == 200
    assert as_admin.patch(path, timezone="UTC").status_code == 200


@pytest.mark.parametrize("date", ["9999-12-31 23:59:59", "0001-01-01 00:00:00"])
def test_dates_that_are_beyond_the_ends_of_time_in_utc_are_refused(as_admin, date):
    zone = "Pacific/Pago_Pago"
    response = as_admin.post(
        "/events", title="Concert", start_date=date, end_date=date, timezone=zone
    )
    assert (response.status_code, response.invalid_params) == (400, ["start_date"])


@pytest.mark.parametrize("name", ["date", "date_utc"])
@pytest.mark.parametrize("date", ["9999-12-31 23:30:00", "0001-01-01 00:10:00"])
def test_publication_date_must_be_valid_in_every_zone(as_admin, make_venue, name, date):
    venue = f"/venues/{make_venue()['id']}"
    for answer in (
        as_admin.post("/venues", venue="Hall", **{name: date}),
        as_admin.put(venue, **{name: date}),
    ):
        assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert as_admin.get("/venues").json["total"] == 1


def test_json_ld_tells_instants_with_their_offset(make_event, anyone):
    event = make_event(timezone="America/New_York")
    described = anyone.get(f"/events/{event['id']}").json["json_ld"]

    assert described["startDate"] == "2030-03-10T19:00:00-04:00"
    assert described["endDate"] == "2030-03-10T22:00:00-04:00"
