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
    counts = Facets(store, most_events=6).count(EVERYTHING, CATEGORIES, lambda: (EVERYTHING, 6))
    assert counts.exact
    assert sorted(counts.groups["categories"]) == [((0,), 3), ((1,), 3)]


def test_numbers_of_too_many_events_are_not_exact(store):
    counts = Facets(store, most_events=5).count(EVERYTHING, CATEGORIES, lambda: (EVERYTHING, 6))
    assert not counts.exact
    assert {ids for ids, _ in counts.groups["categories"]} == {(0,), (1,)}


def test_few_of_too_many_events_are_read(store, database):
    documents = [{"_id": number, "categories": [0]} for number in range(10, 3000)]
    database["events"].insert_many(documents)
    counts = Facets(store, most_events=5).count(EVERYTHING, CATEGORIES, lambda: (EVERYTHING, 2996))
    assert sum(number for _, number in counts.groups["categories"]) <= 1000
