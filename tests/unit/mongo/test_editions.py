"""An edition holds all cluster times with the same marks, and ends at the full minute."""

import pytest
from bson import Timestamp

from calendar_app.indexes import declared_indexes
from calendar_app.mongo.editions import UNSHOWN, WRITERS, DocumentKey, EditionCache, Editions
from calendar_app.settings import Settings

WITHOUT_INDEXES = {
    "glossary",
    "jobs",
    "keys",
    "leases",
    "machine_use",
    "place_locks",
    "sequences",
    WRITERS,
}


def test_what_is_written_by_other_means_is_shown_from_the_next_minute_on():
    editions = Editions()
    before = editions.note(Timestamp(1, 1), {"writer": 1})
    before.minute -= 1
    assert (editions.present, editions.at(Timestamp(1, 1))) == (None, None)
    assert editions.note(Timestamp(1, 1), {"writer": 1}) is not before


def test_each_time_between_two_of_an_edition_is_of_it():
    editions = Editions()
    edition = editions.note(Timestamp(5, 1), {"writer": 1})
    assert editions.note(Timestamp(9, 1), {"writer": 1}) is edition
    assert editions.note(Timestamp(3, 1), {"writer": 1}) is edition
    assert [editions.at(Timestamp(time, 1)) for time in (2, 3, 7, 9, 10)] == [
        *(None, edition, edition, edition, None)
    ]


@pytest.mark.parametrize("marks", [{}, {"writer": 2}, {"writer": 1, "other": 1}, {"other": 1}])
def test_other_marks_are_another_edition(marks):
    editions = Editions()
    before = editions.note(Timestamp(5, 1), {"writer": 1})
    assert editions.note(Timestamp(4, 1), marks) is None
    assert editions.present is before
    assert editions.note(Timestamp(6, 1), marks) is editions.present is not before


def test_a_cache_never_goes_back_to_a_former_edition():
    editions, cache = Editions(), EditionCache(10)
    former = editions.note(Timestamp(1, 1), {})
    cache.at(former)["key"] = "former"
    later = editions.note(Timestamp(2, 1), {"writer": 1})
    cache.at(later)["key"] = "later"
    assert (cache.at(former), cache.at(later), cache.at(None)) == ({}, {"key": "later"}, {})


def told(**written):
    return {"written": written}


@pytest.mark.parametrize(
    ("recent", "kept"),
    [
        ([told(events=[1])], {1, 2}),
        ([told(venues=[2])], {1}),
        ([told(venues=[2]), told(venues=[1], events=[7])], set()),
        ([told(venues=None)], set()),
        ([told(venues=[7]) | {"all": True}], set()),
        ([told(venues=[2]), told(), told()], {1, 2}),
        ([], set()),
    ],
    ids=["others", "one", "both", "unknown ids", "everything", "earlier", "not told"],
)
def test_documents_are_kept_where_marks_tell_that_others_were_written(recent, kept):
    editions, cache = Editions(), EditionCache(10)
    number = min(len(recent), 2) or 1
    former = editions.note(Timestamp(1, 1), {"writer": 5})
    venues = {DocumentKey("venues", each): each for each in (1, 2)}
    cache.at(former).update({**venues, ("looked up", "venues"): 1})
    later = editions.note(Timestamp(2, 1), {"writer": 5 + number}, {"writer": recent})
    later.minute = former.minute
    assert cache.at(later) == {("venues", each): each for each in kept}


def test_documents_are_not_kept_over_a_full_minute():
    editions, cache = Editions(), EditionCache(10)
    former = editions.note(Timestamp(1, 1), {"writer": 1})
    cache.at(former)[DocumentKey("venues", 1)] = 1
    former.minute -= 1
    later = editions.note(Timestamp(2, 1), {"writer": 2}, {"writer": [told(events=[1])]})
    assert cache.at(later) == {}


def test_unshown_collections_are_collections_of_the_service():
    declared = declared_indexes(Settings.load(environment={}))
    assert declared.keys() | WITHOUT_INDEXES >= UNSHOWN
