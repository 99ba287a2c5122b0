"""An earlier state reads as it read then, and a record goes back to it."""

import pytest
from api.history.conftest import DATE, LABELS

KINDS = sorted(LABELS)
# What a new save gives a record, whatever it writes.
OF_THE_SAVE = {"modified", "modified_utc"}
OTHER_VALUES = {
    "title": "Zweiter & <b>größer</b>",
    "description": "<p>Ein <b>fetter</b> Text</p>",
    "excerpt": "Kurz",
    "slug": "zweiter",
    "start_date": "2030-10-27 02:30:00",
    "end_date": "2030-10-27 02:45:00",
    "timezone": "Europe/Berlin",
    "cost": "12-20",
    "website": "https://example.org/",
    "hide_from_listings": True,
    "sticky": True,
    "featured": True,
    "show_map": True,
    "event_status": "canceled",
    "status_reason": "Krank &amp; müde",
    "attendance_mode": "online",
    "online_url": "https://example.org/live",
    "accessibility": ["wheelchair"],
    "in_language": ["de"],
    "audience": {"min_age": 6},
    "registration": {"closes": "2030-01-01 18:00:00", "required": True},
    "custom_fields": {"doors": {"label": "Tür", "value": "18 Uhr"}},
    "categories": ["Jazz"],
    "tags": ["frei"],
    "venue": {"venue": "Saal"},
    "organizer": {"organizer": "Verein"},
    "image": "https://example.org/a.png",
    "status": "draft",
    "date": "2029-01-01 12:00:00",
}


def without(body, names=OF_THE_SAVE):
    return {name: value for name, value in body.items() if name not in names}


def read_all(client, path):
    return client.get(path, translation_language="all").json


@pytest.fixture
def earlier(as_admin):
    """Return a function that reads a state in all languages."""

    def state(path, revision):
        answer = as_admin.get(f"{path}/history/{revision}", translation_language="all")
        assert answer.status_code == 200, answer.json
        return answer.json

    return state


@pytest.mark.parametrize("collection", KINDS)
def test_an_earlier_state_reads_as_it_read_then(make, write, earlier, as_admin, collection):
    path = make(collection)
    before = read_all(as_admin, path)
    write(path, **{LABELS[collection]: "Second"})
    write(path, language="rm", **{LABELS[collection]: "Segund"})

    assert earlier(path, 1) == before
    assert earlier(path, 3) == read_all(as_admin, path)


@pytest.mark.parametrize("collection", KINDS)
def test_a_restored_record_reads_as_it_read_then(make, write, restore, as_admin, collection):
    path = make(collection)
    before = read_all(as_admin, path)
    write(path, **{LABELS[collection]: "Second"})
    write(path, language="rm", **{LABELS[collection]: "Segund"})

    answer = restore(path, 1)
    assert answer.status_code == 200
    assert without(read_all(as_admin, path)) == without(before)


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_each_field_of_an_event_goes_back_and_forth(make, write, restore, as_admin, name):
    path = make("events")
    before = read_all(as_admin, path)
    times = DATE if name in ("start_date", "end_date") else {}
    changes = {key: OTHER_VALUES[key] for key in times} or {name: OTHER_VALUES[name]}
    write(path, **changes)
    changed = read_all(as_admin, path)
    assert without(changed) != without(before)

    restore(path, 1)
    assert without(read_all(as_admin, path)) == without(before)
    restore(path, 2)
    assert without(read_all(as_admin, path)) == without(changed)


def test_a_venue_goes_back_with_its_point_and_province(make, write, restore, as_admin):
    path = make("venues", geo_lat=46.85, geo_lng=9.53, province="GR", country="Schweiz", zip="7000")
    before = read_all(as_admin, path)
    write(path, geo_lat=None, geo_lng=None, province="ZH", country="", zip="", phone="1")
    restore(path, 1)
    assert without(read_all(as_admin, path)) == without(before)


def test_a_category_goes_back_below_its_parent(make, write, restore, as_admin):
    above = as_admin.post("/categories", name="Above").json["id"]
    path = make("categories", parent=above)
    write(path, parent=0)
    assert restore(path, 1).json["parent"] == above


def test_a_restored_translation_is_as_outdated_as_it_was(make, write, restore, as_admin):
    path = make("events")
    write(path, language="rm", title="Emprim")
    write(path, title="Zweiter")
    states = read_all(as_admin, path)["translations"]
    assert states["rm"]["status"] == "outdated"
    write(path, language="rm", title="Segund")

    restored = restore(path, 3).json["translations"]
    assert restored["rm"]["status"] == "outdated"


def test_deleted_links_are_left_out(make, write, restore, as_admin):
    venue, tag = (make(kind).split("/")[2] for kind in ("venues", "tags"))
    path = make("events", venue=[int(venue)], tags=[int(tag)])
    write(path, venue=[], tags=[])
    as_admin.delete(f"/venues/{venue}", force=True)
    as_admin.delete(f"/tags/{tag}")

    answer = restore(path, 1).json
    assert (answer["venue"], answer["tags"]) == ([], [])


def test_a_trashed_record_comes_back_by_its_history(make, restore, as_admin, anyone):
    path = make("events")
    slug = as_admin.get(path).json["slug"]
    as_admin.delete(path)

    assert restore(path, 1).json["slug"] == slug
    assert anyone.get(path).status_code == 200


def test_no_restore_moves_a_record_to_the_trash(make, write, restore, as_admin):
    path = make("venues")
    as_admin.delete(path)
    write(path, status="publish", venue="Second")

    answer = restore(path, 2).json
    assert (answer["status"], answer["venue"]) == ("publish", "First")


def test_a_restore_is_a_save_like_another(make, write, restore, saves, as_editor):
    path = make("tags")
    write(path, name="Second")
    restore(path, 1, by=as_editor)

    latest = saves(path)[0]
    assert (latest["revision"], latest["user"]["name"], latest["fields"]) == (3, "editor", ["name"])


def test_a_restore_with_if_match_fails_on_a_changed_record(make, write, restore, as_admin):
    path = make("events")
    tag = as_admin.get(path).headers["ETag"]
    write(path, title="Second")

    assert restore(path, 1, headers={"If-Match": tag}).status_code == 412
    fresh = as_admin.get(path).headers["ETag"]
    assert restore(path, 1, headers={"If-Match": fresh}).json["title"] == "First"


def test_a_repeated_restore_with_one_key_writes_once(make, write, restore, saves):
    path = make("tags")
    write(path, name="Second")
    for _ in range(2):
        restore(path, 1, headers={"Idempotency-Key": "once"})
    assert len(saves(path)) == 3


@pytest.mark.parametrize("revision", [0, 7, 10**15])
def test_a_revision_that_never_was_is_not_found(make, restore, as_admin, revision):
    path = make("events")
    for answer in (as_admin.get(f"{path}/history/{revision}"), restore(path, revision)):
        assert (answer.status_code, answer.code) == (404, "not_in_history")


def test_history_ends_where_entries_have_expired(make, write, saves, restore, database):
    path = make("tags")
    for name in ("Second", "Third", "Fourth"):
        write(path, name=name)
    database["history"].delete_many({"revision": {"$lte": 3}})

    assert [save["revision"] for save in saves(path)] == [4]
    # The state before the last save that is kept is still known.
    assert restore(path, 3).json["name"] == "Third"
    assert restore(path, 2).status_code == 404


def test_states_behind_a_gap_have_no_address(make, write, saves, as_admin, database):
    path = make("tags")
    for name in ("Second", "Third", "Fourth"):
        write(path, name=name)
    database["history"].delete_many({"revision": 3})

    assert [save["rest_url"] is None for save in saves(path)] == [False, True, True]
    assert as_admin.get(f"{path}/history/3").status_code == 200
    assert as_admin.get(f"{path}/history/2").status_code == 404
