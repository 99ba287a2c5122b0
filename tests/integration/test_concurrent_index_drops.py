"""Indexes are made by several processes at once, as when several machines start together."""

from concurrent.futures import ThreadPoolExecutor

from calendar_app.domain.kind import Index
from calendar_app.storage.mongo.indexes import drop_deferred, ensure_indexes, missing_indexes
from calendar_app.storage.mongo.store import Store

DECLARED = {
    "events": (
        Index((("words", 1),), "searches", deferred=True),
        Index((("start", 1),), "lists by start"),
    )
}
MANY = 15_000  # so that to make an index of their words takes a while


def test_index_under_construction_is_not_dropped(bare_database):
    store = Store(bare_database)
    store["events"].insert_many(
        [{"_id": number, "start": number, "words": list(range(80))} for number in range(MANY)]
    )
    drops = 0
    with ThreadPoolExecutor(1) as pool:
        making = pool.submit(ensure_indexes, store, DECLARED)
        while not making.done():
            drop_deferred(store, DECLARED)
            drops += 1
        making.result()
    assert drops
    ensure_indexes(store, DECLARED)
    assert missing_indexes(store, DECLARED) == []


def test_concurrent_drop_of_indexes_succeeds(bare_database):
    store = Store(bare_database)
    ensure_indexes(store, DECLARED)
    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(drop_deferred, store, DECLARED) for _ in range(8)]:
            future.result()
    assert missing_indexes(store, DECLARED) == ["events.words_1"]
