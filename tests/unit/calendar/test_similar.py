"""Which events a contribution may repeat."""

from datetime import datetime

import mongomock
import pytest

from calendar_app.calendar.search.vocabulary import EVERYBODY
from calendar_app.calendar.similar_events import SimilarEvents
from calendar_app.domain.fields import WORDS
from calendar_app.domain.kinds import EVENT
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.words import token, token_of_series

SENT = datetime.fromisoformat("2027-06-05 19:00")


def event(number, start, *, title="Concert", venue=1):
    words = [token(EVERYBODY, word) for word in title.lower().split()]
    return {
        "_id": number,
        "variants": {"de": {"title": title}},
        "start_local": start,
        "end_local": start,
        "venues": [venue],
        "status": "publish",
        "hidden": False,
        WORDS: words,
    }


@pytest.fixture
def store():
    """Return an empty store."""
    return Store(mongomock.MongoClient()["calendar"])


@pytest.fixture
def similar(store):
    """Return how to find the ids of stored events that are like those sent."""

    def find(sent, stored):
        for record in stored:
            store.database["events"].insert_one(record)
        nearest = SimilarEvents(store, EVENT, ["de"]).similar_to(sent)
        return {
            number: [each.event["_id"] for each in similar] for number, similar in nearest.items()
        }

    return find


@pytest.mark.parametrize(
    ("day", "is_similar"), [(3, False), (4, True), (5, True), (6, True), (7, False)]
)
def test_the_same_words_count_up_to_a_day_apart(similar, day, is_similar):
    # Of two contributions each has its own days, though one query finds what is like either.
    far = event(2, SENT.replace(day=day), venue=9)
    assert similar([event(1, SENT)], [event(3, SENT.replace(day=day), venue=9)]) == {
        1: [3] if is_similar else []
    }
    assert similar([event(1, SENT), far], [])[1] == ([3] if is_similar else [])


def test_the_words_of_a_series_are_those_of_its_dates(similar, store):
    date = event(3, SENT, venue=9) | {WORDS: [token_of_series(2)]}
    lecture = event(4, SENT, title="Lecture", venue=9)
    store.database["series"].insert_one(event(2, SENT))
    assert similar([event(1, SENT)], [date, lecture]) == {1: [3]}


def test_the_same_place_counts_on_that_day_alone(similar):
    sent = [event(1, SENT), event(2, SENT.replace(day=6), title="Lecture")]
    stored = [event(3, SENT, title="Theatre"), event(4, SENT.replace(day=6), title="Theatre")]
    assert similar(sent, stored) == {1: [3], 2: [4]}


@pytest.mark.parametrize(
    ("title", "is_similar"),
    [
        ("Open rehearsal for everybody", True),
        ("Rehearsal for everybody", True),
        ("Market for everybody", False),
        ("Football", False),
    ],
)
def test_half_of_the_words_of_a_title_are_the_same(similar, title, is_similar):
    stored = event(3, SENT, title=title, venue=9)
    # Its description has the word.
    stored[WORDS] = [*stored[WORDS], token(EVERYBODY, "rehearsal")]
    sent = event(1, SENT, title="Open rehearsal for everybody")
    assert similar([sent], [stored]) == {1: [3] if is_similar else []}
