"""Permissions of each role, on its own records and on those of other users."""

import pytest

pytestmark = pytest.mark.without_mongodb

POSTS = ["events", "venues", "organizers"]
REQUIRED = {
    "events": {
        "title": "Name",
        "start_date": "2030-03-10 19:00:00",
        "end_date": "2030-03-10 22:00:00",
    },
    "venues": {"venue": "Name"},
    "organizers": {"organizer": "Name"},
    "categories": {"name": "Name"},
    "tags": {"name": "Name"},
}
LABELS = {"events": "title", "venues": "venue", "organizers": "organizer"}
EVERYBODY = [None, "subscriber", "contributor", "author", "editor", "admin"]


def outcomes(calling_as, act):
    """Return the response of ``act`` for each caller."""
    return [act(calling_as(name)).status_code for name in EVERYBODY]


@pytest.mark.parametrize("collection", POSTS)
def test_contributors_and_higher_create_records(calling_as, collection):
    expected = [401, 403, 201, 201, 201, 201]

    def create(client):
        body = REQUIRED[collection] | {"description": str(client.id)}
        return client.post(f"/{collection}", **body)

    assert outcomes(calling_as, create) == expected


@pytest.mark.parametrize(
    ("collection", "expected"),
    [
        ("categories", [401, 403, 403, 201, 201, 201]),
        ("tags", [401, 403, 403, 403, 201, 201]),
    ],
)
def test_creating_terms_requires_the_permission(calling_as, collection, expected):
    def create(client):
        return client.post(f"/{collection}", name=f"Term {client.id}")

    assert outcomes(calling_as, create) == expected


@pytest.mark.parametrize(
    ("collection", "allowed"), [("categories", {"author", "editor", "admin"}), ("tags", {"editor"})]
)
def test_changing_and_deleting_terms_requires_the_permission(
    calling_as, as_admin, collection, allowed
):
    for name in EVERYBODY[:-1]:
        term = as_admin.post(f"/{collection}", name=f"Of {name}").json
        client, path = calling_as(name), f"/{collection}/{term['id']}"
        refusal = 403 if name else 401

        changed = client.put(path, description="Changed")
        assert changed.status_code == (200 if name in allowed else refusal)
        deleted = client.delete(path)
        assert deleted.status_code == (200 if name in allowed else refusal)


@pytest.mark.parametrize("collection", POSTS)
def test_a_contributors_record_is_never_published(as_contributor, collection):
    granted_by_query = {
        None: "draft",
        "draft": "draft",
        "pending": "pending",
        "publish": "pending",
        "future": "pending",
        "private": "pending",
        "trash": "pending",
    }
    label = LABELS[collection]
    for requested_status, granted in granted_by_query.items():
        body = REQUIRED[collection] | {
            label: f"Asked {requested_status}",
            "status": requested_status,
        }
        answer = as_contributor.post(f"/{collection}", **body)

        assert answer.status_code == 201
        assert answer.json["status"] == granted


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("role", ["author", "editor", "admin"])
def test_who_may_publish_does_so_by_default(calling_as, collection, role):
    client = calling_as(role)

    assert client.post(f"/{collection}", **REQUIRED[collection]).json["status"] == "publish"
    assert client.post(f"/{collection}", **(REQUIRED[collection] | {"status": "private"})).json[
        "status"
    ] in ("private", "publish")


@pytest.mark.parametrize("collection", POSTS)
def test_an_update_without_a_status_keeps_it(as_author, as_contributor, collection):
    for client in (as_author, as_contributor):
        body = REQUIRED[collection] | {"status": "pending"}
        record = client.post(f"/{collection}", **body).json
        answer = client.put(f"/{collection}/{record['id']}", description=f"By {client.id}")

        assert answer.json["status"] == "pending"


@pytest.mark.parametrize("collection", POSTS)
def test_contributors_change_their_own_drafts(as_contributor, as_contributor2, collection):
    path = (
        f"/{collection}/{as_contributor.post(f'/{collection}', **REQUIRED[collection]).json['id']}"
    )

    assert as_contributor.put(path, description="New").status_code == 200
    assert as_contributor2.put(path, description="New").status_code == 403
    assert as_contributor2.delete(path).status_code == 403
    response = as_contributor.put(path, status="publish")
    assert response.json["status"] == "pending"
    assert as_contributor.delete(path).status_code == 200


@pytest.mark.parametrize("collection", POSTS)
def test_contributors_cannot_change_their_published_records(as_contributor, as_editor, collection):
    path = (
        f"/{collection}/{as_contributor.post(f'/{collection}', **REQUIRED[collection]).json['id']}"
    )
    assert as_editor.put(path, status="publish").json["status"] == "publish"

    assert as_contributor.put(path, description="New").status_code == 403
    assert as_contributor.delete(path).status_code == 403
    assert as_contributor.get(path).status_code == 200


@pytest.mark.parametrize("collection", POSTS)
def test_authors_change_only_their_own_records(as_author, as_author2, collection):
    path = f"/{collection}/{as_author.post(f'/{collection}', **REQUIRED[collection]).json['id']}"

    assert as_author2.put(path, description="New").status_code == 403
    assert as_author2.delete(path).status_code == 403
    assert as_author.put(path, description="New").status_code == 200
    assert as_author.delete(path).status_code == 200


@pytest.mark.parametrize("collection", POSTS)
def test_editors_change_records_of_others(as_author, as_editor, collection):
    path = f"/{collection}/{as_author.post(f'/{collection}', **REQUIRED[collection]).json['id']}"

    assert as_editor.put(path, description="New").status_code == 200
    assert as_editor.delete(path).status_code == 200


@pytest.mark.parametrize("collection", POSTS)
def test_setting_another_author_requires_editing_others(
    as_author, as_contributor, as_editor, collection
):
    for client in (as_author, as_contributor):
        draft = REQUIRED[collection] | {LABELS[collection]: f"Of {client.id}", "status": "draft"}
        refused = client.post(f"/{collection}", **(draft | {"author": as_editor.id}))
        assert refused.status_code == 403

        own = client.post(f"/{collection}", **(draft | {"author": client.id}))
        assert own.status_code == 201
        path = f"/{collection}/{own.json['id']}"
        assert client.put(path, author=as_editor.id).status_code == 403
        signed = as_editor.put(path, author=as_editor.id)
        assert signed.json["author"] == str(as_editor.id)


@pytest.mark.parametrize("collection", POSTS)
def test_who_signs_for_themselves_alone_does_not_learn_who_exists(
    as_contributor, as_editor, collection
):
    answers = [
        as_contributor.post(f"/{collection}", **REQUIRED[collection], author=author)
        for author in (as_editor.id, 9999, 10**15)
    ]
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert len({answer.text for answer in answers}) == 1
    unknown = as_editor.post(f"/{collection}", **REQUIRED[collection], author=9999)
    assert unknown.invalid_params == ["author"]


def test_an_inline_record_does_not_take_another_author(as_author, as_editor, database):
    answer = as_author.post(
        "/events", **REQUIRED["events"], venue={"venue": "Hall", "author": as_editor.id}
    )

    assert answer.status_code == 403
    assert database["venues"].count_documents({}) == 0


def test_contributors_may_not_make_terms_within_an_event(as_contributor, as_author, as_editor):
    new_category = {"categories": ["Brand new"]}
    refused = as_contributor.post("/events", **REQUIRED["events"], **new_category)
    assert refused.status_code == 400
    assert refused.invalid_params == ["categories"]

    tags = {"tags": ["Brand new"]}
    assert as_author.post("/events", **REQUIRED["events"], **tags).invalid_params == ["tags"]
    for client, terms in ((as_author, new_category), (as_editor, tags)):
        answer = client.post("/events", **REQUIRED["events"], **terms)
        assert answer.status_code == 201
        (name,) = terms
        assert answer.json[name][0]["name"] == "Brand new"

    response = as_contributor.post("/events", **REQUIRED["events"], **new_category)
    assert response.status_code == 201


def test_contributors_may_not_use_pictures_from_elsewhere(as_contributor, as_author):
    picture = {"image": "https://pictures.example/a.png"}
    refused = as_contributor.post("/events", **REQUIRED["events"], **picture)
    assert refused.status_code == 400
    assert refused.invalid_params == ["image"]

    image = as_author.post("/events", **REQUIRED["events"], **picture).json["image"]
    assert image == {
        "url": "https://pictures.example/a.png",
        "id": 0,
        "extension": "png",
        "width": None,
        "height": None,
        "filesize": None,
        "sizes": {
            name: {"url": "https://pictures.example/a.png", "width": None, "height": None}
            for name in ("thumbnail", "medium", "large")
        },
    }


def test_a_subscriber_writes_nothing(as_subscriber, make_event):
    path = f"/events/{make_event()['id']}"

    for method in ("POST", "PUT", "PATCH", "DELETE"):
        assert as_subscriber.send(method, path, json={}).status_code == 403
        assert as_subscriber.send(method, "/events/999999", json={}).status_code == 403


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future"])
def test_a_venue_is_used_again_by_name_where_its_maker_may_read_it(
    as_author, as_author2, as_editor, make_venue, status
):
    later = {"date_utc": "2031-01-01 00:00:00"} if status == "future" else {}
    first = make_venue(by=as_author, venue="Hall", status=status, **later)["id"]

    foreign_id = make_venue(by=as_author2, venue="Hall", status="draft")["id"]
    assert foreign_id != first
    assert make_venue(by=as_author2, venue="Hall")["id"] == foreign_id
    assert make_venue(by=as_author, venue="Hall")["id"] == first
    assert make_venue(by=as_editor, venue="Hall")["id"] == first


def test_a_venue_of_others_is_used_but_not_changed_by_name(as_author, as_author2):
    venue = as_author.post("/venues", venue="Town hall", city="Chur").json
    same = as_author2.post("/venues", venue="town hall", city="Davos", phone="1")

    assert same.status_code == 201
    assert same.json["id"] == venue["id"]
    assert same.json["city"] == "Chur"
    assert "phone" not in same.json

    own = as_author.post("/venues", venue="Town Hall", phone="1")
    assert own.json["id"] == venue["id"]
    assert own.json["phone"] == "1"
    assert own.json["city"] == "Chur"


def test_a_town_is_not_lost_to_a_venue_of_others_without_one(as_author, as_author2):
    bare = as_author.post("/venues", venue="Hall").json["id"]
    times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 20:00:00"}
    sent = {"title": "Concert", **times, "venue": {"venue": "Hall", "city": "Chur"}}
    other, own = (by.post("/events", **sent).json["venue"] for by in (as_author2, as_author))
    assert (other["id"] != bare, other["city"]) == (True, "Chur")
    assert own == other


def test_own_venue_without_a_town_gets_the_one_that_is_sent(as_author):
    bare = as_author.post("/venues", venue="Hall").json["id"]
    times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 20:00:00"}
    sent = {"title": "Concert", **times, "venue": {"venue": "Hall", "city": "Chur"}}
    venue = as_author.post("/events", **sent).json["venue"]
    assert (venue["id"], venue["city"]) == (bare, "Chur")


def test_a_venue_that_the_caller_may_not_read_is_not_used_again(as_author, as_author2):
    hidden = as_author.post("/venues", venue="Town hall", status="draft").json
    own = as_author2.post("/venues", venue="Town hall")

    assert own.status_code == 201
    assert own.json["id"] != hidden["id"]
