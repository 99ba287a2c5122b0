"""Numbers of a sequence, one by one and many at once."""

import pytest

from calendar_app.domain.numbers import RESERVED
from calendar_app.storage.mongo.store import Store


@pytest.fixture
def store(database):
    return Store(database)


def test_many_ids_are_consecutive_and_unique(store):
    first = store.next_id("records")
    many = list(store.next_ids("records", 500))
    assert many == list(range(first + 1, first + 501))
    assert store.next_id("records") == first + 501


def test_many_ids_begin_after_reserved_ids(store):
    used = RESERVED.get("records", 0) + 1000
    store.advance_sequence("records", used)
    assert list(store.next_ids("records", 2)) == [used + 1, used + 2]
