"""Series that are created, read and listed."""

import pytest

DATES = [
    "2030-03-06 10:00:00",
    "2030-03-13 10:00:00",
    "2030-03-20 10:00:00",
    "2030-03-27 10:00:00",
    "2030-04-03 10:00:00",
]


def starts(events):
    return [event["start_date"] for event in events]


def test_weekly_event_has_an_occurrence_each_week(make_weekly, occurrences):
    first = make_weekly()
    events = occurrences(first["series"]["id"])
    assert starts(events) == DATES
    assert events[0]["id"] == first["id"] == first["series"]["id"]
    assert len({event["id"] for event in events}) == len(DATES)


def test_occurrence_shows_its_series(make_weekly, anyone):
    first = make_weekly()
    event = anyone.get(f"/events/{first['id']}").json
    assert event["recurrence_id"] == DATES[0]
    assert event["overrides"] == []
    series = event["series"]
    assert series["rest_url"].endswith(f"/series/{series['id']}")
    assert series["rrule"] == "FREQ=WEEKLY;COUNT=5"
    assert series["rdate"] == series["exdate"] == []
    assert series["text"] == "jeden Mittwoch, 5-mal"
    assert series["next"] == DATES[0]
    assert series["count"] == len(DATES)


def test_single_event_has_no_series_fields(make_event):
    assert not {"series", "recurrence_id", "overrides"} & make_event().keys()


def test_occurrence_has_the_date_in_its_address(make_weekly, occurrences, anyone):
    first = make_weekly()
    second = occurrences(first["id"])[1]
    assert second["slug"] == "market-2030-03-13"
    assert second["url"] == "https://calendar.example/event/market/2030-03-13/"
    assert anyone.get("/events/by-slug/market/2030-03-13").json["id"] == second["id"]


def test_second_occurrence_of_a_day_is_numbered(make_weekly, occurrences):
    first = make_weekly(
        recurrence={"rdate": ["2030-03-06 14:00:00"]},
    )
    assert [event["slug"] for event in occurrences(first["id"])] == [
        "market-2030-03-06",
        "market-2030-03-06-2",
    ]


def test_slug_of_a_series_leads_to_the_next_occurrence(make_weekly, anyone, clock):
    make_weekly()
    assert anyone.get("/events/by-slug/market").json["start_date"] == DATES[0]
    clock.advance(days=55)
    assert anyone.get("/events/by-slug/market").json["start_date"] == DATES[1]
    clock.advance(days=365)
    assert anyone.get("/events/by-slug/market").json["start_date"] == DATES[-1]


def test_slug_of_a_series_is_taken_once(make_weekly, make_event, occurrences):
    first = make_weekly()
    assert make_event(title="Market")["slug"] == "market-2"
    second = make_weekly()
    assert occurrences(second["id"])[0]["slug"] == "market-3-2030-03-06"
    assert first["slug"] == "market-2030-03-06"


def test_event_becomes_a_series_and_keeps_its_id(make_event, as_admin, occurrences, anyone):
    event = make_event(title="Choir")
    answer = as_admin.patch(f"/events/{event['id']}", recurrence="RRULE:FREQ=WEEKLY;COUNT=3")
    assert answer.status_code == 200, answer.json
    assert answer.json["id"] == event["id"]
    assert answer.json["series"]["count"] == 3
    assert len(occurrences(event["id"])) == 3
    assert anyone.get("/events/by-slug/choir").json["id"] == event["id"]


def test_rule_without_end_reaches_to_the_horizon(make_weekly, occurrences):
    first = make_weekly(recurrence={"rrule": "FREQ=MONTHLY"})
    assert starts(occurrences(first["id"]))[-1] == "2032-01-06 10:00:00"


@pytest.mark.parametrize(
    ("recurrence", "reason"),
    [
        ({"rrule": "FREQ=SECONDLY"}, "SECONDLY"),
        ({"rrule": "RSCALE=GREGORIAN;FREQ=WEEKLY"}, "RSCALE"),
        ({"rrule": "FREQ=DAILY;COUNT=3;UNTIL=20310101T000000Z"}, "UNTIL"),
        ({"rrule": "FREQ=DAILY;COUNT=0"}, "COUNT"),
        ({"rrule": "FREQ=DAILY;COUNT=100000"}, "COUNT"),
        ({"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "ergibt nie"),
        ({"rrule": "FREQ=DAILY;UNTIL=20300101T000000Z"}, "UNTIL"),
        ({"rdate": ["2030-02-30 10:00:00"]}, "rdate"),
        ({"rdate": ["2030-03-07 10:00:00"] * 10_000}, "rdate"),
        (
            {
                "rrule": "FREQ=DAILY;COUNT=2",
                "exdate": ["2030-03-06 10:00:00", "2030-03-07 10:00:00"],
            },
            "Ausnahmen",
        ),
    ],
)
def test_wrong_recurrence_is_refused_by_name(as_admin, anyone, recurrence, reason):
    answer = as_admin.post(
        "/events",
        title="Market",
        start_date="2030-03-06 10:00:00",
        end_date="2030-03-06 12:00:00",
        recurrence=recurrence,
    )
    assert answer.status_code == 400
    assert answer.invalid_params == ["recurrence"]
    assert reason in answer.json["data"]["params"]["recurrence"]
    assert anyone.get("/events").json["total"] == 0
    assert anyone.get("/series").json["total"] == 0


def test_lists_tell_recurring_events_from_single_ones(make_weekly, make_event, anyone):
    first, single = make_weekly(), make_event()
    listed = anyone.get("/events", recurring="true").json
    assert {event["series"]["id"] for event in listed["events"]} == {first["id"]}
    assert listed["total"] == len(DATES)
    listed = anyone.get("/events", recurring="false").json
    assert [event["id"] for event in listed["events"]] == [single["id"]]
    assert anyone.get("/events", series=first["id"]).json["total"] == len(DATES)
    assert anyone.get("/events", series=999).invalid_params == ["series"]


def test_first_in_series_lists_one_event_of_each(make_weekly, make_event, anyone):
    make_weekly()
    make_weekly(title="Choir", start_date="2030-03-07 10:00:00", end_date="2030-03-07 12:00:00")
    make_event(start_date="2030-03-08 10:00:00", end_date="2030-03-08 12:00:00")
    listed = anyone.get("/events", first_in_series="true").json
    assert starts(listed["events"]) == [
        "2030-03-06 10:00:00",
        "2030-03-07 10:00:00",
        "2030-03-08 10:00:00",
    ]
    assert listed["total"] == 3
    listed = anyone.get("/events", first_in_series="true", start_date="2030-03-14").json
    assert starts(listed["events"]) == ["2030-03-14 10:00:00", "2030-03-20 10:00:00"]
    listed = anyone.get("/events", first_in_series="true", search="choir").json
    assert starts(listed["events"]) == ["2030-03-07 10:00:00"]


def test_series_are_listed_and_read(make_weekly, anyone):
    first = make_weekly()
    [series] = anyone.get("/series").json["series"]
    alone = anyone.get(f"/series/{first['id']}").json
    assert alone.pop("json_ld")["@type"] == "EventSeries"
    assert alone == series
    assert alone["title"] == "Market"
    assert alone["slug"] == "market"
    assert alone["url"] == "https://calendar.example/event/market/"
    assert alone["recurrence"] == {"rrule": "FREQ=WEEKLY;COUNT=5", "rdate": [], "exdate": []}
    assert alone["count"] == len(DATES)


def test_unknown_series_is_not_found(anyone):
    assert anyone.get("/series/999").status_code == 404
    assert anyone.get("/series/999/events").status_code == 404


def test_draft_series_is_hidden_from_strangers(make_weekly, anyone, as_admin):
    first = make_weekly(status="draft")
    assert anyone.get("/events", recurring="true").json["total"] == 0
    assert anyone.get("/series").json["total"] == 0
    assert anyone.get(f"/series/{first['id']}").status_code == 403
    assert anyone.get("/events", series=first["id"]).invalid_params == ["series"]
    answer = as_admin.patch(f"/events/{first['id']}", status="publish", scope="all")
    assert answer.json["slug"] == "market-2030-03-06"
    assert anyone.get("/events", series=first["id"]).json["total"] == len(DATES)


def test_terms_count_each_occurrence(make_weekly, make_category, anyone, as_admin):
    category = make_category()
    first = make_weekly(categories=[category["id"]])
    assert anyone.get(f"/categories/{category['id']}").json["count"] == len(DATES)
    as_admin.delete(f"/events/{first['id']}", scope="all")
    assert anyone.get(f"/categories/{category['id']}").json["count"] == 0
