"""A value of a wrong type is refused by the name of its field, and nothing is half-written."""

import pytest
from api.resources.five_collections import REQUIRED, everything_stored
from api.resources.wrong_values import WRONG

pytestmark = pytest.mark.without_mongodb

CASES = [
    pytest.param(collection, field, id=f"{collection}-{field}")
    for collection, fields in WRONG.items()
    for field in fields
]


@pytest.fixture
def stored(as_admin):
    """Return a function that makes one record of a collection and gives its path."""

    def make(collection):
        answer = as_admin.post(f"/{collection}", **REQUIRED[collection])
        assert answer.status_code == 201
        return f"/{collection}/{answer.json['id']}"

    return make


@pytest.mark.parametrize(("collection", "field"), CASES)
def test_a_value_of_a_wrong_type_is_refused_by_name(as_admin, stored, database, collection, field):
    path = stored(collection)
    before = everything_stored(database)
    partners = {"geo_lat": {"geo_lng": 9}, "geo_lng": {"geo_lat": 47}}.get(field, {})

    for value in WRONG[collection][field]:
        sent = partners | {field: value}
        answers = [as_admin.put(path, **sent)]
        # On create, an empty text counts as not sent.
        if value != "" or field in REQUIRED[collection]:
            answers.append(as_admin.post(f"/{collection}", **(REQUIRED[collection] | sent)))

        for answer in answers:
            assert answer.status_code == 400, (value, answer.json)
            assert answer.code == "rest_invalid_param", value
            assert answer.invalid_params == [field], value
    assert everything_stored(database) == before


def test_all_that_is_wrong_is_named_at_once(as_admin):
    answer = as_admin.post("/events", title=7, start_date="foo", end_date="2030-01-01", author=0)

    assert answer.status_code == 400
    assert set(answer.invalid_params) == {"title", "start_date", "author"}


def test_wrong_type_is_reported_after_invalid_values(as_admin):
    both = as_admin.get("/events", page=0, featured="maybe")
    assert both.invalid_params == ["page"]
    assert both.json["data"]["details"] == []

    alone = as_admin.get("/events", featured="maybe")
    message = "featured ist nicht vom Typ boolean."
    assert alone.json["data"]["params"] == {"featured": message}
    assert alone.json["data"]["details"] == {
        "featured": {
            "code": "rest_invalid_type",
            "message": message,
            "data": {"param": "featured"},
        }
    }


@pytest.mark.parametrize(
    ("sent", "expected_code"),
    [
        ({"title": None, "featured": "maybe"}, {"title", "featured"}),
        ({"title": None, "image": "999"}, {"image"}),
        ({"author": "x", "image": "999"}, {"author", "image"}),
        ({"author": "x", "featured": "maybe"}, {"author"}),
        ({"author": 999.5, "image": "999"}, {"author", "image"}),
        (
            {"start_date": None, "status": None, "timezone": None},
            {"start_date", "status", "timezone"},
        ),
        ({"start_date": None, "status": "x"}, {"status"}),
    ],
)
def test_null_is_of_no_type_and_an_unknown_author_is_invalid(as_admin, stored, sent, expected_code):
    assert set(as_admin.post(stored("events"), **sent).invalid_params) == expected_code


def test_null_is_reported_as_wrong_type(as_admin, stored):
    details = as_admin.post(stored("events"), title=None, all_day=None).json["data"]["details"]
    assert {name: detail["code"] for name, detail in details.items()} == {
        "title": "rest_invalid_type",
        "all_day": "rest_invalid_type",
    }


def test_empty_form_fields_are_validated(as_admin, stored):
    answer = as_admin.send(
        "POST",
        stored("events"),
        data="featured=&all_day=&status=&author=&date=",
        content_type="application/x-www-form-urlencoded",
    )
    assert set(answer.invalid_params) == {"date", "status", "author"}


def test_a_parent_by_its_slug_is_of_the_wrong_type(as_admin, make_category):
    make_category(name="Concert")
    both = as_admin.get("/categories", parent="concert", per_page=0)
    assert both.invalid_params == ["per_page"]
    assert as_admin.get("/categories", parent="nope", per_page=0).invalid_params == [
        "per_page",
        "parent",
    ]
    for answer in (
        as_admin.get("/categories", parent="concert"),
        as_admin.post("/categories", name="Jazz", parent="concert"),
    ):
        assert answer.json["data"]["details"]["parent"]["code"] == "rest_invalid_type"
