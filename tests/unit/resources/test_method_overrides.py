"""The method of a request is its own; WordPress lets a parameter or a header change it."""

import pytest

OVERRIDES = [
    ("X-HTTP-Method-Override", {"headers": {"X-HTTP-Method-Override": "DELETE"}}),
    ("X-HTTP-Method-Override", {"headers": {"X-HTTP-Method-Override": "get"}}),
    ("_method", {"query_string": {"_method": "delete"}}),
]


@pytest.mark.parametrize(("name", "override"), OVERRIDES)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_what_asks_to_be_a_deletion_changes_nothing(as_admin, make_event, method, name, override):
    event = make_event()
    path = f"/events/{event['id']}"
    answer = as_admin.send(method, path, json={"title": "Other"}, **override)
    assert (answer.status_code, answer.named) == (400, [name])
    assert as_admin.get(path).json["title"] == event["title"]


@pytest.mark.parametrize("method", ["put", "PATCH", "POST", ""])
def test_methods_that_are_one_operation_may_ask_to_be_each_other(as_admin, make_event, method):
    path = f"/events/{make_event()['id']}"
    headers = {"X-HTTP-Method-Override": method}
    answer = as_admin.send("POST", path, headers=headers, json={"title": "Other"})
    assert (answer.status_code, answer.json["title"]) == (200, "Other")


@pytest.mark.parametrize(("_name", "override"), OVERRIDES)
def test_a_read_is_one_whatever_method_it_asks_for(anyone, make_event, _name, override):
    path = f"/events/{make_event()['id']}"
    assert anyone.send("GET", path, **override).data == anyone.get(path).data
