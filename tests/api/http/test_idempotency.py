"""A write that is sent again with the same ``Idempotency-Key`` is done once."""

from datetime import timedelta
from io import BytesIO

import pytest

from calendar_app.calendar.writing.attempts import IDEMPOTENCY_KEYS

KEY = {"Idempotency-Key": "a1b2c3"}
EVENING = {"start_date": "2030-03-10 19:00", "end_date": "2030-03-10 22:00"}
CREATIONS = {
    "events": {"title": "Concert", "venue": {"venue": "Hall"}, "tags": ["new"], **EVENING},
    "venues": {"venue": "Hall"},
    "organizers": {"organizer": "Choir"},
    "categories": {"name": "Music"},
    "tags": {"name": "outdoors"},
}


def same(first, again):
    """Say whether two responses are equal except for the request's own id."""
    assert again.headers["Idempotency-Replayed"] == "true"
    headers = [
        {name: value for name, value in response.headers.items() if not name.startswith(own)}
        for own in [("X-Request-ID", "Idempotency-Replayed")]
        for response in (first, again)
    ]
    assert headers[0] == headers[1]
    return (first.status_code, first.data) == (again.status_code, again.data)


def stored(client, collection):
    return client.get(f"/{collection}", status="any", hide_empty=False).json["total"]


@pytest.mark.parametrize("collection", CREATIONS)
def test_a_creation_that_is_sent_again_is_stored_once(as_admin, collection):
    first, again = (
        as_admin.send("POST", f"/{collection}", headers=KEY, json=CREATIONS[collection])
        for _ in range(2)
    )
    assert first.status_code == 201
    assert same(first, again)
    assert stored(as_admin, collection) == 1


def test_every_member_of_a_request_is_written_once(as_admin):
    for _ in range(2):
        as_admin.send("POST", "/events", headers=KEY, json=CREATIONS["events"])
    assert [stored(as_admin, name) for name in ("events", "venues", "tags")] == [1, 1, 1]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_change_that_is_sent_again_changes_nothing_more(as_admin, make_event, method):
    path = f"/events/{make_event(title='First')['id']}"
    first = as_admin.send(method, path, headers=KEY, json={"title": "Second"})
    as_admin.put(path, title="Third")
    again = as_admin.send(method, path, headers=KEY, json={"title": "Second"})

    assert same(first, again)
    assert as_admin.get(path).json["title"] == "Third"


@pytest.mark.parametrize("query", ["", "?force=true"])
def test_a_deletion_that_is_sent_again_gets_the_same_answer(as_admin, make_event, query):
    path = f"/events/{make_event()['id']}{query}"
    first, again = (as_admin.send("DELETE", path, headers=KEY) for _ in range(2))

    assert first.status_code == 200
    assert same(first, again)


def test_an_upload_that_is_sent_again_is_stored_once(as_author, png):
    """Although the form has another boundary then."""
    first, again = (
        as_author.send("POST", "/media", headers=KEY, data={"file": (BytesIO(png), "a.png")})
        for _ in range(2)
    )
    assert first.status_code == 201
    assert same(first, again)
    assert as_author.get("/media").json["total"] == 1


def test_a_bare_upload_that_is_sent_again_is_stored_once(as_author, png):
    first, again = (
        as_author.send("POST", "/media", headers=KEY, data=png, content_type="image/png")
        for _ in range(2)
    )
    assert first.status_code == 201
    assert same(first, again)
    assert as_author.get("/media").json["total"] == 1


def test_a_part_without_a_name_is_refused_by_a_key_too(as_author):
    part = b"--x\r\nContent-Disposition: form-data\r\n\r\nHall\r\n--x--\r\n"
    headers = {**KEY, "Content-Type": "multipart/form-data; boundary=x"}
    answer = as_author.send("POST", "/media", data=part, headers=headers)
    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/tags", {"name": "second"}),
        ("POST", "/categories", {"name": "first"}),
        ("POST", "/tags?translation_language=rm", {"name": "first"}),
        ("POST", "/tags", {"name": "first", "description": "more"}),
    ],
)
def test_another_request_with_the_same_key_is_refused(as_admin, method, path, body):
    as_admin.send("POST", "/tags", headers=KEY, json={"name": "first"})
    answer = as_admin.send(method, path, headers=KEY, json=body)

    assert (answer.status_code, answer.code) == (422, "idempotency_key_reused")
    assert stored(as_admin, "tags") == 1
    assert stored(as_admin, "categories") == 0


def test_a_key_belongs_to_one_user(as_admin, as_editor):
    for client in (as_admin, as_editor):
        answer = client.send("POST", "/events", headers=KEY, json=CREATIONS["events"])
        assert "Idempotency-Replayed" not in answer.headers
    assert stored(as_admin, "events") == 2


def test_without_a_key_each_request_counts(as_admin):
    for _ in range(2):
        as_admin.post("/events", **CREATIONS["events"])
    assert stored(as_admin, "events") == 2


def test_a_refusal_is_repeated(as_admin):
    first, again = (
        as_admin.send("POST", "/events", headers=KEY, json={"title": "x"}) for _ in range(2)
    )
    assert first.status_code == 400
    assert same(first, again)
    other_response = as_admin.send("POST", "/events", headers=KEY, json=CREATIONS["events"])
    assert other_response.status_code == 422


def test_a_stranger_has_no_key(anyone):
    for _ in range(2):
        answer = anyone.send("POST", "/tags", headers=KEY, json={"name": "x"})
        assert answer.status_code == 401
        assert "Idempotency-Replayed" not in answer.headers


@pytest.mark.parametrize(("key", "status"), [("", 400), ("k" * 256, 400), ("k" * 255, 201)])
def test_a_key_has_1_to_255_characters(as_admin, key, status):
    answer = as_admin.send("POST", "/tags", headers={"Idempotency-Key": key}, json={"name": "x"})
    assert answer.status_code == status
    if status == 400:
        assert answer.invalid_params == ["Idempotency-Key"]


def test_a_key_is_kept_for_24_hours(as_admin, database, clock):
    as_admin.send("POST", "/tags", headers=KEY, json={"name": "x"})
    (entry,) = database[IDEMPOTENCY_KEYS].find()
    assert entry["expires"] == clock.now.replace(tzinfo=None) + timedelta(hours=24)


def test_keys_expire_by_an_index(database):
    indexes = database[IDEMPOTENCY_KEYS].index_information().values()
    assert [index["expireAfterSeconds"] for index in indexes if "expireAfterSeconds" in index] == [
        0
    ]


def test_second_request_with_a_key_in_use_is_asked_to_retry(as_admin, database):
    """Another transaction has written the key and has not ended."""
    with database.client.start_session() as session, session.start_transaction():
        entry = {"_id": f"{as_admin.id} {KEY['Idempotency-Key']}"}
        database[IDEMPOTENCY_KEYS].insert_one(entry, session=session)
        answer = as_admin.send("POST", "/tags", headers=KEY, json={"name": "x"})
        session.abort_transaction()

    assert (answer.status_code, answer.code) == (409, "idempotency_key_in_use")
    assert answer.headers["Retry-After"] == "1"
    assert as_admin.send("POST", "/tags", headers=KEY, json={"name": "x"}).status_code == 201


def test_equal_names_are_stored_under_separate_keys(as_admin):
    """The second one needs another slug, which it finds out by a conflict."""
    slugs = [
        as_admin.send(
            "POST", "/events", headers={"Idempotency-Key": key}, json=CREATIONS["events"]
        ).json["slug"]
        for key in ("one", "two", "three")
    ]
    assert slugs == ["concert", "concert-2", "concert-3"]
