"""Each save is listed: who, when, by which door, what."""

import pytest
from api.history.conftest import LABELS

from calendar_app.calendar.auditing import Door, enter_door
from calendar_app.calendar.history import HISTORY, history_indexes
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

KINDS = sorted(LABELS)


@pytest.mark.parametrize("collection", KINDS)
def test_a_save_tells_who_when_and_what(make, write, saves, as_editor, collection):
    path, label = make(collection), LABELS[collection]
    write(path, by=as_editor, **{label: "Second"})

    latest, created = saves(path)
    assert latest == {
        "revision": created["revision"] + 1,
        "date": "2030-01-15 14:00:00",
        "date_utc": "2030-01-15 13:00:00",
        "user": {"id": 2, "name": "editor"},
        "door": "interface",
        "action": "update",
        "fields": [label],
        "languages": ["de"],
        "rest_url": f"https://calendar.example/calendar/events/v1{path}/history/2",
    }
    assert (created["action"], created["fields"], created["user"]["name"]) == (
        "create",
        [],
        "admin",
    )


def test_fields_have_the_names_of_the_interface(make, write, saves, make_venue, make_organizer):
    path = make("events")
    write(
        path,
        start_date="2030-03-11 19:00:00",
        end_date="2030-03-11 22:00:00",
        venue=make_venue()["id"],
        organizer=make_organizer()["id"],
        hide_from_listings=True,
        event_status="canceled",
        categories=["Jazz"],
    )
    assert set(saves(path)[0]["fields"]) == {
        "start_date",
        "end_date",
        "venue",
        "organizer",
        "hide_from_listings",
        "event_status",
        "categories",
    }


def test_each_language_of_a_save_is_named(make, write, saves):
    path = make("venues")
    write(path, variants={"de": {"city": "Chur"}, "rm": {"city": "Cuira"}})

    (latest, _) = saves(path)
    assert (latest["fields"], latest["languages"]) == (["city"], ["de", "rm"])


def test_a_confirmed_translation_is_a_save(make, write, saves):
    path = make("venues")
    write(path, language="rm", venue="Emprim")
    write(path, venue="Zweiter")
    write(path, language="rm", translation_status="current")

    latest = saves(path)[0]
    assert (latest["fields"], latest["languages"]) == (["translation_status"], ["rm"])


def test_nothing_changed_is_no_save(make, write, saves):
    path = make("tags")
    write(path, name="First")
    assert len(saves(path)) == 1


def test_trash_and_return_are_saves(make, saves, as_admin):
    path = make("venues")
    as_admin.delete(path)
    as_admin.patch(path, status="publish")
    assert [save["action"] for save in saves(path)] == ["untrash", "trash", "create"]


def test_a_language_taken_away_is_a_save(make, write, saves, as_admin):
    path = make("organizers")
    write(path, language="rm", organizer="Emprim")
    as_admin.delete(path, translation_only=True, translation_language="rm")
    assert saves(path)[0]["languages"] == ["rm"]


def test_publication_by_the_timer_is_a_save_of_the_service(make, saves, publish_after):
    path = make("venues", date="2030-01-16 12:00:00")
    assert publish_after(days=2) == 1

    latest = saves(path)[0]
    assert (latest["door"], latest["user"], latest["fields"]) == ("service", None, ["status"])


def test_a_series_published_by_the_timer_keeps_its_history(make, saves, publish_after):
    path = make("series", date="2030-01-16 12:00:00")
    publish_after(days=2)
    assert [save["rest_url"] is not None for save in saves(path)] == [True, True]


def test_writes_by_another_door_say_so(app, make, write, saves):
    path = make("tags")
    app.before_request_funcs.setdefault(None, []).append(lambda: enter_door(Door.DESK))
    try:
        write(path, name="Second")
    finally:
        app.before_request_funcs[None].pop()
    assert saves(path)[0]["door"] == "desk"


def test_saves_are_paged(make, write, as_admin):
    path = make("tags")
    for number in range(4):
        write(path, name=f"Name {number}")
    answer = as_admin.get(f"{path}/history", per_page=2, page=2).json

    assert [save["revision"] for save in answer["history"]] == [3, 2]
    assert (answer["total"], answer["total_pages"]) == (5, 3)
    assert as_admin.follow(answer["next_rest_url"]).json["history"][0]["revision"] == 1
    assert as_admin.get(f"{path}/history", page=9).status_code == 404
    assert as_admin.get(f"{path}/history", page=0).invalid_params == ["page"]


def test_a_venue_made_with_an_event_has_a_history(make, saves, as_admin):
    path = make("events", venue={"venue": "Hall"})
    venue = as_admin.get(path).json["venue"]["id"]
    assert [save["action"] for save in saves(f"/venues/{venue}")] == ["create"]


def test_deleting_for_good_forgets_the_history(database, make, write, saves, as_admin):
    paths = [make(collection) for collection in KINDS]
    for path in paths:
        write(path, **{LABELS[path.split("/")[1]]: "Second"})
        assert saves(path)
        as_admin.delete(path, force=True)
    assert list(database["history"].find({"record": {"$ne": None}}, {"kind": 1})) == []


def test_without_history_days_nothing_is_noted(worker, make, database):
    make("tags")
    client = worker("admin", history_days=0)
    number = client.post("/tags", name="Untold").json["id"]
    assert list(database["history"].find({"record": number})) == []
    assert client.get(f"/tags/{number}/history").json["history"] == []


def test_a_refused_write_leaves_no_entry(database, make, as_admin):
    path = make("categories")
    assert as_admin.patch(path, name="Second", parent=int(path.split("/")[2])).status_code == 400
    assert database["history"].count_documents({}) == 1


def test_another_lifetime_is_applied(bare_database):
    store = Store(bare_database)
    for days in (365, 30):
        ensure_indexes(store, {HISTORY: history_indexes(days)})
        index = bare_database[HISTORY].index_information()["date_1"]
        assert index["expireAfterSeconds"] == days * 24 * 60 * 60
