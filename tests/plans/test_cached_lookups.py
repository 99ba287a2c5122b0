"""Cached look-ups are reused until something is written."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips


@pytest.fixture
def reading(database, clock):
    """Return a second store, for reads only."""
    return Store(database, clock=clock)


@pytest.fixture
def writing(database, clock):
    return Store(database, clock=clock)


def sizes(store, ids):
    def ask(missing_ids):
        sizes_by_id = {
            each["_id"]: each["size"]
            for each in store["events"].find({"_id": {"$in": missing_ids}})
        }
        return {each: sizes_by_id.get(each) for each in missing_ids}

    return store.cached_lookup("sizes", ids, ask)


def read(store, *ids):
    """Look up sizes first, then read a document, at one moment; return both."""
    return store.in_snapshot(lambda: (sizes(store, ids), store["events"].first({"_id": 1})))


def questions(work):
    count_round_trips_anew()
    work()
    return round_trips()


def test_cached_lookup_needs_no_query(reading, writing):
    writing["events"].insert({"_id": 1, "size": 7})
    read(reading, 1, 2)
    assert questions(lambda: read(reading, 1, 2)) == 1


def test_cached_values_are_as_new_as_the_snapshot(reading, writing):
    writing["events"].insert({"_id": 1, "size": 0})
    for size in range(1, 20):
        read(reading, 1)
        writing["events"].change({"_id": 1}, {"$set": {"size": size}})
        assert read(reading, 1) == ({1: size}, {"_id": 1, "size": size})


def test_confirmed_lookup_repeats_no_other_query(reading, writing):
    writing["events"].insert({"_id": 1, "size": 7})
    read(reading, 1)
    writing["events"].insert({"_id": 2, "size": 8})
    # The marks, the document and the look-up.
    assert questions(lambda: read(reading, 1)) == 3


def test_equivalent_stale_value_is_accepted(reading, writing):
    def sizes_alike(event_ids):
        events = reading["events"].find({"_id": {"$in": list(event_ids)}})
        return {each["_id"]: each["size"] for each in events}

    def large(*of):
        def work():
            cached_sizes = reading.cached_lookup(
                "large", of, sizes_alike, lambda a, b: (a > 5) == (b > 5)
            )
            return cached_sizes, reading["events"].first({"_id": of[0]})["size"]

        return reading.in_snapshot(work)

    writing["events"].insert({"_id": 1, "size": 7})
    assert large(1) == ({1: 7}, 7)
    writing["events"].change({"_id": 1}, {"$set": {"size": 9}})
    assert large(1) == ({1: 7}, 9)
    writing["events"].change({"_id": 1}, {"$set": {"size": 3}})
    assert large(1) == ({1: 3}, 3)


def test_absent_value_is_found_after_its_creation(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    assert read(reading, 1, 2)[0] == {1: 1, 2: None}
    writing["events"].insert({"_id": 2, "size": 2})
    assert read(reading, 1, 2)[0] == {1: 1, 2: 2}


def test_failure_from_a_stale_value_is_retried(reading, writing):
    def strict():
        size = sizes(reading, [2])[2]
        if size is None:
            raise LookupError
        return size

    writing["events"].insert({"_id": 1, "size": 1})
    for _ in range(2):
        with pytest.raises(LookupError):
            reading.in_snapshot(strict)
    writing["events"].insert({"_id": 2, "size": 2})
    assert reading.in_snapshot(strict) == 2


def test_lookup_alone_returns_the_present_value(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    for size in (2, 3):
        assert reading.in_snapshot(lambda: sizes(reading, [1])) == {1: size - 1}
        writing["events"].change({"_id": 1}, {"$set": {"size": size}})
    assert reading.in_snapshot(lambda: sizes(reading, [1])) == {1: 3}


def test_first_lookup_is_validated_after_later_ones(reading, writing):
    def work():
        first = sizes(reading, [1])
        writing["events"].change({"_id": 1}, {"$set": {"size": 99}})
        with ThreadPoolExecutor() as pool:
            pool.submit(read, reading, 2).result()
        return first, sizes(reading, [2]), reading["events"].first({"_id": 1})

    for number in (1, 2):
        writing["events"].insert({"_id": number, "size": number})
    read(reading, 1, 2)
    assert reading.in_snapshot(work) == ({1: 99}, {2: 2}, {"_id": 1, "size": 99})


def test_failure_with_valid_values_is_not_retried(reading, writing):
    runs = []

    def failing():
        runs.append(sizes(reading, [1]))
        reading["events"].first({"_id": 1})
        raise LookupError

    writing["events"].insert({"_id": 1, "size": 1})
    read(reading, 1)
    writing["events"].insert({"_id": 2, "size": 2})
    with pytest.raises(LookupError):
        reading.in_snapshot(failing)
    assert runs == [{1: 1}]


def test_lookup_outside_a_snapshot_is_not_cached(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    read(reading, 1)
    assert questions(lambda: sizes(reading, [1])) == 1
