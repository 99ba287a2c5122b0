"""The history of a record is open to its editors, and reveals no hidden records."""

import json

import pytest
from api.history.conftest import LABELS

KINDS = sorted(LABELS)
SECRET = "open sesame"


def calls(client, path):
    return (
        client.get(f"{path}/history"),
        client.get(f"{path}/history/1"),
        client.send("POST", f"{path}/history/1/restore"),
    )


@pytest.mark.parametrize("collection", KINDS)
def test_strangers_and_subscribers_read_no_history(make, anyone, as_subscriber, collection):
    path = make(collection)
    assert [answer.status_code for answer in calls(anyone, path)] == [401, 401, 401]
    assert [answer.status_code for answer in calls(as_subscriber, path)] == [403, 403, 403]


@pytest.mark.parametrize("collection", ["events", "venues", "organizers", "media", "series"])
def test_authors_read_the_history_of_their_own_records(make, as_author, as_author2, collection):
    path = make(collection, by=as_author)
    assert [answer.status_code for answer in calls(as_author, path)] == [200, 200, 200]
    assert [answer.status_code for answer in calls(as_author2, path)] == [403, 403, 403]


def test_a_contributor_loses_the_history_with_the_right_to_edit(make, write, as_contributor):
    path = make("events", by=as_contributor)
    assert as_contributor.get(f"{path}/history").status_code == 200
    write(path, status="publish")
    assert as_contributor.get(f"{path}/history").status_code == 403


def test_a_contributor_publishes_nothing_by_a_restore(make, write, restore, as_contributor):
    path = make("events", by=as_contributor)
    write(path, status="publish")
    write(path, status="draft")
    assert restore(path, 2, by=as_contributor).json["status"] == "pending"


@pytest.mark.parametrize("collection", KINDS)
def test_a_missing_record_has_no_history(make, as_admin, collection):
    path = make(collection).rsplit("/", 1)[0] + "/99999"
    assert {answer.status_code for answer in calls(as_admin, path)} <= {400, 404}


def test_passwords_are_never_in_the_history(make, write, saves, as_admin, database):
    path = make("events", password=SECRET)
    sealed = database["events"].find_one()["password"]
    write(path, password="another")
    write(path, title="Second", password="")

    assert "password" in saves(path)[1]["fields"]
    everything = json.dumps(list(database["history"].find()), default=str)
    for secret in (SECRET, str(sealed), "another"):
        assert secret not in everything
    for revision in (1, 2, 3):
        assert "password" not in as_admin.get(f"{path}/history/{revision}").json


def test_a_restore_keeps_the_present_password_and_author(make, write, restore, database):
    path = make("events")
    write(path, password=SECRET, author=3)
    write(path, title="Second")
    restore(path, 1)

    event = database["events"].find_one()
    assert event["password"] is not None
    assert event["author"] == 3


def test_a_protected_event_stays_protected_at_an_earlier_visibility(make, write, restore, anyone):
    path = make("events", hide_from_listings=True)
    write(path, hide_from_listings=False, password=SECRET)
    restore(path, 1)
    assert anyone.get(path).status_code == 403
    assert anyone.get("/events").json["total"] == 0


def test_restored_html_is_cleaned_for_who_restores_it(make, write, restore, as_admin, as_author):
    frame = '<iframe src="https://elsewhere.example/"></iframe>'
    path = make("events", by=as_author)
    write(path, by=as_admin, description=f"<p>Map</p>{frame}")
    write(path, by=as_author, description="<p>None</p>")

    restored = restore(path, 2, by=as_author).json["description"]
    assert "iframe" not in restored
    assert "Map" in restored
