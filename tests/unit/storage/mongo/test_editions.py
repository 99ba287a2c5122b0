"""An edition holds all cluster times with the same marks, and ends at the full minute."""

from itertools import count

import pytest
from bson import Timestamp

from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.storage.cache_memory import CacheMemory, ContentKey
from calendar_app.storage.mongo.editions import (
    DocumentKey,
    EditionCache,
    EditionRead,
    Editions,
    read_marks,
)
from calendar_app.storage.mongo.marks import LAST, UNSHOWN, WRITERS

WITHOUT_INDEXES = {
    "glossary",
    "hub",
    "jobs",
    "keys",
    "data_format",
    "leases",
    "machine_use",
    "missed_writes",
    "place_locks",
    "sequences",
    WRITERS,
}


def test_what_is_written_by_other_means_is_shown_from_the_next_minute_on(clock):
    editions = Editions(clock)
    before = editions.note(Timestamp(1, 1), EditionRead({1: 1}))
    assert editions.present is before
    clock.advance(minutes=1)
    assert (editions.present, editions.at(Timestamp(1, 1))) == (None, None)
    assert editions.note(Timestamp(1, 1), EditionRead({1: 1})) is not before


def test_each_time_between_two_of_an_edition_is_of_it(clock):
    editions = Editions(clock)
    edition = editions.note(Timestamp(5, 1), EditionRead({1: 1}))
    assert editions.note(Timestamp(9, 1), EditionRead({1: 1})) is edition
    assert editions.note(Timestamp(3, 1), EditionRead({1: 1})) is edition
    assert [editions.at(Timestamp(time, 1)) for time in (2, 3, 7, 9, 10)] == [
        *(None, edition, edition, edition, None)
    ]


@pytest.mark.parametrize("marks", [{}, {1: 2}, {1: 1, 2: 1}, {2: 1}])
def test_other_marks_are_another_edition(marks, clock):
    editions = Editions(clock)
    before = editions.note(Timestamp(5, 1), EditionRead({1: 1}))
    assert editions.note(Timestamp(4, 1), EditionRead(marks)) is None
    assert editions.present is before
    assert editions.note(Timestamp(6, 1), EditionRead(marks)) is editions.present is not before


def test_a_cache_never_goes_back_to_a_former_edition(clock):
    editions, cache = Editions(clock), EditionCache(CacheMemory(1_000_000))
    former = editions.note(Timestamp(1, 1), EditionRead({}))
    cache.at(former)["key"] = "former"
    later = editions.note(Timestamp(2, 1), EditionRead({1: 1}))
    cache.at(later)["key"] = "later"
    assert (cache.at(former), cache.at(later), cache.at(None)) == ({}, {"key": "later"}, {})


def entry(**written_ids):
    return {"written": written_ids}


@pytest.fixture
def later(clock):
    """Return a function that makes the next edition from entries of the database."""
    editions, times = Editions(clock), count(2)

    def follow(former, *documents):
        return editions.note(Timestamp(next(times), 1), read_marks(documents, former))

    follow.former = editions.note(Timestamp(1, 1), EditionRead({LAST: 9, 5: 1}))
    return follow


LAST_WRITER, WRITER = {"_id": LAST, "n": 9, "first": 4}, {"_id": 5, "n": 2}


@pytest.mark.parametrize(
    ("documents", "remaining"),
    [
        ([LAST_WRITER, WRITER, entry(events=[1])], {1, 2}),
        ([LAST_WRITER, WRITER, entry(venues=[2])], {1}),
        ([LAST_WRITER, WRITER, entry(venues=[2]), entry(venues=[1], events=[7])], set()),
        ([LAST_WRITER, WRITER, entry(venues=None)], set()),
        ([LAST_WRITER, WRITER, entry(venues=list(range(3, 303)))], {1, 2}),
        ([LAST_WRITER, WRITER, entry(venues=list(range(3, 600)))], set()),
        ([LAST_WRITER, WRITER, *(entry(events=[1]) for _ in range(101))], set()),
        ([LAST_WRITER, entry(events=[1])], {1, 2}),
        ([LAST_WRITER | {"n": 10}, WRITER, {"_id": 10, "n": 1}, entry(venues=[2])], {1}),
        ([LAST_WRITER | {"n": 12, "first": 12}, WRITER, entry(events=[1])], set()),
        ([LAST_WRITER, WRITER | {"n": 0}, entry(events=[1])], set()),
        ([{"_id": 7, "n": 1}, entry(events=[1])], set()),
    ],
    ids=[
        *("others", "one", "both", "unknown ids", "an import", "many ids", "many entries"),
        *("mark removed", "new writer", "everything", "number falls", "emptied"),
    ],
)
def test_documents_are_kept_where_entries_tell_that_others_were_written(
    later, documents, remaining
):
    cache = EditionCache(CacheMemory(1_000_000))
    venues = {DocumentKey("venues", each): each for each in (1, 2)}
    cache.at(later.former).update({**venues, ("looked up", "venues"): 1})
    edition = later(later.former, *documents)
    edition.minute = later.former.minute
    assert cache.at(edition) == {("venues", each): each for each in remaining}


def test_what_was_made_of_a_content_is_kept_whatever_is_written(later):
    cache = EditionCache(CacheMemory(1_000_000))
    cache.at(later.former).update({ContentKey("digest", 1): "made", ("digest", 1): "looked up"})
    edition = later(later.former, LAST_WRITER, WRITER, entry(venues=None, events=[1]))
    edition.minute = later.former.minute
    assert cache.at(edition) == {ContentKey("digest", 1): "made"}


def test_entries_of_all_steps_between_two_editions_count(later):
    first = later(later.former, LAST_WRITER, WRITER, entry(events=[1]))
    second = later(first, LAST_WRITER, WRITER | {"n": 3}, entry(venues=[2]))
    assert second.written_since(first) == {"venues": {2}}
    assert second.written_since(later.former) == {"events": {1}, "venues": {2}}
    assert first.written_since(second) is None


def test_documents_are_not_kept_over_a_full_minute(later):
    cache = EditionCache(CacheMemory(1_000_000))
    cache.at(later.former)[DocumentKey("venues", 1)] = 1
    later.former.minute -= 1
    assert cache.at(later(later.former, LAST_WRITER, WRITER, entry(events=[1]))) == {}


def test_an_edition_that_has_ended_keeps_no_ids(later, clock):
    edition = later(later.former, LAST_WRITER, WRITER, entry(events=[1]))
    assert edition.steps
    clock.advance(minutes=1)
    later(None, LAST_WRITER, WRITER)
    assert edition.steps == ()


def test_unshown_collections_are_collections_of_the_service():
    declared = declared_indexes(Settings.load(environment={}))
    assert declared.keys() | WITHOUT_INDEXES >= UNSHOWN
