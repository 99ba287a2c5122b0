"""Numbers beside filters are exact, or they are left out."""

import pytest

from calendar_app.calendar.reading.facets import Facet, Facets
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING

CATEGORIES = {"categories": Facet(EVERYTHING, "categories")}


@pytest.fixture
def store(database):
    store = Store(database)
    for number in range(1, 7):
        store["events"].insert({"_id": number, "categories": [number % 2]})
    return store


def test_numbers_are_exact_up_to_the_limit(store):
    counts = Facets(store, most_events=6).count(EVERYTHING, CATEGORIES)
    assert counts.exact
    assert sorted(counts.groups["categories"]) == [((0,), 3), ((1,), 3)]


def test_numbers_of_too_many_events_are_not_exact(store):
    counts = Facets(store, most_events=5).count(EVERYTHING, CATEGORIES)
    assert not counts.exact
    assert {ids for ids, _ in counts.groups["categories"]} == {(0,), (1,)}
