"""The trash: what lies in it, what comes back, what is gone for good."""

import pytest

# Where an event takes place depends on who may read its venue.
# A linked record in the trash moves the version of the feed, and nothing that is shown.
NO_PLACE = {"location": False, "restricted_place": False, "touched": False}

POSTS = ["events", "venues", "organizers"]
REQUIRED = {
    "events": {
        "title": "Name",
        "start_date": "2030-03-10 19:00:00",
        "end_date": "2030-03-10 22:00:00",
    },
    "venues": {"venue": "Name"},
    "organizers": {"organizer": "Name"},
}


@pytest.fixture
def make(as_admin):
    """Return a function that creates a record of a collection."""
    return lambda collection: as_admin.post(f"/{collection}", **REQUIRED[collection]).json


@pytest.mark.parametrize("collection", POSTS)
def test_deleting_moves_a_record_to_the_trash(make, as_editor, collection):
    record = make(collection)
    answer = as_editor.delete(f"/{collection}/{record['id']}")

    assert answer.status_code == 200
    assert answer.json["status"] == "trash"
    assert answer.json["slug"] == f"{record['slug']}__trashed"
    assert "json_ld" not in answer.json
    assert as_editor.get(f"/{collection}").json["total"] == 0


@pytest.mark.parametrize("collection", POSTS)
def test_deleting_a_trashed_record_is_refused(make, as_editor, collection):
    record = make(collection)
    path = f"/{collection}/{record['id']}"
    as_editor.delete(path)

    answer = as_editor.delete(path)
    assert answer.status_code == 410
    assert answer.code == f"{collection[:-1]}-is-in-trash"

    by_slug = as_editor.delete(f"/{collection}/by-slug/{record['slug']}")
    assert by_slug.status_code == 400
    assert by_slug.invalid_params == ["slug"]


@pytest.mark.parametrize("collection", POSTS)
def test_a_record_is_deleted_by_slug_too(make, as_editor, collection):
    answer = as_editor.delete(f"/{collection}/by-slug/{make(collection)['slug']}")

    assert answer.json["status"] == "trash"


def test_trashed_event_is_unreadable_for_every_role(make, calling_as, as_editor):
    path = f"/events/{make('events')['id']}"
    as_editor.delete(path)

    for name in (None, "subscriber", "contributor", "author", "editor", "admin"):
        answer = calling_as(name).get(path)
        assert answer.status_code == 403
        assert answer.code == "event-no-longer-available"


@pytest.mark.parametrize("collection", ["venues", "organizers"])
def test_a_trashed_venue_or_organizer_is_read_by_editors_alone(
    make, as_editor, as_author, anyone, collection
):
    path = f"/{collection}/{make(collection)['id']}"
    as_editor.delete(path)

    assert as_editor.get(path).json["status"] == "trash"
    for client in (anyone, as_author):
        answer = client.get(path)
        assert answer.status_code == 403
        assert answer.code == f"{collection[:-1]}-not-accessible"


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("status", ["publish", "draft", "private"])
def test_a_status_brings_a_record_back_with_its_slug(make, as_editor, collection, status):
    record = make(collection)
    path = f"/{collection}/{record['id']}"
    as_editor.delete(path)

    answer = as_editor.post(path, status=status)
    assert answer.status_code == 200
    assert answer.json["status"] == status
    assert answer.json["slug"] == record["slug"]
    assert as_editor.get(f"/{collection}/by-slug/{record['slug']}").json["id"] == record["id"]


@pytest.mark.parametrize("collection", POSTS)
def test_an_update_without_a_status_leaves_a_record_in_the_trash(make, as_editor, collection):
    path = f"/{collection}/{make(collection)['id']}"
    as_editor.delete(path)

    answer = as_editor.put(path, description="Changed in the trash")
    assert answer.json["status"] == "trash"


def test_a_slug_that_was_taken_meanwhile_gets_a_number(make, make_event, as_editor):
    record = make("events")
    path = f"/events/{record['id']}"
    as_editor.delete(path)
    assert make_event(title="Name")["slug"] == "name"

    assert as_editor.post(path, status="publish").json["slug"] == "name-2"


def test_the_status_trash_is_a_way_there_too(make, as_editor):
    record = make("events")
    answer = as_editor.put(f"/events/{record['id']}", status="trash")

    assert answer.json["status"] == "trash"
    assert answer.json["slug"] == "name__trashed"
    assert as_editor.delete(f"/events/{record['id']}").status_code == 410


@pytest.mark.parametrize("collection", POSTS)
def test_a_draft_gets_no_publication_date_in_the_trash(as_editor, clock, collection):
    draft = as_editor.post(f"/{collection}", **REQUIRED[collection], status="draft").json
    path = f"/{collection}/{draft['id']}"
    for change in ({"status": "trash"}, {"phone": "1", "cost": "5", "description": "In the trash"}):
        clock.advance(hours=1)
        assert as_editor.put(path, **change).json["status"] == "trash"

    restored = as_editor.put(path, status="draft").json
    assert restored["date"] == draft["date"]
    assert restored["date_utc"] == draft["date_utc"] == "0000-00-00 00:00:00"
    clock.advance(hours=1)
    published = as_editor.put(path, status="publish").json
    assert published["date_utc"] == "2030-01-15 15:00:00"


@pytest.mark.parametrize("collection", POSTS)
def test_force_deletes_for_good(make, as_editor, collection):
    record = make(collection)
    path = f"/{collection}/{record['id']}"

    answer = as_editor.delete(path, force=True)
    assert answer.status_code == 200
    assert answer.json["id"] == record["id"]
    assert answer.json["slug"] == record["slug"]
    assert as_editor.get(path).status_code == (404 if collection == "events" else 400)


@pytest.mark.parametrize("collection", POSTS)
def test_force_empties_the_trash(make, as_editor, database, collection):
    path = f"/{collection}/{make(collection)['id']}"
    as_editor.delete(path)

    assert as_editor.delete(path, force=True).status_code == 200
    assert database[collection].count_documents({}) == 0


@pytest.mark.parametrize("collection", POSTS)
def test_who_could_not_delete_it_cannot_bring_it_back_or_purge_it(
    make, as_editor, as_author, collection
):
    path = f"/{collection}/{make(collection)['id']}"
    as_editor.delete(path)

    assert as_author.post(path, status="publish").status_code == 403
    assert as_author.delete(path, force=True).status_code == 403


def test_linked_records_in_the_trash_are_left_out_and_come_back(
    make_event, make_venue, make_organizer, as_admin, database
):
    venue, organizer, other_organizer = (
        make_venue()["id"],
        make_organizer()["id"],
        make_organizer()["id"],
    )
    event = make_event(venue=venue, organizer=[organizer, other_organizer])
    path = f"/events/{event['id']}"
    stored = database["events"].find_one({"_id": event["id"]}, NO_PLACE)

    as_admin.delete(f"/venues/{venue}")
    as_admin.delete(f"/organizers/{organizer}")
    record = as_admin.get(path).json
    assert record["venue"] == []
    assert [organizer_record["id"] for organizer_record in record["organizer"]] == [other_organizer]
    assert database["events"].find_one({"_id": event["id"]}, NO_PLACE) == stored

    as_admin.post(f"/venues/{venue}", status="publish")
    as_admin.post(f"/organizers/{organizer}", status="publish")
    record = as_admin.get(path).json
    assert record["venue"]["id"] == venue
    assert [organizer_record["id"] for organizer_record in record["organizer"]] == [
        organizer,
        other_organizer,
    ]


@pytest.mark.parametrize("collection", ["venues", "organizers"])
def test_permanent_deletion_unlinks_the_record_from_every_event(
    make, make_event, as_admin, database, collection
):
    record, field = make(collection)["id"], collection[:-1]
    events = [make_event(**{field: record})["id"] for _ in range(12)]

    assert as_admin.delete(f"/{collection}/{record}", force=True).status_code == 200
    assert all(as_admin.get(f"/events/{event}").json[field] == [] for event in events)
    assert database["events"].count_documents({collection: record}) == 0


def test_next_venue_replaces_a_purged_venue(make_event, make_venue, as_admin):
    first = make_venue(geo_lat=46, geo_lng=9)["id"]
    second = make_venue(geo_lat=47, geo_lng=8)["id"]
    event = make_event(venue=[first, second])["id"]

    assert as_admin.delete(f"/venues/{first}", force=True).status_code == 200
    assert as_admin.get(f"/events/{event}").json["venue"]["id"] == second
    assert as_admin.get("/events", geoloc=True).json["total"] == 1
    assert as_admin.delete(f"/venues/{second}", force=True).status_code == 200
    assert as_admin.get("/events", geoloc=True).json["total"] == 0


def test_sending_back_an_event_keeps_links_hidden_from_the_reader(
    make_event, make_venue, make_organizer, as_author, as_admin
):
    hidden = make_organizer(status="draft")["id"]
    public = make_organizer()["id"]
    path = f"/events/{make_event(by=as_author)['id']}"
    links = {"organizer": [public, hidden], "venue": make_venue(status="draft")["id"]}
    assert as_admin.put(path, **links).status_code == 200
    before = as_admin.get(path).json

    assert as_author.put(path, **as_author.get(path).json).status_code == 200
    after = as_admin.get(path).json
    assert after["organizer"] == before["organizer"]
    assert after["venue"] == before["venue"]


def test_children_of_a_purged_event_lose_their_parent(make_event, as_admin):
    parent = make_event()["id"]
    child = make_event(post_parent=parent)["id"]
    as_admin.delete(f"/events/{parent}", force=True)

    assert as_admin.get("/events", post_parent=parent).invalid_params == ["post_parent"]
    assert as_admin.get(f"/events/{child}").status_code == 200


def test_a_trashed_venue_is_not_used_again_by_name(make, as_admin):
    old = make("venues")["id"]
    as_admin.delete(f"/venues/{old}")

    assert make("venues")["id"] != old
