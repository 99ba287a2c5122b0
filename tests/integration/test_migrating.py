"""Stored documents are converted in batches; an interrupted migration goes on."""

import pytest

from calendar_app.storage.mongo.formats import FORMATS, MARKS, stored_mark
from calendar_app.storage.mongo.migrating import Migration, Migrator
from calendar_app.storage.mongo.store import Store

VENUES = 500


class _KilledError(Exception):
    """The process that converts is killed."""


@pytest.fixture
def raised(database):
    """Let the mark have been raised, and nothing be converted yet."""
    database["venues"].insert_many({"_id": number} for number in range(VENUES))
    mark = {"_id": "data", "format": FORMATS.newest, "migration": {"step": 0}}
    database[MARKS].insert_one(mark)


def migrator(database, update_of, *, collection="venues"):
    return Migrator(Store(database), [Migration(FORMATS.newest, collection, update_of)])


def wait_for_nobody():
    raise AssertionError


@pytest.mark.usefixtures("raised")
def test_interrupted_migration_goes_on_where_it_ended(database):
    converted_ids = []

    def convert(venue):
        converted_ids.append(venue["_id"])
        if venue["_id"] == 450 and converted_ids.count(450) == 1:
            raise _KilledError
        return {"$inc": {"converted": 1}}

    with pytest.raises(_KilledError):
        migrator(database, convert).convert(wait_for_nobody)
    before = database["venues"].count_documents({"converted": 1})
    assert 0 < before < VENUES

    assert migrator(database, convert).convert(wait_for_nobody) == VENUES - before

    assert database["venues"].count_documents({"converted": 1}) == VENUES
    assert "migration" not in database[MARKS].find_one()
    assert migrator(database, convert).convert(wait_for_nobody) == 0


@pytest.mark.usefixtures("raised")
def test_document_that_needs_no_change_stays(database):
    def convert(venue):
        return {"$set": {"even": True}} if venue["_id"] % 2 == 0 else None

    assert migrator(database, convert).convert(wait_for_nobody) == VENUES / 2
    assert database["venues"].count_documents({"even": True}) == VENUES / 2


@pytest.mark.usefixtures("raised")
def test_migration_waits_for_processes_that_still_write_the_former_format(database):
    ended = {"$dateAdd": {"startDate": "$$NOW", "unit": "second", "amount": 1}}
    lease = {"newest": FORMATS.newest, "writes": FORMATS.newest - 1, "until": ended}
    database["leases"].update_one({"_id": "process 1"}, [{"$set": lease}], upsert=True)

    def convert(venue):
        assert not database["leases"].count_documents({"$expr": {"$gt": ["$until", "$$NOW"]}}) - 1
        return {"$set": {"converted": venue["_id"]}}

    assert migrator(database, convert).convert(wait_for_nobody) == VENUES


@pytest.mark.usefixtures("raised")
def test_mark_is_not_raised_before_the_last_migration_is_done(database):
    assert not migrator(database, lambda _: None).can_raise()
    assert stored_mark(database).format == FORMATS.newest
