"""Batches are made while others are stored, and the calendar is as if they were not."""

from datetime import datetime

import pytest
from pymongo.errors import BulkWriteError

from calendar_app.app import site_of
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.conveying import Conveyor
from calendar_app.catalogue.bulk.foreign import Foreign, Outcome
from calendar_app.catalogue.search.vocabulary import Vocabulary
from calendar_app.cli.indexes import make_indexes
from calendar_app.domain.moments import Moment
from calendar_app.imports.tec.taking import OPERATOR
from calendar_app.resources.kinds import BY_NAME, EVENT, VENUE
from calendar_app.storage.store import Store

pytestmark = pytest.mark.needs_mongodb

CREATED, UPDATED, REFUSED = Outcome.CREATED, Outcome.UPDATED, Outcome.REFUSED
NOW = datetime(2026, 11, 1, 12, 0)  # noqa: DTZ001 - naive, and in UTC


def concert(number, **changes):
    texts = {"title": f"Konzert {number}", "slug": changes.pop("slug", f"konzert-{number}")}
    told = {
        "variants": {"de": texts},
        "start": Moment(datetime(2027, 5, 1, 19, 0)),  # noqa: DTZ001 - a wall clock
        "end": Moment(datetime(2027, 5, 1, 21, 0)),  # noqa: DTZ001
        "timezone": "Europe/Zurich",
        "venues": [],
        "status": "publish",
    }
    return foreign("events", changes.pop("id", number), told | changes)


def hall(number, latitude):
    told = {"variants": {"de": {"venue": "Halle"}}, "geo": (latitude, 9.5), "status": "publish"}
    return foreign("venues", number, told)


def foreign(collection, number, changes):
    return Foreign(source=f"{collection}/site.example?id={number}", id=number, changes=changes)


@pytest.fixture
def store(bare_database, settings):
    store = Store(bare_database)
    make_indexes(store, settings)
    return store


@pytest.fixture
def bulk(store, settings):
    vocabulary = Vocabulary(store, settings.chains())
    return Bulk(store, BY_NAME, lambda: NOW, site_of(settings), vocabulary)


@pytest.fixture
def conveyor(bulk):
    return Conveyor(bulk, OPERATOR, "de")


@pytest.fixture
def told():
    return []


@pytest.fixture
def note(told):
    def note(taken):
        told.append([one.outcome for one in taken])

    return note


def slugs(store):
    return [
        (event["_id"], event["slugs"][0]) for event in store.of(EVENT).find({}, order=[("_id", 1)])
    ]


def test_batches_come_in_their_order_and_are_stored_in_the_end(conveyor, store, told, note):
    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1), concert(2)], note)
        conveyor.take(EVENT, [concert(3), concert(4, start=None)], note)
        conveyor.take(EVENT, [concert(5)], note)
        assert told == [[CREATED] * 2, [CREATED, REFUSED]]
    assert told[2:] == [[CREATED]]
    assert slugs(store) == [(n, f"de:konzert-{n}") for n in (1, 2, 3, 5)]


def test_what_comes_twice_in_a_row_is_changed_the_second_time(conveyor, store, told, note):
    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1)], note)
        conveyor.take(EVENT, [concert(1, slug="tanz")], note)
    assert told == [[CREATED], [UPDATED]]
    assert slugs(store) == [(1, "de:tanz")]


@pytest.mark.parametrize("second", ["fest", "fest-2"])
def test_no_two_get_one_slug(conveyor, store, note, second):
    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1, slug="fest"), concert(2, slug="fest")], note)
        conveyor.take(EVENT, [concert(3, slug=second)], note)
    expected = "de:fest-3" if second == "fest" else "de:fest-2-2"
    assert slugs(store) == [(1, "de:fest"), (2, "de:fest-2"), (3, expected)]


def test_no_two_get_one_id(conveyor, store, note):
    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1)], note)
        conveyor.take(EVENT, [concert(2, id=7)], note)
    assert len({number for number, _ in slugs(store)}) == 2


def test_what_somebody_else_takes_meanwhile_is_not_taken_twice(conveyor, bulk, store, told, note):
    def take_the_next_slug(taken):
        note(taken)
        bulk.take(EVENT, [concert(9, slug="konzert-2")], OPERATOR, "de")

    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1)], take_the_next_slug)
        # These are made, and stored only after the other one.
        conveyor.take(EVENT, [concert(2)], note)
        conveyor.take(EVENT, [concert(3)], note)
    assert told == [[CREATED]] * 3
    expected = [
        (1, "de:konzert-1"),
        (2, "de:konzert-2-2"),
        (3, "de:konzert-3"),
        (9, "de:konzert-2"),
    ]
    assert slugs(store) == expected


def test_an_event_has_the_point_that_its_venue_has_when_it_is_stored(conveyor, bulk, store, note):
    def move(_):
        bulk.take(VENUE, [hall(50, latitude=47.0)], OPERATOR, "de")

    bulk.take(VENUE, [hall(50, latitude=46.0)], OPERATOR, "de")
    with conveyor.ahead():
        conveyor.take(EVENT, [concert(1, venues=[50])], note)
        conveyor.take(EVENT, [concert(2, venues=[50])], move)
        conveyor.take(EVENT, [concert(3, venues=[50])], note)
    events = store.of(EVENT).find({}, order=[("_id", 1)])
    # Those that were there have moved with it.
    assert [event["location"]["coordinates"] for event in events] == [[9.5, 47.0]] * 3


def test_a_source_whose_record_has_gone_is_unknown_again(bulk):
    halls = [hall(50, latitude=46.0), hall(51, latitude=46.0)]
    sources = [one.source for one in halls]
    bulk.take(VENUE, halls, OPERATOR, "de")
    assert bulk.ids_of(VENUE, sources) == dict(zip(sources, [50, 51], strict=True))
    bulk.remove(VENUE, 50, OPERATOR, force=True)
    assert bulk.ids_of(VENUE, sources) == {sources[1]: 51}
    bulk.take(VENUE, halls[:1], OPERATOR, "de")
    assert bulk.ids_of(VENUE, sources).keys() == set(sources)


def test_what_fails_in_the_end_is_told(conveyor, store, note):
    store.database.command("collMod", "events", validator={"_id": {"$ne": 2}})

    def take_two():
        with conveyor.ahead():
            conveyor.take(EVENT, [concert(1)], note)
            conveyor.take(EVENT, [concert(2)], note)

    with pytest.raises(BulkWriteError):
        take_two()
    assert slugs(store) == [(1, "de:konzert-1")]
