"""How a password is set, kept and removed."""

import pytest
from api.resources.protected_event import SECRET


@pytest.fixture
def path(protected):
    return f"/events/{protected['id']}"


@pytest.mark.parametrize("nothing", ["", None])
def test_an_empty_password_in_an_update_takes_it_away(path, as_author, anyone, nothing):
    assert as_author.put(path, password=nothing).status_code == 200
    assert anyone.get(path).status_code == 200


def test_an_update_without_a_password_keeps_it(path, as_author, anyone):
    as_author.put(path, title="Renamed")

    assert anyone.get(path).status_code == 403


def test_password_in_the_query_of_an_update_is_not_stored(path, as_author, anyone):
    answer = as_author.send("PUT", f"{path}?password=other", json={"title": "Renamed"})

    assert answer.status_code == 200
    assert anyone.get(path, password=SECRET).status_code == 200
    assert anyone.get(path, password="other").status_code == 403


@pytest.mark.parametrize("query", ["password=", "password[]=x", "password[a]=x"])
@pytest.mark.parametrize("route", ["/events/{id}", "/events/by-slug/{slug}"])
def test_an_update_takes_no_empty_password_to_unlock(protected, as_author, route, query):
    path = f"{route.format_map(protected)}?{query}"
    answer = as_author.send("PUT", path, json={"title": "Other", "sticky": "nope"})

    assert (answer.status_code, answer.invalid_params) == (400, ["password"])
    assert as_author.send("PUT", path, json={"password": "new"}).invalid_params == ["password"]


def test_a_password_is_set_on_creation_and_by_updates_by_slug(make_event, as_author, anyone):
    event = make_event(by=as_author, password=SECRET)
    path = f"/events/{event['id']}"
    assert anyone.get(path).status_code == 403
    assert anyone.get(path, password=SECRET).status_code == 200

    as_author.put(f"/events/by-slug/{event['slug']}", password="Another")
    assert anyone.get(path, password=SECRET).status_code == 403
    assert anyone.get(path, password="Another").status_code == 200

    as_author.put(f"/events/by-slug/{event['slug']}", password="")
    assert anyone.get(path).status_code == 200


@pytest.mark.parametrize("nothing", ["", None])
def test_an_event_that_is_created_without_a_password_is_open(make_event, anyone, nothing):
    event = make_event(password=nothing)
    assert anyone.get(f"/events/{event['id']}").status_code == 200


def test_password_is_never_shown_or_stored_in_plain_text(path, as_admin, database):
    assert SECRET not in as_admin.get(path).text
    assert SECRET not in repr(list(database["events"].find()))
    assert "password" not in as_admin.get(path).json


def test_a_protected_event_can_be_sent_back_by_its_author(path, as_author, anyone):
    fallback_fields = as_author.get(path).json

    assert as_author.put(path, **fallback_fields).status_code == 200
    assert as_author.get(path).json == fallback_fields
    assert anyone.get(path).status_code == 403


def test_reading_by_password_gives_no_right_to_write(path, as_contributor):
    answer = as_contributor.send("PUT", f"{path}?password={SECRET}", json={"title": "Mine"})

    assert answer.status_code == 403
