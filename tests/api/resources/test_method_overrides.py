"""The method of a request is its own; WordPress lets a parameter or a header change it."""

import pytest

pytestmark = pytest.mark.without_mongodb

OVERRIDES = [
    ("X-HTTP-Method-Override", {"headers": {"X-HTTP-Method-Override": "DELETE"}}),
    ("X-HTTP-Method-Override", {"headers": {"X-HTTP-Method-Override": "get"}}),
    ("_method", {"query_string": {"_method": "delete"}}),
]


@pytest.mark.parametrize(("name", "override"), OVERRIDES)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_override_with_delete_is_refused_and_changes_nothing(
    as_admin, make_event, method, name, override
):
    event = make_event()
    path = f"/events/{event['id']}"
    answer = as_admin.send(method, path, json={"title": "Other"}, **override)
    assert (answer.status_code, answer.invalid_params) == (400, [name])
    assert as_admin.get(path).json["title"] == event["title"]


@pytest.mark.parametrize("method", ["put", "PATCH", "POST", ""])
def test_update_methods_may_override_each_other(as_admin, make_event, method):
    path = f"/events/{make_event()['id']}"
    headers = {"X-HTTP-Method-Override": method}
    answer = as_admin.send("POST", path, headers=headers, json={"title": "Other"})
    assert (answer.status_code, answer.json["title"]) == (200, "Other")


@pytest.mark.parametrize(("_name", "override"), OVERRIDES)
def test_method_override_of_a_read_is_ignored(anyone, make_event, _name, override):
    path = f"/events/{make_event()['id']}"
    assert anyone.send("GET", path, **override).data == anyone.get(path).data


@pytest.mark.parametrize(("_name", "override"), OVERRIDES)
def test_credentials_are_checked_before_the_method_override(anyone, make_event, _name, override):
    path = f"/events/{make_event()['id']}"
    assert anyone.send("POST", path, json={"title": "Other"}, **override).status_code == 401


def test_malformed_body_is_reported_before_the_method_override(as_admin):
    headers = {"X-HTTP-Method-Override": "DELETE"}
    options = {"data": b"{", "content_type": "application/json", "headers": headers}
    assert as_admin.send("POST", "/events", **options).code == "rest_invalid_json"
