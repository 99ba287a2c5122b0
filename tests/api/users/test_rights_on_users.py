"""Nobody but administrators learns of users, or changes them."""

import pytest

pytestmark = pytest.mark.without_mongodb

ROUTES = [
    ("GET", "/users"),
    ("POST", "/users"),
    ("GET", "/users/3"),
    ("PATCH", "/users/3"),
    ("PUT", "/users/3"),
    ("POST", "/users/3"),
    ("DELETE", "/users/3"),
    ("POST", "/users/3/invitation"),
    ("DELETE", "/users/3/sessions"),
    ("DELETE", "/users/3/application-passwords/password-1"),
    ("GET", "/users/99"),
]
BODY = {"name": "mallory", "role": "administrator"}


@pytest.mark.parametrize("caller", [None, "subscriber", "contributor", "author", "editor"])
@pytest.mark.parametrize("route", ROUTES, ids=" ".join)
def test_others_are_refused(calling_as, as_admin, caller, route):
    before = as_admin.get("/users").json
    method, path = route
    body = {} if method in ("GET", "DELETE") else {"json": BODY}

    answer = calling_as(caller).send(method, path, **body)

    assert (answer.status_code, answer.code) == (403 if caller else 401, "rest_forbidden")
    assert as_admin.get("/users").json == before


def test_refusal_of_a_wrong_body_tells_nothing_to_others(as_editor):
    assert as_editor.post("/users", role=7).status_code == 403


def test_allow_header_names_no_method_to_others(as_editor, as_admin):
    assert as_editor.send("OPTIONS", "/users/3").headers["Allow"] == ""
    assert "DELETE" in as_admin.send("OPTIONS", "/users/3").headers["Allow"]
