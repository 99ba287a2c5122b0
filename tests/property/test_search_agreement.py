"""Searches by index agree with the texts of the events."""

import os
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.assembly.indexes import INDEXES
from calendar_app.assembly.services import schedule_of, site_of
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.search.sources import SearchLimits, SearchPlanner
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.series.changing import SCOPES
from calendar_app.calendar.writing.planner import RecordBuilder
from calendar_app.domain.kinds import BY_NAME, EVENT, SERIES
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import parse
from calendar_app.domain.words import collations, read_search
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, at_least, equals
from calendar_app.storage.query.list_query import (
    ByRelevance,
    ByText,
    Listing,
    SearchQuery,
    Window,
)

pytestmark = pytest.mark.timeout(0)

CASES = int(os.environ.get("SEARCH_CASES", "5"))
LANGUAGES = ["de", "rm", "ja"]
CHAINS = [chain for length in (1, 2, 3) for chain in permutations(LANGUAGES, length)]
FIRST = datetime(2030, 3, 10, 19)  # noqa: DTZ001  # the wall clock of the site
ADMIN = Caller(id=1, name="admin", role="administrator")
AUTHOR = Caller(id=2, name="anna", role="author")
CALLERS = [ANYONE, ADMIN, AUTHOR, Caller(id=3, name="beat", role="author")]
# A few readers stop asking the index early, so that few events reach every way of finding.
BOUNDS = [
    SearchLimits(),
    SearchLimits(ranked=0),
    SearchLimits(words=2, records=2, one_by_one=1, merged=1, parts=2, ranked=0),
    SearchLimits(records=2, one_by_one=0, merged=0),
    SearchLimits(one_by_one=0, merged=0, ranked=0),
    SearchLimits(words=0),
    SearchLimits(one_by_one=0),
    SearchLimits(one_by_one=0, rarest=2, parts=3, ranked=0),
    SearchLimits(one_by_one=2, named=2, rarest=1, parts=1),
    # Nothing is named by its ids, however few there are.
    SearchLimits(one_by_one=0, named=0),
    # Titles themselves are looked at, all of them, or those of words that many have.
    SearchLimits(titles=0, ranked=0),
    SearchLimits(titled=1, merged=0, ranked=0),
]
ORDERS = [
    [("start_local", 1), ("_id", 1)],
    [("end_local", -1), ("_id", -1)],
    [("modified", 1), ("_id", 1)],
    [("_id", 1)],
    ByText("title", ("de", "rm")),
    ByRelevance(FIRST + timedelta(days=1)),
]

WORDS = "Jazz jazzfest Fest rote Fabrik ab a 夜の音楽会 l'été 100% Hip-Hop Straße Zürich d_ora ! &"

tokens = st.sampled_from([*WORDS.split(), "x" * 70 + "y" * 30])
gaps = st.sampled_from([" ", " ", " ", "-", ", ", "", "\N{NO-BREAK SPACE}"])
texts = st.lists(st.tuples(tokens, gaps), min_size=1, max_size=6).map(
    lambda parts: "".join(map("".join, parts))
)
variants = st.dictionaries(
    st.sampled_from(LANGUAGES),
    st.fixed_dictionaries({"title": texts}, optional={"description": texts, "excerpt": texts}),
    min_size=1,
)
events = st.fixed_dictionaries(
    {"variants": variants, "author": st.sampled_from([ADMIN, AUTHOR])},
    optional={
        "password": st.just("sealed"),
        "status": st.sampled_from(["publish", "draft"]),
        "recurrence": st.just(parse({"rrule": "FREQ=DAILY;COUNT=3"}, FIRST)),
    },
)
changes = st.fixed_dictionaries(
    {},
    optional={
        "variants": st.dictionaries(
            st.sampled_from(LANGUAGES),
            st.dictionaries(st.sampled_from(["description", "excerpt"]), st.none() | texts),
        ),
        "password": st.sampled_from([None, "sealed"]),
        "scope": st.sampled_from(SCOPES),
    },
)


@st.composite
def parts(draw, stored_texts):
    """Return a part of a text that is told somewhere, perhaps as a phrase, perhaps not wanted."""
    text = draw(st.sampled_from(stored_texts))
    start = draw(st.integers(0, len(text) - 1))
    part = text[start : start + draw(st.sampled_from([1, 2, 3, 5, 40, 80]))]
    quoted = f'"{part}"' if draw(st.booleans()) else part
    return f"-{quoted}" if draw(st.integers(0, 9)) == 0 else quoted


@st.composite
def cases(draw):
    """Return events, changes, and searches for parts of their texts."""
    new_events = draw(st.lists(events, min_size=1, max_size=6))
    changed = draw(st.lists(changes, max_size=5))
    stored_texts = [
        text
        for record in (*new_events, *changed)
        for texts in record.get("variants", {}).values()
        for text in texts.values()
        if text
    ]
    searches = st.tuples(
        st.lists(parts(stored_texts), min_size=1, max_size=3).map(" ".join)
        # A text is pasted as a whole, perhaps with a word that it does not have.
        | st.tuples(st.sampled_from(stored_texts), st.sampled_from(["", "nowhere"])).map(" ".join),
        st.sampled_from(CHAINS),
        st.sampled_from(CALLERS),
        st.sampled_from(ORDERS),
        st.sampled_from([EVERYTHING, equals("hidden", False), at_least("start_local", FIRST)]),
    )
    return new_events, changed, draw(st.lists(searches, min_size=3, max_size=10))


@dataclass(frozen=True)
class Calendar:
    store: Store
    editor: Editor
    readers: list[Reader]


@pytest.fixture(scope="module")
def calendar(mongod_uri):
    """Return a calendar of its own, and a reader of it for each of the bounds."""
    settings = Settings.load(environment={}, languages=LANGUAGES, default_language="de")
    sorting = collations(settings.languages, settings.collations)
    database = open_database(mongod_uri.replace("/calendar?", "/agreement?"))
    with closing(database.client):
        store = Store(database)
        ensure_indexes(store, INDEXES)
        vocabulary = Vocabulary(store, settings.chains())
        # Each keeps what it has looked up.
        stores = [Store(database) for _ in BOUNDS]
        yield Calendar(
            store,
            Editor(
                store,
                BY_NAME,
                RecordBuilder(store, lambda: FIRST, site_of(settings)),
                vocabulary,
                series=SERIES,
                schedule=schedule_of(settings, lambda: FIRST),
            ),
            [
                Reader(own, sorting, SearchPlanner(own, vocabulary, bounds), lambda: FIRST)
                for own, bounds in zip(stores, BOUNDS, strict=True)
            ],
        )
        database.client.drop_database("agreement")


def fill(calendar, new_events):
    """Store events, a day apart, and return their ids; nothing of earlier cases is left."""
    editor = calendar.editor
    for name in ("events", "series"):
        calendar.store[name].remove(EVERYTHING)
    ids = []
    for day, event in enumerate(new_events):
        start = FIRST + timedelta(days=day - 1)
        dates = {"start": Moment(start), "end": Moment(start + timedelta(hours=2))}
        sent = {name: value for name, value in event.items() if name != "author"}
        ids.append(editor.create(EVENT, sent | dates, event["author"], "de")["_id"])
    return ids


def change_some(calendar, ids, changed):
    """Change events with these ids, and dates of series."""
    dates = [event["_id"] for event in calendar.store["events"].find(EVERYTHING, fields=["_id"])]
    for number, change in zip([*ids, *dates[1::2]], changed, strict=False):
        calendar.editor.change(EVENT, number, change, ADMIN, "de")


def found_by_texts(calendar, search_query, caller, clause):
    listing = Listing(Window(1, 1), ORDERS[0], clause, search_query=search_query)
    clause_of_texts = calendar.readers[0].clause(EVENT, listing, caller)
    return sorted(
        event["_id"] for event in calendar.store["events"].find(clause_of_texts, fields=["_id"])
    )


def found_page_by_page(reader, search_query, caller, order, clause):
    event_ids, number = [], 1
    while True:
        listing = Listing(Window(number, 2), order, clause, search_query=search_query)
        page = reader.in_snapshot(lambda query=listing: reader.search(EVENT, query, caller))
        event_ids += [event["_id"] for event in page.items]
        if number >= page.pages:
            assert page.total == len(event_ids)
            return event_ids
        number += 1


@settings(
    max_examples=CASES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(case=cases())
def test_every_search_plan_agrees_with_the_texts(calendar, case):
    new_events, changed, searches = case
    ids = fill(calendar, new_events)
    # What is kept of the first searches is right after the changes too.
    require_agreement(calendar, searches[:3])
    change_some(calendar, ids, changed)
    require_agreement(calendar, searches)


def require_agreement(calendar, searches):
    for text, chain, caller, order, clause in searches:
        read = read_search(text)
        search_query = SearchQuery(read.wanted, read.unwanted, chain)
        expected = found_by_texts(calendar, search_query, caller, clause)
        first, *other_orders = (
            found_page_by_page(reader, search_query, caller, order, clause)
            for reader in calendar.readers
        )
        assert sorted(first) == expected
        # All of them in the same order, too.
        assert other_orders == [first] * len(other_orders)
