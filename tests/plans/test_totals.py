"""Totals of lists are counted once between two writes, and are right all the same."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from calendar_app.domain.kinds import BY_NAME
from calendar_app.storage.mongo.marks import WRITERS, mark_everything
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips
from calendar_app.storage.query.clauses import EVERYTHING, at_least, at_most, equals, one_of


@pytest.fixture
def store(database, clock):
    return Store(database, clock=clock)


def counting(clause):
    return [{"$match": clause}, {"$count": "total"}]


def counted(store, clause, name="events"):
    return store.total(BY_NAME[name], clause, counting(clause), counting)


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
    assert commands_of(lambda: total(store)) == 1
    insert(store, 4)
    assert commands_of(lambda: total(store)) == 3


def test_a_total_is_right_after_every_write(store):
    for number in range(1, 40):
        insert(store, number)
        assert total(store) == number
    for number in range(1, 40):
        store["events"].remove(equals("_id", number))
        assert total(store) == 39 - number


def test_a_total_is_right_after_a_write_of_another_process(store, database, clock):
    insert(store, 1, 2)
    assert total(store) == 2
    insert(Store(database, clock=clock), 3)
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


def test_page_and_total_read_the_same_snapshot(store, database, clock):
    insert(store, 1)

    def work():
        documents = store["events"].find(EVERYTHING)
        insert_elsewhere = ThreadPoolExecutor(1).submit(insert, Store(database, clock=clock), 2)
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


# A large total is carried over a write.

LARGE = 6000
BELOW = at_most("size", LARGE)
CHANGES = {
    "one comes": lambda tags: tags.insert({"_id": -1, "size": 3}),
    "one comes that does not match": lambda tags: tags.insert({"_id": -1, "size": 2 * LARGE}),
    "one goes": lambda tags: tags.remove(equals("_id", 7)),
    "one matches no longer": lambda tags: tags.change({"_id": 7}, {"$set": {"size": 2 * LARGE}}),
    "one is written": lambda tags: tags.change({"_id": 7}, {"$set": {"size": 8}}),
    "some change": lambda tags: tags.change_each(
        [({"_id": each}, {"$inc": {"size": 3}}) for each in range(LARGE - 20, LARGE)]
    ),
    "more change than marks name": lambda tags: tags.change_all(
        one_of("_id", range(LARGE - 200, LARGE)), {"$inc": {"size": 150}}
    ),
    "a clause decides what changes": lambda tags: tags.change_all(
        at_least("size", LARGE - 9), {"$inc": {"size": 5}}
    ),
    "a writer writes often": lambda tags: [
        tags.change({"_id": each}, {"$set": {"size": 2 * LARGE}}) for each in range(60)
    ],
}


@pytest.fixture
def large(database, store):
    """Return a store with so many tags that their total is carried."""
    database["tags"].insert_many([{"_id": each, "size": each} for each in range(LARGE)])
    mark_everything(database)
    # The writer that will have to be known.
    store["venues"].insert({"_id": 0})
    return store


def carried(large, clause, work):
    """Return whether a total is carried over some work, in place of a new count."""
    before = total(large, clause, "tags")
    large.database["tags"].insert_one({"size": 1})
    work()
    return total(large, clause, "tags") == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_large_total_is_right_after_every_write(large, database, clock, change):
    for clause in (BELOW, EVERYTHING, at_least("size", LARGE // 9)):
        assert total(large, clause, "tags") == database["tags"].count_documents(clause)
    change(Store(database, clock=clock)["tags"])
    for clause in (BELOW, EVERYTHING, at_least("size", LARGE // 9)):
        assert total(large, clause, "tags") == database["tags"].count_documents(clause)


def test_a_large_total_is_not_counted_anew_after_a_write(large):
    assert carried(large, BELOW, lambda: large["tags"].change({"_id": 7}, {"$inc": {"size": 1}}))


def test_a_large_total_is_kept_where_others_were_written(large):
    assert carried(large, BELOW, lambda: large["venues"].insert({"size": 1}))


@pytest.mark.parametrize(
    "work",
    [
        lambda store: store["tags"].change_all(at_most("size", 7), {"$inc": {"seen": 1}}),
        lambda store: mark_everything(store.database),
        lambda store: store.database[WRITERS].delete_many({}),
    ],
    ids=["by a clause", "everything", "marks are gone"],
)
def test_a_total_is_counted_anew_where_marks_do_not_tell_all(large, work):
    assert not carried(large, BELOW, lambda: work(large))


def test_a_total_is_counted_anew_where_the_state_before_has_gone(large):
    admin, name = large.database.client.admin, "minSnapshotHistoryWindowInSeconds"
    usual = admin.command({"getParameter": 1, name: 1})[name]
    total(large, BELOW, "tags")
    admin.command({"setParameter": 1, name: 0})
    try:
        for number in range(5):
            large["tags"].remove({"_id": number})
            assert total(large, BELOW, "tags") == LARGE - number - 1
    finally:
        admin.command({"setParameter": 1, name: usual})


def test_large_totals_are_right_while_many_write(large, database, clock):
    """Each writer sees its own writes at once, whatever others write meanwhile."""
    store = Store(database, clock=clock)

    def write_and_list(worker):
        for number in range(12):
            mine = at_least(f"of {worker}", 0)
            (large if number % 2 else store)["tags"].change(
                {"_id": worker * 100 + number}, {"$set": {f"of {worker}": 1}}
            )
            clause = {"$nor": [mine]}
            assert total(large, clause, "tags") == LARGE - number - 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write_and_list, range(1, 5)))
