"""How far a write of an occurrence reaches: this one, those that follow, or all."""

import pytest
from keeping import kept


def starts(events):
    return [event["start_date"][5:16] for event in events]


def titles(events):
    return [event["title"] for event in events]


@kept
def weekly(make_weekly, occurrences):
    """Return the ids of five Wednesdays."""
    return [event["id"] for event in occurrences(make_weekly()["id"])]


def changed(answer):
    assert answer.status_code == 200, answer.json
    return answer.json


def test_change_of_one_occurrence_is_an_override(weekly, as_admin, occurrences):
    event = changed(as_admin.patch(f"/events/{weekly[1]}", title="Night market"))
    assert event["overrides"] == ["title"]
    assert event["slug"] == "market-2030-03-13"
    assert titles(occurrences(weekly[0])) == ["Market", "Night market", *["Market"] * 3]


def test_override_ends_when_the_field_is_as_in_the_series(weekly, as_admin):
    changed(as_admin.patch(f"/events/{weekly[1]}", title="Night market", featured=True))
    event = changed(as_admin.patch(f"/events/{weekly[1]}", title="Market"))
    assert event["overrides"] == ["featured"]


def test_moved_occurrence_keeps_its_recurrence_id(weekly, as_admin):
    event = changed(
        as_admin.patch(
            f"/events/{weekly[1]}",
            start_date="2030-03-14 18:00:00",
            end_date="2030-03-14 20:00:00",
        )
    )
    assert event["recurrence_id"] == "2030-03-13 10:00:00"
    assert event["overrides"] == ["end_date", "start_date"]


def test_date_with_a_status_of_its_own_keeps_when_it_was_published(weekly, as_admin, occurrences):
    own = changed(as_admin.patch(f"/events/{weekly[1]}", status="private"))
    changed(as_admin.patch(f"/events/{weekly[0]}", date="2029-12-01 08:00:00", scope="all"))
    dates = {each["id"]: each["date"] for each in occurrences(weekly[0], by=as_admin, status="any")}
    earlier = "2029-12-01 08:00:00"
    assert dates == dict.fromkeys(weekly, earlier) | {weekly[1]: own["date"]}
    assert own["date"] != earlier


def test_change_of_all_keeps_overrides(weekly, as_admin, occurrences):
    changed(as_admin.patch(f"/events/{weekly[1]}", title="Night market"))
    event = changed(as_admin.patch(f"/events/{weekly[3]}", title="Fair", cost="5", scope="all"))
    assert event["id"] == weekly[3]
    events = occurrences(weekly[0])
    assert titles(events) == ["Fair", "Night market", "Fair", "Fair", "Fair"]
    assert {event["cost"] for event in events} == {"$5"}
    assert [event["id"] for event in events] == weekly


def test_change_of_all_replaces_the_override_of_the_addressed_date(weekly, as_admin, occurrences):
    changed(as_admin.patch(f"/events/{weekly[1]}", title="Night market"))
    event = changed(as_admin.patch(f"/events/{weekly[1]}", title="Fair", scope="all"))
    assert event["overrides"] == []
    assert set(titles(occurrences(weekly[0]))) == {"Fair"}


@pytest.mark.parametrize(
    "value",
    [
        {"title": "Fair"},
        {"variants": {"rm": {"title": "Fiera"}}},
        {"cost": "7"},
        {"event_status": "canceled"},
        {"venue": []},
        {"description": ""},
        {"custom_fields": {"doors": {"label": "Doors", "value": "19:00"}}},
        {"start_date": "2030-03-14 11:00:00", "end_date": "2030-03-14 13:00:00"},
    ],
)
@pytest.mark.parametrize("scope", ["all", "following"])
def test_value_that_the_addressed_date_has_alone_reaches_the_others(
    make_weekly, as_admin, occurrences, scope, value
):
    place = {"venue": {"venue": "Hall"}, "description": "<p>Hall</p>"}
    number = make_weekly(**place)["id"]
    second = occurrences(number)[1]["id"]
    as_admin.patch(f"/events/{second}", **value)
    changed = as_admin.patch(f"/events/{second}", scope=scope, **value).json
    assert set(changed["overrides"]) <= {"slug"}
    last = occurrences(number if scope == "all" else second)[-1]
    field_names = {name for name in value if name not in ("start_date", "end_date")}
    assert [last[name] for name in field_names if name in last] == [
        changed[name] for name in field_names if name in last
    ]
    assert last["overrides"] == []
    assert last["recurrence_id"][11:] == changed["start_date"][11:]


def test_times_of_all_move_the_rule(weekly, as_admin, occurrences):
    event = changed(
        as_admin.patch(
            f"/events/{weekly[2]}",
            start_date="2030-03-21 18:00:00",
            end_date="2030-03-21 21:00:00",
            scope="all",
        )
    )
    assert event["id"] == weekly[2]
    assert event["recurrence_id"] == "2030-03-21 18:00:00"
    assert event["overrides"] == []
    events = occurrences(weekly[0])
    dates = ["03-07 18:00", "03-14 18:00", "03-21 18:00", "03-28 18:00", "04-04 18:00"]
    assert starts(events) == dates
    assert [event["id"] for event in events] == weekly
    assert events[1]["slug"] == "market-2030-03-14"
    assert events[1]["end_date"] == "2030-03-14 21:00:00"


def test_moved_series_is_found_by_its_old_addresses(weekly, as_admin, anyone):
    move = {"start_date": "2030-03-07 10:00:00", "end_date": "2030-03-07 12:00:00"}
    changed(as_admin.patch(f"/events/{weekly[0]}", scope="all", **move))
    answer = anyone.get("/events/by-slug/market/2030-03-13")
    assert answer.status_code == 301
    assert answer.headers["Location"].endswith("/events/by-slug/market-2030-03-14")


def test_series_moved_by_its_own_interval_keeps_ids(weekly, as_admin, occurrences):
    move = {"start_date": "2030-03-13 10:00:00", "end_date": "2030-03-13 12:00:00"}
    changed(as_admin.patch(f"/events/{weekly[0]}", scope="all", **move))
    events = occurrences(weekly[0])
    assert [event["id"] for event in events] == weekly
    assert starts(events)[0] == "03-13 10:00"
    assert events[0]["slug"] == "market-2030-03-13"


def test_rule_of_all_keeps_the_dates_that_remain(weekly, as_admin, occurrences):
    changed(as_admin.patch(f"/events/{weekly[2]}", title="Fair"))
    rule = {"rrule": "FREQ=WEEKLY;INTERVAL=2;COUNT=3"}
    changed(as_admin.patch(f"/events/{weekly[0]}", recurrence=rule, scope="all"))
    events = occurrences(weekly[0])
    assert starts(events) == ["03-06 10:00", "03-20 10:00", "04-03 10:00"]
    assert [event["id"] for event in events] == weekly[::2]
    assert titles(events) == ["Market", "Fair", "Market"]
    assert as_admin.delete(f"/events/{weekly[1]}").status_code == 410
    rule = {"rrule": "FREQ=WEEKLY;COUNT=5"}
    changed(as_admin.patch(f"/events/{weekly[0]}", recurrence=rule, scope="all"))
    assert [event["id"] for event in occurrences(weekly[0])] == weekly


def test_rule_of_all_deletes_lost_dates_with_force(weekly, as_admin):
    rule = {"rrule": "FREQ=WEEKLY;COUNT=2"}
    changed(as_admin.patch(f"/events/{weekly[0]}", recurrence=rule, scope="all", force=True))
    assert as_admin.get(f"/events/{weekly[4]}").status_code == 404


def test_following_makes_a_new_series(weekly, as_admin, occurrences, anyone):
    changed(as_admin.patch(f"/events/{weekly[3]}", title="Night market"))
    event = changed(as_admin.patch(f"/events/{weekly[2]}", title="Fair", scope="following"))
    assert event["id"] == event["series"]["id"] == weekly[2]
    assert titles(occurrences(weekly[0])) == ["Market", "Market"]
    later = occurrences(weekly[2])
    assert titles(later) == ["Fair", "Night market", "Fair"]
    assert [event["id"] for event in later] == weekly[2:]
    assert later[1]["overrides"] == ["title"]
    assert anyone.get(f"/series/{weekly[0]}").json["count"] == 2
    assert {event["slug"][: -len("-2030-03-20")] for event in later} == {"fair"}


def test_following_moves_the_new_series_alone(weekly, as_admin, occurrences):
    move = {"start_date": "2030-03-22 10:00:00", "end_date": "2030-03-22 12:00:00"}
    changed(as_admin.patch(f"/events/{weekly[2]}", scope="following", **move))
    assert starts(occurrences(weekly[0])) == ["03-06 10:00", "03-13 10:00"]
    assert starts(occurrences(weekly[2])) == ["03-22 10:00", "03-29 10:00", "04-05 10:00"]


def test_following_on_the_first_is_all(weekly, as_admin, occurrences):
    event = changed(as_admin.patch(f"/events/{weekly[0]}", title="Fair", scope="following"))
    assert event["series"]["id"] == weekly[0]
    assert titles(occurrences(weekly[0])) == ["Fair"] * 5


def test_recurrence_needs_a_scope(weekly, as_admin):
    rule = {"rrule": "FREQ=DAILY;COUNT=2"}
    for scope in ({}, {"scope": "this"}):
        answer = as_admin.patch(f"/events/{weekly[1]}", recurrence=rule, **scope)
        assert answer.status_code == 400
        assert answer.invalid_params == ["recurrence"]
    answer = as_admin.patch(f"/events/{weekly[1]}", title="Fair", scope="sideways")
    assert answer.invalid_params == ["scope"]
    assert as_admin.delete(f"/events/{weekly[1]}", scope="sideways").invalid_params == ["scope"]


def test_cleared_series_becomes_the_addressed_event(weekly, as_admin, anyone):
    answer = as_admin.patch(f"/events/{weekly[1]}", recurrence="")
    assert answer.invalid_params == ["recurrence"]
    event = changed(as_admin.patch(f"/events/{weekly[1]}", recurrence="", scope="all"))
    assert "series" not in event
    assert event["slug"] == "market"
    assert anyone.get("/events").json["total"] == 1
    assert anyone.get(f"/series/{weekly[0]}").status_code == 404
    assert as_admin.delete(f"/events/{weekly[0]}").status_code == 410
    restored = changed(as_admin.patch(f"/events/{weekly[0]}", status="publish"))
    assert "series" not in restored


def test_deleted_occurrence_is_an_exception_until_it_is_restored(
    weekly, as_admin, anyone, occurrences
):
    changed(as_admin.delete(f"/events/{weekly[1]}"))
    series = anyone.get(f"/series/{weekly[0]}").json
    assert series["exdate"] == ["2030-03-13 10:00:00"]
    assert series["count"] == 4
    changed(as_admin.patch(f"/events/{weekly[0]}", title="Fair", scope="all"))
    assert as_admin.delete(f"/events/{weekly[1]}").status_code == 410
    event = changed(as_admin.patch(f"/events/{weekly[1]}", status="publish"))
    assert event["title"] == "Fair"
    assert event["slug"] == "market-2030-03-13"
    assert event["series"]["exdate"] == []
    assert [event["id"] for event in occurrences(weekly[0])] == weekly


def test_occurrence_deleted_for_good_stays_away(weekly, as_admin, anyone, occurrences):
    changed(as_admin.delete(f"/events/{weekly[1]}", force=True))
    assert anyone.get(f"/events/{weekly[1]}").status_code == 404
    changed(as_admin.patch(f"/events/{weekly[0]}", title="Fair", scope="all"))
    remaining = [event["id"] for event in occurrences(weekly[0])]
    assert remaining == [weekly[0], *weekly[2:]]


def test_date_that_the_rule_lost_comes_back_as_an_extra_date(weekly, as_admin, occurrences):
    rule = {"rrule": "FREQ=WEEKLY;COUNT=2"}
    changed(as_admin.patch(f"/events/{weekly[0]}", recurrence=rule, scope="all"))
    event = changed(as_admin.patch(f"/events/{weekly[4]}", status="publish"))
    assert event["series"]["rdate"] == ["2030-04-03 10:00:00"]
    assert [each["id"] for each in occurrences(weekly[0])] == [*weekly[:2], weekly[4]]


def test_date_that_the_rule_lost_leaves_no_exception_when_it_is_deleted_for_good(
    weekly, as_admin, anyone
):
    rule = {"rrule": "FREQ=WEEKLY;COUNT=2"}
    changed(as_admin.patch(f"/events/{weekly[0]}", recurrence=rule, scope="all"))
    before = anyone.get(f"/events/{weekly[0]}").json["series"]
    changed(as_admin.delete(f"/events/{weekly[4]}", force=True))
    assert anyone.get(f"/events/{weekly[0]}").json["series"] == before


def test_deleting_those_that_follow_ends_the_series(weekly, as_admin, occurrences):
    changed(as_admin.delete(f"/events/{weekly[2]}", scope="following"))
    assert [event["id"] for event in occurrences(weekly[0])] == weekly[:2]
    assert as_admin.delete(f"/events/{weekly[3]}").status_code == 410


@pytest.mark.parametrize("trashed", [[2], [2, 4]])
def test_deleting_for_good_from_a_date_in_the_trash_takes_all_that_follow(
    weekly, as_admin, database, trashed
):
    for number in trashed:
        changed(as_admin.delete(f"/events/{weekly[number]}"))
    changed(as_admin.delete(f"/events/{weekly[2]}", scope="following", force=True))
    assert sorted(event["_id"] for event in database["events"].find()) == sorted(weekly[:2])


def test_deleting_for_good_leaves_earlier_dates_in_the_trash(weekly, as_admin, database):
    changed(as_admin.delete(f"/events/{weekly[1]}"))
    changed(as_admin.delete(f"/events/{weekly[2]}", scope="following", force=True))
    assert sorted(event["_id"] for event in database["events"].find()) == sorted(weekly[:2])


def test_deleted_series_can_be_restored(weekly, as_admin, anyone, occurrences):
    changed(as_admin.delete(f"/events/{weekly[1]}"))
    changed(as_admin.delete(f"/series/{weekly[0]}"))
    assert anyone.get("/events").json["total"] == 0
    assert anyone.get("/series").json["total"] == 0
    assert as_admin.delete(f"/series/{weekly[0]}").status_code == 410
    changed(as_admin.patch(f"/events/{weekly[2]}", status="publish", scope="all"))
    remaining = [event["id"] for event in occurrences(weekly[0])]
    assert remaining == [weekly[0], *weekly[2:]]


def test_series_deleted_for_good_leaves_nothing(weekly, as_admin, anyone, database):
    changed(as_admin.delete(f"/events/{weekly[2]}", scope="all", force=True))
    assert anyone.get(f"/series/{weekly[0]}").status_code == 404
    assert list(database["events"].find()) == list(database["series"].find()) == []


def test_series_is_changed_by_its_own_address(weekly, as_admin, occurrences):
    changed(as_admin.patch(f"/events/{weekly[0]}", title="Night market"))
    series = changed(as_admin.put(f"/series/{weekly[0]}", title="Fair", cost="5"))
    assert series["title"] == "Fair"
    assert titles(occurrences(weekly[0])) == ["Night market", *["Fair"] * 4]


def test_sending_back_a_series_changes_nothing(weekly, as_admin, database):
    as_admin.patch(f"/events/{weekly[1]}", title="Night market", start_date="2030-03-13 09:00:00")

    def stored():
        return [list(database[name].find()) for name in ("events", "series")]

    before = stored()
    for scope in ("this", "all"):
        for number in weekly:
            event = as_admin.get(f"/events/{number}", translation_language="all").json
            changed(as_admin.put(f"/events/{number}", **event, scope=scope))
    series = as_admin.get(f"/series/{weekly[0]}", translation_language="all").json
    changed(as_admin.put(f"/series/{weekly[0]}", **series))
    assert stored() == before


def test_if_match_guards_occurrence_and_series(weekly, as_admin):
    event, series = f"/events/{weekly[1]}", f"/series/{weekly[0]}"
    tags = {path: as_admin.get(path).headers["ETag"] for path in (event, series)}
    changed(as_admin.patch(f"/events/{weekly[0]}", title="Fair", scope="all"))
    for path, tag in tags.items():
        refused = as_admin.send("PATCH", path, headers={"If-Match": tag}, json={"cost": "7"})
        assert refused.status_code == 412
    tag = as_admin.get(series).headers["ETag"]
    answer = as_admin.send("PATCH", series, headers={"If-Match": tag}, json={"cost": "7"})
    assert answer.status_code == 200


def test_slug_of_all_is_that_of_the_series(weekly, as_admin, anyone, occurrences):
    changed(as_admin.patch(f"/events/{weekly[0]}", slug="fair", scope="all"))
    assert occurrences(weekly[0])[1]["slug"] == "fair-2030-03-13"
    assert anyone.get("/events/by-slug/market/2030-03-13").status_code == 301
    assert anyone.get("/events/by-slug/fair").json["id"] == weekly[0]


def test_authors_change_their_own_series_alone(make_weekly, as_author, as_author2):
    first = make_weekly(by=as_author)["id"]
    assert as_author2.patch(f"/events/{first}", title="Mine", scope="all").status_code == 403
    assert as_author2.delete(f"/series/{first}").status_code == 403
    changed(as_author.patch(f"/events/{first}", title="Mine", scope="all"))


def test_sent_exceptions_alone_leave_the_rule(weekly, as_admin, occurrences):
    exceptions = {"exdate": ["2030-03-13 10:00:00"]}
    series = changed(as_admin.patch(f"/series/{weekly[0]}", recurrence=exceptions))
    assert series["rrule"] == "FREQ=WEEKLY;COUNT=5"
    remaining = [event["id"] for event in occurrences(weekly[0])]
    assert remaining == [weekly[0], *weekly[2:]]
