"""Totals of lists are counted once between two writes, and are right all the same."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.kinds import BY_NAME
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import count_round_trips_anew, round_trips
from calendar_app.query.clauses import EVERYTHING, at_least, equals


@pytest.fixture
def store(database):
    return Store(database)


def counted(store, clause, name="events"):
    return store.total(BY_NAME[name], clause, [{"$match": clause}, {"$count": "total"}])


def listed(store, clause=EVERYTHING, name="events"):
    """Read a page of one document, then the total, at one moment."""

    def work():
        page = store[name].find(clause, order=[("_id", 1)], limit=1)
        return page, counted(store, clause, name)

    return store.in_snapshot(work)


def total(store, clause=EVERYTHING, name="events"):
    return listed(store, clause, name)[1]


def commands_of(work):
    count_round_trips_anew()
    work()
    return round_trips()


def insert(store, *ids, name="events"):
    store[name].insert_many([{"_id": each, "size": each} for each in ids])


def test_a_total_is_counted_once_between_two_writes(store):
    insert(store, 1, 2, 3)
    assert commands_of(lambda: total(store)) == 3
    # At a full minute a total is counted anew.
    assert min(commands_of(lambda: total(store)) for _ in range(3)) == 1
    insert(store, 4)
    assert commands_of(lambda: total(store)) == 3


def test_a_total_is_right_after_every_write(store):
    for number in range(1, 40):
        insert(store, number)
        assert total(store) == number
    for number in range(1, 40):
        store["events"].remove(equals("_id", number))
        assert total(store) == 39 - number


def test_a_total_is_right_after_a_write_of_another_process(store, database):
    insert(store, 1, 2)
    assert total(store) == 2
    insert(Store(database), 3)
    assert total(store) == 3


def test_a_total_is_right_after_a_transaction(store):
    insert(store, 1)
    assert total(store) == 1
    store.transact(lambda: (insert(store, 2), insert(store, 3)))
    assert total(store) == 3


def test_each_question_has_a_total_of_its_own(store):
    insert(store, 1, 2, 3)
    insert(store, 1, name="venues")
    clauses = [EVERYTHING, at_least("size", 2), at_least("size", 3), equals("size", 2)]
    for _ in range(2):
        assert [total(store, each) for each in clauses] == [3, 2, 1, 1]
        assert total(store, name="venues") == 1


def test_page_and_total_read_the_same_snapshot(store, database):
    insert(store, 1)

    def work():
        documents = store["events"].find(EVERYTHING)
        insert_elsewhere = ThreadPoolExecutor(1).submit(insert, Store(database), 2)
        insert_elsewhere.result()
        return len(documents), counted(store, EVERYTHING)

    assert store.in_snapshot(work) == (1, 1)
    assert total(store) == 2


def test_totals_are_right_while_many_write(store):
    def write_and_list(worker):
        for number in range(15):
            mine = equals("worker", worker)
            store["events"].insert({"_id": worker * 100 + number, "worker": worker})
            assert total(store, mine) == number + 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write_and_list, range(1, 5)))
    assert total(store) == 60


def test_total_in_a_transaction_includes_its_writes(store):
    insert(store, 1)
    assert total(store) == 1

    def work():
        insert(store, 2)
        return total(store)

    assert store.transact(work) == 2
    assert total(store) == 2


def test_a_collection_that_is_new_has_a_total(bare_database):
    store = Store(bare_database)
    assert total(store) == 0
    insert(store, 1)
    bare_database["events"].create_index("size")
    assert total(store, at_least("size", 1)) == 1


def test_list_of_hundreds_is_one_query(store):
    insert(store, *range(1, 301))
    assert commands_of(lambda: store["events"].find(EVERYTHING)) == 1
