"""A write of a series is stored as a whole, once, or not at all."""

import pytest
from api.recurrence.conftest import WEEKLY


@pytest.fixture
def stored(database):
    """Return a function that reads all stored events and series."""
    return lambda: [list(database[name].find()) for name in ("events", "series")]


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Fair", "end_date": "2030-01-01 10:00:00"},
        {"title": "Fair", "venue": 999},
        {"title": "Fair", "recurrence": {"rrule": "FREQ=HOURLY"}},
        {"title": "Fair", "recurrence": {"rrule": "FREQ=DAILY;UNTIL=20290101"}},
    ],
)
@pytest.mark.parametrize("scope", ["following", "all"])
def test_refused_change_of_a_series_changes_nothing(make_weekly, as_admin, stored, changes, scope):
    make_weekly()
    number = as_admin.get("/events/by-slug/market/2030-03-20").json["id"]
    before = stored()
    answer = as_admin.patch(f"/events/{number}", scope=scope, **changes)
    assert answer.status_code == 400
    assert stored() == before


@pytest.mark.parametrize("caller", ["as_author", "as_admin"])
def test_no_series_begins_in_the_trash(request, make_event, caller):
    by = request.getfixturevalue(caller)
    weekly = WEEKLY | {"status": "trash"}
    event = make_event(by=by)["id"]
    for answer in (
        by.post("/events", **weekly),
        by.patch(f"/events/{event}", status="trash", recurrence=WEEKLY["recurrence"]),
    ):
        assert (answer.status_code, answer.invalid_params) == (400, ["status"])
    by.delete(f"/events/{event}")
    answer = by.patch(f"/events/{event}", recurrence=WEEKLY["recurrence"])
    assert answer.status_code < 500
    assert by.get("/series").json["total"] == 0


def test_series_is_created_once_for_an_idempotency_key(as_admin, anyone):
    body = {
        "title": "Market",
        "start_date": "2030-03-06 10:00:00",
        "end_date": "2030-03-06 12:00:00",
        "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=3"},
    }
    key = {"Idempotency-Key": "a"}
    answers = [as_admin.send("POST", "/events", headers=key, json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json["id"] == answers[1].json["id"]
    assert anyone.get("/events").json["total"] == 3


def test_failed_write_leaves_the_old_series(make_weekly, as_admin, stored, database):
    """The index of slugs refuses one of the new documents, behind all the others."""
    first = make_weekly()["id"]
    conflicting_event = {
        "_id": 999_999,
        "slugs": ["de:fair/2030-04-03"],
        "status": "trash",
        "variants": {},
    }
    database["events"].insert_one(conflicting_event)
    before = stored()
    answer = as_admin.patch(f"/events/{first}", slug="fair", title="Fair", scope="all")
    assert answer.status_code == 409
    assert stored() == before


def test_restored_with_all_an_exception_goes(make_weekly, occurrences, as_admin):
    weekly = [event["id"] for event in occurrences(make_weekly()["id"])]
    as_admin.delete(f"/events/{weekly[2]}")
    answer = as_admin.patch(f"/events/{weekly[2]}", status="publish", scope="all")
    assert answer.json["status"] == "publish"
    assert [event["id"] for event in occurrences(weekly[0])] == weekly


def test_protected_occurrence_hides_its_series(make_weekly, occurrences, as_admin):
    number = occurrences(make_weekly()["id"])[1]["id"]
    answer = as_admin.patch(f"/events/{number}", password="secret")
    assert "password" in answer.json["overrides"]


def test_protected_occurrence_is_not_found_by_its_series(
    make_weekly, occurrences, as_admin, anyone
):
    first = make_weekly()["id"]
    as_admin.patch(f"/events/{occurrences(first)[1]['id']}", password="secret")
    assert anyone.get("/events").json["total"] == 5
    assert anyone.get("/events", series=first).json["total"] == 4
    [locked] = [event for event in anyone.get("/events").json["events"] if not event["series"]]
    assert (locked["recurrence_id"], locked["overrides"]) == (None, [])


@pytest.mark.parametrize("changes", [{"status": "publish"}, {"title": "Fair"}])
def test_change_of_all_brings_the_series_of_a_restored_event_back(
    changes, make_weekly, occurrences, as_admin
):
    number = make_weekly()["id"]
    as_admin.delete(f"/series/{number}")
    assert as_admin.patch(f"/events/{number}", status="publish").status_code == 200
    answer = as_admin.patch(f"/events/{number}", **changes, scope="all")
    assert answer.json["status"] == "publish"
    assert len(occurrences(number)) == 5


def test_change_of_a_trashed_series_leaves_the_restored_event(make_weekly, anyone, as_admin):
    number = make_weekly()["id"]
    as_admin.delete(f"/series/{number}")
    as_admin.patch(f"/events/{number}", status="publish")
    assert as_admin.patch(f"/series/{number}", cost="5").status_code == 200
    assert anyone.get("/events").json["total"] == 1
