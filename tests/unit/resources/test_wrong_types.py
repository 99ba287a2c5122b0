"""A value of a wrong type is refused by the name of its field, and nothing is half-written."""

import pytest
from unit.resources.five_collections import REQUIRED, everything_stored
from unit.resources.wrong_values import WRONG

CASES = [
    pytest.param(collection, field, id=f"{collection}-{field}")
    for collection, fields in WRONG.items()
    for field in fields
]


@pytest.fixture
def stored(as_admin):
    """Return what makes one record of a collection and gives its path."""

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
            assert answer.named == [field], value
    assert everything_stored(database) == before


def test_all_that_is_wrong_is_named_at_once(as_admin):
    answer = as_admin.post("/events", title=7, start_date="foo", end_date="2030-01-01", author=0)

    assert answer.status_code == 400
    assert set(answer.named) == {"title", "start_date", "author"}


def test_a_wrong_type_is_told_after_what_is_invalid(as_admin):
    both = as_admin.get("/events", page=0, featured="maybe")
    assert both.named == ["page"]
    assert both.json["data"]["details"] == []

    alone = as_admin.get("/events", featured="maybe")
    told = "featured ist nicht vom Typ boolean."
    assert alone.json["data"]["params"] == {"featured": told}
    assert alone.json["data"]["details"] == {
        "featured": {
            "code": "rest_invalid_type",
            "message": told,
            "data": {"param": "featured"},
        }
    }
