"""Every resource, from its creation to its end, on mongomock as on MongoDB."""

from urllib.parse import urlsplit

import pytest
from api.resources.five_collections import COLLECTIONS, EVENING, NAMES, REQUIRED

pytestmark = pytest.mark.smoke

POSTS, TERMS = COLLECTIONS[:3], COLLECTIONS[3:]


@pytest.fixture
def make(as_admin):
    """Return a function that creates a record of a collection."""

    def create(collection, **values):
        created = as_admin.post(f"/{collection}", **REQUIRED[collection], **values)
        assert created.status_code == 201, created.json
        return created.json

    return create


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_record_is_read_by_id_and_by_slug(make, anyone, collection):
    record = make(collection, slug="uorsin")
    assert anyone.get(f"/{collection}/{record['id']}").json[NAMES[collection]] == "Name"
    if collection in POSTS:
        by_slug = anyone.get(f"/{collection}/by-slug/uorsin").json
    else:
        [by_slug] = anyone.get(f"/{collection}", slug="uorsin", hide_empty=False).json[collection]
    assert by_slug["id"] == record["id"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_record_is_listed_with_its_total(make, anyone, collection):
    record = make(collection)
    listed = anyone.get(f"/{collection}", hide_empty=False).json
    assert [each["id"] for each in listed[collection]] == [record["id"]]
    assert listed["total"] == 1


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_change_is_read_and_leaves_the_rest(make, as_editor, anyone, collection):
    path = f"/{collection}/{make(collection)['id']}"
    assert as_editor.put(path, slug="flurina").status_code == 200
    read = anyone.get(path).json
    assert read["slug"] == "flurina"
    assert read.items() >= REQUIRED[collection].items()


@pytest.mark.parametrize("collection", POSTS)
def test_trashed_record_comes_back(make, as_editor, anyone, collection):
    path = f"/{collection}/{make(collection)['id']}"
    assert as_editor.delete(path).status_code == 200
    assert anyone.get(path).status_code != 200
    assert as_editor.put(path, status="publish").status_code == 200
    assert anyone.get(path).status_code == 200


@pytest.mark.parametrize("collection", TERMS)
def test_deleted_term_is_gone(make, as_editor, anyone, collection):
    path = f"/{collection}/{make(collection)['id']}"
    assert as_editor.delete(path).status_code == 200
    assert anyone.get(path).status_code == 400
    assert anyone.get(f"/{collection}").json["total"] == 0


def test_event_has_its_links(make, anyone):
    venue, organizer, tag = (make(name)["id"] for name in ("venues", "organizers", "tags"))
    event = make("events", venue=venue, organizer=[organizer], tags=[tag])
    read = anyone.get(f"/events/{event['id']}").json
    assert read["venue"]["venue"] == read["organizer"][0]["organizer"] == "Name"
    assert [each["name"] for each in read["tags"]] == ["Name"]
    assert anyone.get("/tags").json["tags"][0]["count"] == 1


def test_texts_are_read_in_each_language(make, as_editor, anyone):
    path, romansh = f"/events/{make('events')['id']}", {"translation_language": "rm"}
    assert as_editor.put(path, title="Num", **romansh).status_code == 200
    assert anyone.get(path, **romansh).json["title"] == "Num"
    assert anyone.get(path).json["title"] == "Name"


def test_picture_is_read_until_it_is_deleted(upload, as_author, anyone):
    picture = upload(alt_text="A poster")
    path = f"/media/{picture['id']}"
    assert as_author.get(path).json["alt_text"] == "A poster"
    assert anyone.get(path).status_code == 403
    file = as_author.send("GET", urlsplit(picture["url"]).path, base="")
    assert file.mimetype == "image/png"
    assert as_author.delete(path, force=True).status_code == 200
    assert as_author.get(path).status_code == 400


def test_series_has_its_dates(as_admin, anyone):
    weekly = {"rrule": "FREQ=WEEKLY;COUNT=5"}
    created = as_admin.post("/events", title="Market", recurrence=weekly, **EVENING)
    assert created.status_code == 201, created.json
    series = anyone.get(f"/series/{created.json['series']['id']}/events").json
    assert series["total"] == 5
    assert [each["start_date"][:10] for each in series["events"][:2]] == [
        "2030-03-10",
        "2030-03-17",
    ]


def test_user_is_listed_until_removed(as_admin):
    created = as_admin.post("/users", name="uorsin", role="author")
    assert created.status_code == 201, created.json
    assert as_admin.get("/users", search="uorsin").json["total"] == 1
    assert as_admin.delete(f"/users/{created.json['id']}").status_code == 200
    assert as_admin.get("/users", search="uorsin").json["total"] == 0
