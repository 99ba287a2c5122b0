"""MongoDB ends transactions that take too long; their work is then done in smaller parts."""

import pytest

from calendar_app.domain.kinds import VENUE
from calendar_app.errors import TookTooLong
from calendar_app.storage.mongo.store import Store

USUAL = 30
# MongoDB looks once a second for transactions that are older than this: one of all records takes
# more than three seconds, and one of a single record far less than one.
DOCUMENTS = 12
LONG = {"$where": "sleep(300) || true"}


@pytest.fixture
def store(database):
    """Return a store on a MongoDB that ends each transaction after a second."""
    admin = database.client.admin
    admin.command({"setParameter": 1, "transactionLifetimeLimitSeconds": 1})
    yield Store(database)
    admin.command({"setParameter": 1, "transactionLifetimeLimitSeconds": USUAL})


def test_transaction_that_mongodb_ends_is_called_slow(store):
    store["venues"].insert_many([{"_id": number} for number in range(DOCUMENTS)])
    with pytest.raises(TookTooLong):
        store.transact(lambda: store["venues"].find(LONG))


def test_changes_that_take_too_long_together_are_made_in_parts(store):
    store["venues"].insert_many([{"_id": number} for number in range(DOCUMENTS)])
    updates = [
        ({"_id": number, **LONG}, {"$set": {"changed": True}}) for number in range(DOCUMENTS)
    ]
    assert store.change_in_parts(VENUE, updates, 30) == DOCUMENTS
    assert store["venues"].count({"changed": True}) == DOCUMENTS
