"""What was looked up before is believed until the database tells that something was written."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.mongo.connection import count_round_trips_anew, round_trips
from calendar_app.mongo.store import Store

pytestmark = pytest.mark.needs_mongodb


@pytest.fixture
def reading(database):
    """Return a store that reads, beside the one that writes."""
    return Store(database)


@pytest.fixture
def writing(database):
    return Store(database)


def sizes(store, ids):
    def ask(some):
        found = {each["_id"]: each["size"] for each in store["events"].find({"_id": {"$in": some}})}
        return {each: found.get(each) for each in some}

    return store.cached_lookup("sizes", ids, ask)


def read(store, *ids):
    """Look up sizes first, then read a document, at one moment; return both."""
    return store.in_snapshot(lambda: (sizes(store, ids), store["events"].first({"_id": 1})))


def questions(work):
    count_round_trips_anew()
    work()
    return round_trips()


def test_what_was_looked_up_is_not_looked_up_again(reading, writing):
    writing["events"].insert({"_id": 1, "size": 7})
    assert questions(lambda: read(reading, 1, 2)) == 2
    # mongod itself writes now and then.
    assert min(questions(lambda: read(reading, 1, 2)) for _ in range(3)) == 1


def test_what_is_believed_is_as_new_as_what_is_read(reading, writing):
    writing["events"].insert({"_id": 1, "size": 0})
    for size in range(1, 20):
        read(reading, 1)
        writing["events"].change({"_id": 1}, {"$set": {"size": size}})
        assert read(reading, 1) == ({1: size}, {"_id": 1, "size": size})


def test_what_is_still_so_is_looked_up_and_nothing_read_again(reading, writing):
    writing["events"].insert({"_id": 1, "size": 7})
    read(reading, 1)
    writing["events"].insert({"_id": 2, "size": 8})
    assert questions(lambda: read(reading, 1)) == 2


def test_what_would_have_done_as_well_is_taken(reading, writing):
    def sizes_alike(some):
        found = reading["events"].find({"_id": {"$in": list(some)}})
        return {each["_id"]: each["size"] for each in found}

    def large(*of):
        def work():
            told = reading.cached_lookup("large", of, sizes_alike, lambda a, b: (a > 5) == (b > 5))
            return told, reading["events"].first({"_id": of[0]})["size"]

        return reading.in_snapshot(work)

    writing["events"].insert({"_id": 1, "size": 7})
    assert large(1) == ({1: 7}, 7)
    writing["events"].change({"_id": 1}, {"$set": {"size": 9}})
    assert large(1) == ({1: 7}, 9)
    writing["events"].change({"_id": 1}, {"$set": {"size": 3}})
    assert large(1) == ({1: 3}, 3)


def test_what_was_missing_is_found_once_it_is_there(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    assert read(reading, 1, 2)[0] == {1: 1, 2: None}
    writing["events"].insert({"_id": 2, "size": 2})
    assert read(reading, 1, 2)[0] == {1: 1, 2: 2}


def test_work_that_fails_for_what_it_believed_is_done_again(reading, writing):
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


def test_work_that_reads_nothing_else_is_told_the_present(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    for size in (2, 3):
        assert reading.in_snapshot(lambda: sizes(reading, [1])) == {1: size - 1}
        writing["events"].change({"_id": 1}, {"$set": {"size": size}})
    assert reading.in_snapshot(lambda: sizes(reading, [1])) == {1: 3}


def test_what_was_believed_first_is_in_doubt_whatever_was_believed_later(reading, writing):
    def work():
        first = sizes(reading, [1])
        writing["events"].change({"_id": 1}, {"$set": {"size": 99}})
        with ThreadPoolExecutor() as others:
            others.submit(read, reading, 2).result()
        return first, sizes(reading, [2]), reading["events"].first({"_id": 1})

    for number in (1, 2):
        writing["events"].insert({"_id": number, "size": number})
    read(reading, 1, 2)
    assert reading.in_snapshot(work) == ({1: 99}, {2: 2}, {"_id": 1, "size": 99})


def test_what_fails_in_spite_of_what_was_believed_fails_once(reading, writing):
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


def test_outside_such_work_everything_is_asked(reading, writing):
    writing["events"].insert({"_id": 1, "size": 1})
    read(reading, 1)
    assert questions(lambda: sizes(reading, [1])) == 1
