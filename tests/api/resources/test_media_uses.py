"""Where pictures are shown, who sees them, and how they are deleted."""

import pytest

SITE = "https://calendar.example"
BASE = f"{SITE}/calendar/events/v1"


def files_of(database):
    return database["files.files"].count_documents({}), database["files.chunks"].count_documents({})


def ids(answer):
    assert answer.status_code == 200, answer.json
    return [picture["id"] for picture in answer.json["media"]]


def test_pictures_that_nothing_shows_are_found(
    upload, as_editor, as_author, make_event, make_venue
):
    first, second, third = (upload()["id"] for _ in range(3))
    make_event(image=first)
    make_venue(image=third, status="draft")
    assert ids(as_editor.get("/media", used="true")) == [third, first]
    assert ids(as_editor.get("/media", used="false")) == [second]
    assert ids(as_author.get("/media", used="true")) == [first]


@pytest.mark.parametrize("role", [None, "subscriber", "contributor"])
def test_readers_see_only_pictures_of_readable_records(
    upload, calling_as, make_event, make_venue, role
):
    public, draft, sealed, unused = (upload()["id"] for _ in range(4))
    make_event(image=public)
    make_event(image=draft, status="draft")
    locked = make_event(image=sealed)
    make_venue(image=draft, status="private")
    calling_as("admin").patch(f"/events/{locked['id']}", password="geheim")
    caller = calling_as(role)
    assert ids(caller.get("/media")) == [public]
    assert caller.get(f"/media/{public}").status_code == 200
    for hidden in (draft, sealed, unused):
        answer = caller.get(f"/media/{hidden}")
        assert (answer.status_code, answer.code) == (403, "media-not-accessible")


def test_a_contributor_sees_the_picture_of_their_own_draft(
    upload, as_contributor, as_editor, make_event
):
    picture = upload()["id"]
    draft = make_event(by=as_contributor)
    as_editor.patch(f"/events/{draft['id']}", image=picture)
    assert ids(as_contributor.get("/media")) == [picture]
    places = as_contributor.get(f"/media/{picture}").json["used_by"]
    assert [place["id"] for place in places] == [draft["id"]]


def test_picture_lists_its_uses(upload, as_editor, make_event, make_venue, make_organizer):
    picture = upload()["id"]
    records = {
        "event": make_event(image=picture)["id"],
        "venue": make_venue(image=picture)["id"],
        "organizer": make_organizer(image=picture)["id"],
    }
    current_picture = as_editor.get(f"/media/{picture}").json
    assert current_picture["used_by"] == [
        {"type": name, "id": number, "url": f"{BASE}/{name}s/{number}"}
        for name, number in records.items()
    ]
    assert current_picture["uses"] == 3


def test_uses_in_hidden_records_are_not_listed(upload, anyone, as_editor, make_event):
    picture = upload()["id"]
    public, draft = make_event(image=picture), make_event(image=picture, status="draft")
    trashed = make_event(image=picture)
    as_editor.delete(f"/events/{trashed['id']}")
    places = [place["id"] for place in anyone.get(f"/media/{picture}").json["used_by"]]
    assert places == [public["id"]]
    assert anyone.get(f"/media/{picture}").json["uses"] == 1
    every = [place["id"] for place in as_editor.get(f"/media/{picture}").json["used_by"]]
    assert every == [public["id"], draft["id"], trashed["id"]]


def test_at_most_a_hundred_places_are_named_and_all_are_counted(upload, as_editor, database):
    picture = upload()["id"]
    shared = {"status": "publish", "author": 1, "image": picture}
    database["venues"].insert_many([{"_id": 1000 + n, **shared} for n in range(120)])
    current_picture = as_editor.get(f"/media/{picture}").json
    assert (len(current_picture["used_by"]), current_picture["uses"]) == (100, 120)


def test_a_picture_that_nothing_shows_is_deleted_with_its_files(app, upload, as_author, database):
    used_picture, deleted_picture = upload(), upload()
    files, pieces = files_of(database)
    answer = as_author.delete(f"/media/{deleted_picture['id']}")
    assert (answer.status_code, answer.json["id"]) == (200, deleted_picture["id"])
    assert files_of(database) == (files // 2, pieces // 2)
    assert as_author.get(f"/media/{deleted_picture['id']}").invalid_params == ["id"]
    for picture, status in ((deleted_picture, 404), (used_picture, 200)):
        path = picture["url"].removeprefix(SITE)
        assert app.test_client().get(path).status_code == status


def test_a_picture_in_use_is_not_deleted(upload, as_author, database, make_event, make_venue):
    picture = upload()["id"]
    event = make_event(image=picture)["id"]
    make_venue(image=picture, status="draft")
    before = files_of(database)
    answer = as_author.delete(f"/media/{picture}")
    assert (answer.status_code, answer.code) == (409, "media_in_use")
    assert "2" in answer.json["message"]
    # Of the draft of somebody else an author is told nothing but that it is there.
    place = {"type": "event", "id": event, "url": f"{BASE}/events/{event}"}
    assert (answer.json["data"]["used_by"], answer.json["data"]["uses"]) == ([place], 1)
    assert as_author.get(f"/events/{event}").json["image"]["id"] == picture
    assert files_of(database) == before


def test_forced_deletion_removes_the_picture_from_its_records(
    upload, as_author, database, make_event
):
    picture = upload()["id"]
    event = make_event(
        image=picture,
        venue={"venue": "Haus", "image": picture},
        organizer={"organizer": "Verein", "image": picture},
    )
    assert as_author.delete(f"/media/{picture}", force="true").status_code == 200
    current_event = as_author.get(f"/events/{event['id']}").json
    assert current_event["image"] is False
    assert "image" not in current_event["venue"]
    assert "image" not in current_event["organizer"][0]
    shows = [database[name].find_one({"image": picture}) for name in ("events", "venues")]
    assert shows == [None, None]
    assert files_of(database) == (0, 0)


def test_picture_of_a_trashed_event_counts_as_used(upload, as_editor, make_event):
    picture = upload()["id"]
    event = make_event(image=picture)["id"]
    as_editor.delete(f"/events/{event}")
    assert as_editor.delete(f"/media/{picture}").status_code == 409
    as_editor.delete(f"/events/{event}", force="true")
    assert as_editor.delete(f"/media/{picture}").status_code == 200
