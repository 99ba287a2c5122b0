"""Records of a site that somebody changes here after an import has looked them up."""

from datetime import datetime

import mongomock
import pytest

from calendar_app.assembly.services import editor_of_source
from calendar_app.domain.kinds import EVENT, SERIES, VENUE
from calendar_app.domain.statuses import TRASH
from calendar_app.sources.imports.tec.batches import OPERATOR
from calendar_app.sources.record_tasks import RecordTask
from calendar_app.sources.results import Outcome
from calendar_app.sources.source import Source
from calendar_app.sources.writer import SourceWriter
from calendar_app.storage.mongo.store import Store

NOW = datetime.fromisoformat("2027-01-01 12:00")
SOURCE = Source(
    id=1,
    name="Site",
    kind="tec",
    address="",
    status="publish",
    author=1,
    language="de",
    timezone="Europe/Zurich",
)


@pytest.fixture
def store():
    return Store(mongomock.MongoClient()["calendar"])


@pytest.fixture
def write(settings, store):
    """Return a function that writes tasks, and returns their outcomes."""
    own_store, editor = editor_of_source(settings, store, lambda: NOW, 1, dry_run=False)
    writer = SourceWriter(own_store, editor, (EVENT, SERIES), SOURCE, operator=OPERATOR)
    return lambda *tasks: [each.outcome for each in writer.write_records(tasks)]


def venue(name, stored=None, own_id=0):
    """Return the task of a venue, which stays as it is in the trash."""

    def changes_to(before):
        trashed = before.get("status") == TRASH
        return {} if trashed else {"variants": {"de": {"venue": name}}}

    return RecordTask(VENUE, name, f'venue "{name}"', "de", changes_to, stored or {}, own_id)


def names(store):
    return {each["_id"]: each["variants"]["de"]["venue"] for each in store.of(VENUE).find({})}


def test_what_somebody_has_trashed_meanwhile_stays_and_the_rest_is_written(write, store):
    write(venue("Hall", own_id=40), venue("Barn", own_id=41))
    looked_up = {each["_id"]: each for each in store.of(VENUE).find({})}
    store.of(VENUE).change({"_id": 40}, {"$set": {"status": TRASH}})
    outcomes = write(venue("Great hall", looked_up[40]), venue("Old barn", looked_up[41]))
    assert outcomes == [Outcome.UNCHANGED, Outcome.CHANGED]
    assert names(store) == {40: "Hall", 41: "Old barn"}


def test_what_somebody_has_changed_meanwhile_keeps_that_beside_what_is_written(write, store):
    write(venue("Hall", own_id=40))
    looked_up = store.of(VENUE).first({"_id": 40})
    store.of(VENUE).change({"_id": 40}, {"$set": {"city": "Bern"}})
    assert write(venue("Great hall", looked_up)) == [Outcome.CHANGED]
    stored = store.of(VENUE).first({"_id": 40})
    assert (stored["city"], names(store)) == ("Bern", {40: "Great hall"})


def test_what_somebody_has_deleted_meanwhile_is_refused_alone(write, store):
    write(venue("Hall", own_id=40), venue("Barn", own_id=41))
    looked_up = {each["_id"]: each for each in store.of(VENUE).find({})}
    store.of(VENUE).remove({"_id": 40})
    tasks = venue("Great hall", looked_up[40]), venue("Old barn", looked_up[41]), venue("New")
    assert write(*tasks) == [Outcome.REFUSED, Outcome.CHANGED, Outcome.NEW]
    assert sorted(names(store).values()) == ["New", "Old barn"]
