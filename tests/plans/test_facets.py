"""Numbers beside filters are exact, or they are left out."""

import pytest

from calendar_app.calendar.reading.facets import Facet, Facets
from calendar_app.storage.mongo.marks import mark_everything
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, at_least, equals, one_of

CATEGORIES = {"categories": Facet(EVERYTHING, "categories")}


@pytest.fixture
def store(database, clock):
    store = Store(database, clock=clock)
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


# Numbers of many events are carried over a write.

MANY = 6000
PUBLIC = equals("status", "publish")
BOTH = {
    "categories": Facet(EVERYTHING, "categories"),
    "tags": Facet(EVERYTHING, "tags", apart=True),
    "late": Facet(at_least("size", MANY - 100)),
}
CHANGES = {
    "one comes": lambda events: events.insert(
        {"_id": -1, "status": "publish", "size": 1, "categories": [7, 8], "tags": [1, 70]}
    ),
    "one goes": lambda events: events.remove(equals("_id", 7)),
    "one is public no longer": lambda events: events.change(
        {"_id": 7}, {"$set": {"status": "draft"}}
    ),
    "one gets other terms": lambda events: events.change(
        {"_id": 7}, {"$set": {"tags": [9], "categories": []}}
    ),
    "the last of a term goes": lambda events: events.remove(one_of("_id", [3, 1003])),
    "a clause decides what changes": lambda events: events.change_all(
        at_least("size", MANY - 9), {"$set": {"tags": [1]}}
    ),
}


@pytest.fixture
def many(database, clock):
    database["events"].insert_many(
        {
            "_id": each,
            "status": "publish",
            "size": each,
            "categories": [1, each % 3],
            "tags": [each % 5, 5 + each % 7] if each % 1000 != 3 else [1000],
        }
        for each in range(MANY)
    )
    mark_everything(database)
    # The writer that will have to be known.
    Store(database, clock=clock)["venues"].insert({"_id": 0})
    return Store(database, clock=clock)


def numbers_of(store):
    """Count as a page does, which has read something before."""

    def work():
        store["events"].first({"_id": 1})
        return Facets(store).count(PUBLIC, BOTH, lambda: (PUBLIC, MANY)).groups

    groups = store.in_snapshot(work)
    return {name: sorted(values) for name, values in groups.items()}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_numbers_are_right_after_every_write(many, database, clock, change):
    assert numbers_of(many) == numbers_of(Store(database, clock=clock))
    change(Store(database, clock=clock)["events"])
    assert numbers_of(many) == numbers_of(Store(database, clock=clock))


def test_numbers_of_many_events_are_not_counted_anew_after_a_write(many, database):
    before = numbers_of(many)
    # Without a mark nobody knows of it.
    database["events"].insert_one({"status": "publish", "size": MANY, "tags": [1]})
    many["events"].change({"_id": 7}, {"$inc": {"size": 1}})
    assert numbers_of(many) == before
