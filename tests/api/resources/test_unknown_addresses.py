"""Unknown ids and slugs answer 404; malformed ones match no route."""

import itertools
from urllib.parse import quote

import pytest
from api.resources.five_collections import COLLECTIONS
from api.resources.wrong_values import HUGE

pytestmark = pytest.mark.without_mongodb

NUMBERS = ["0", str(2**63), str(HUGE), "9" * 3000, "000000000000000000"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_unknown_id_is_refused(as_admin, collection):
    for method, number in itertools.product(["GET", "PUT", "DELETE"], NUMBERS):
        answer = as_admin.send(method, f"/{collection}/{number}", json={})

        if collection == "events":
            assert answer.status_code == 404
            assert answer.code == "rest-event-not-found"
        else:
            assert answer.status_code == 400
            assert answer.invalid_params == ["id"]


@pytest.mark.parametrize("text", ["abc", "-1", "1.5", "1e3", "%00", "1%00", "%C2%B2", "$ne"])
def test_invalid_id_is_an_unknown_route(as_admin, text):
    for collection in COLLECTIONS:
        answer = as_admin.send("GET", f"/{collection}/{text}")

        assert answer.status_code == 404
        assert answer.code == "rest_no_route"


SLUGS = ["unknown", "%00", "a%00b", "%FF%FE", "%ED%A0%80", "$ne", "a.b", "x" * 5000, "%25"]
SLUGS += ["a%5B%5D", ".*", "de:x", "%0A", "%E2%80%AE"]


@pytest.mark.parametrize("slug", SLUGS, ids=lambda slug: slug[:9])
@pytest.mark.parametrize("collection", ["events", "venues", "organizers"])
def test_unknown_slug_is_refused(as_admin, collection, slug):
    path = f"/{collection}/by-slug/{slug}"
    for method in ("GET", "DELETE"):
        answer = as_admin.send(method, path)
        assert answer.status_code == 400
        assert answer.invalid_params == ["slug"]

    answer = as_admin.send("PUT", path, json={})
    if collection == "events":
        assert answer.status_code == 404
        assert answer.code == "rest-event-not-found"
    else:
        assert answer.status_code == 400
        assert answer.invalid_params == ["slug"]


def test_a_path_with_broken_utf_8_is_no_route(anyone):
    for path in ("/%FF%FE", "/events%00", "/events/by-slug/", "/events/by-slug/a/b", "//events"):
        answer = anyone.send("GET", path)

        assert answer.status_code == 404
        assert answer.code == "rest_no_route"


def test_a_slash_in_a_slug_is_another_path(anyone):
    assert anyone.send("GET", f"/events/by-slug/{quote('a/b', safe='')}").code == "rest_no_route"
