"""Lists filtered by ``modified_after`` and ``modified_before``, like WordPress."""

from datetime import timedelta

import pytest
from api.resources.five_collections import REQUIRED

NAMES = {"events": "title", "venues": "venue", "organizers": "organizer"}


@pytest.fixture(params=NAMES)
def collection(request, as_admin, clock):
    """Return a collection with one record of noon (UTC), changed at one, and one of two."""
    name = request.param
    first = as_admin.post(f"/{name}", **REQUIRED[name] | {NAMES[name]: "First"}).json
    clock.now += timedelta(hours=1)
    as_admin.put(f"/{name}/{first['id']}", description="Changed")
    clock.now += timedelta(hours=1)
    as_admin.post(f"/{name}", **REQUIRED[name] | {NAMES[name]: "Second"})
    return name


def listed(client, collection, **query):
    answer = client.get(f"/{collection}", **query)
    assert answer.status_code == 200, answer.json
    return sorted(record[NAMES[collection]] for record in answer.json[collection])


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"modified_after": "2030-01-15T12:59:59Z"}, ["First", "Second"]),
        ({"modified_after": "2030-01-15T13:00:00Z"}, ["Second"]),
        ({"modified_after": "2030-01-15 13:59:59"}, ["First", "Second"]),
        ({"modified_after": "2030-01-15 14:00:00"}, ["Second"]),
        ({"modified_before": "2030-01-15T13:00:00Z"}, []),
        ({"modified_before": "2030-01-15T13:00:01Z"}, ["First"]),
        ({"modified_after": "2030-01-15T13:00:00Z", "modified_before": "2030-01-15T14:00:00Z"}, []),
    ],
)
def test_both_bounds_are_exclusive_and_in_the_zone_of_the_site(anyone, collection, query, names):
    assert listed(anyone, collection, **query) == names


def test_a_bound_that_is_no_date_is_refused(anyone, collection):
    for name in ("modified_after", "modified_before"):
        assert anyone.get(f"/{collection}", **{name: "never"}).invalid_params == [name]


def test_a_bound_stays_in_the_links_of_pages(anyone, collection):
    query = {"modified_after": "2030-01-15T12:00:00Z", "per_page": 1}
    following = anyone.get(f"/{collection}", **query).json["next_rest_url"]
    assert "modified_after=2030-01-15T12%3A00%3A00Z" in following
    assert len(anyone.follow(following).json[collection]) == 1
