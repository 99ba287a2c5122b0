"""How much of a calendar a search looks at, as MongoDB's profiler counts it."""

from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from calendar_app.accounts.callers import ANYONE
from calendar_app.assembly.indexes import INDEXES
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.search.similar import SimilarWords
from calendar_app.calendar.search.sources import SearchLimits, SearchPlanner
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import naive_clock, system_clock
from calendar_app.domain.points import point
from calendar_app.domain.words import collations, read_search
from calendar_app.errors import InvalidParameters
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of
from calendar_app.storage.query.geo import Circle, within
from calendar_app.storage.query.list_query import ByRelevance, Listing, SearchQuery, Window

EVENTS = 400
BEGINNING = datetime(2030, 1, 1)  # noqa: DTZ001 - a wall clock
# As if each word stood in so many events that none of them is named by its id.
MANY = SearchLimits(one_by_one=0, named=0)
BY_START = [("start_local", 1), ("_id", 1)]


class Profiled:
    """A calendar of many events, with the profile of its queries."""

    def __init__(self, database, settings):
        self.store = Store(database)
        self._database = database
        self._sorting = collations(settings.languages, settings.collations)
        self._vocabulary = Vocabulary(self.store, settings.chains())
        ensure_indexes(self.store, INDEXES)
        events = [event_of(number) for number in range(EVENTS)]
        self._vocabulary.index_words([(EVENT, {}, event) for event in events])
        self.store["events"].insert_many(events)

    def ranked(self, text, bounds=MANY):
        read = read_search(text)
        search_query = SearchQuery(read.wanted, read.unwanted, ("de", "rm"))
        order = ByRelevance(BEGINNING + timedelta(days=200))
        listing = Listing(Window(1, 10), order, equals("hidden", False), search_query=search_query)
        searching = SearchPlanner(self.store, self._vocabulary, replace(bounds, ranked=0))
        reader = Reader(self.store, self._sorting, searching, naive_clock(system_clock))
        return [event["_id"] for event in reader.search(EVENT, listing, ANYONE).items]

    def total(self, text, bounds=None, chain=("de", "rm"), circle=None, **narrowed):
        read = read_search(text)
        search_query = SearchQuery(read.wanted, read.unwanted, chain)
        near = within("location", circle) if circle else {}
        clauses = [one_of(name, values) for name, values in narrowed.items()]
        clause = all_of([equals("hidden", False), near, *clauses])
        listing = Listing(Window(1, 10), BY_START, clause, circle=circle, search_query=search_query)
        searching = SearchPlanner(self.store, self._vocabulary, bounds)
        now = naive_clock(system_clock)
        page = Reader(self.store, self._sorting, searching, now).search(EVENT, listing, ANYONE)
        assert [event["_id"] for event in page.items] == sorted(e["_id"] for e in page.items)
        return page.total

    @contextmanager
    def profiled(self):
        """Yield a list that receives the profile of each query at the end."""
        questions = []
        self._database.command("profile", 2)
        try:
            yield questions
        finally:
            self._database.command("profile", 0)
            questions += self._database["system.profile"].find({"planSummary": {"$exists": True}})
            self._database.drop_collection("system.profile")


def event_of(number):
    """Return an event: one in 100 is rare, one in 2 is half, all are concerts."""
    words = ["Jahreskonzert", f"nr{number}"]
    words += ["halb"] * (number % 2) + ["selten"] * (number % 100 == 7)
    texts = {"title": " ".join(words).casefold(), "description": "im hof der alten fabrik"}
    return {
        "_id": number,
        "status": "publish",
        "hidden": False,
        "start_local": BEGINNING + timedelta(days=number),
        "end_local": BEGINNING + timedelta(days=number, hours=1),
        "location": point(47, 9),
        "categories": [number % 4, 4 + number % 5],
        "tags": [number % 3],
        "folded": {"de": texts},
    }


@pytest.fixture(scope="module")
def profiled(mongod_uri):
    settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
    database = open_database(mongod_uri.replace("/calendar?", "/profiled?"))
    with closing(database.client):
        yield Profiled(database, settings)
        database.client.drop_database("profiled")


def examined(questions, what):
    return sum(question.get(what, 0) for question in questions)


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("jahreskonzert", EVENTS),
        ("konz", EVENTS),
        ("halb", EVENTS // 2),
        ("nr123", 1),
        ("r12", 11),
        ("selt", 4),
        ("nirgends", 0),
    ],
)
def test_only_the_events_of_the_page_are_examined(profiled, text, total):
    with profiled.profiled() as questions:
        assert profiled.total(text) == total
    assert questions
    assert not any("COLLSCAN" in question["planSummary"] for question in questions)
    # Where every second event will do, MongoDB may as well look at the list.
    assert examined(questions, "docsExamined") <= min(total, 20)
    # The index of words is asked for the page, for the total, and beforehand how many there are.
    assert examined(questions, "keysExamined") <= 3 * total + 20


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("jahreskonzert", list(range(200, 210))),
        ("halb", list(range(201, 221, 2))),
        ("selten", [207, 307, 107, 7]),
        ("hof", list(range(200, 210))),
        ("halb jahres", list(range(201, 221, 2))),
    ],
)
def test_relevance_examines_little_more_than_the_page(profiled, text, first):
    with profiled.profiled() as questions:
        assert profiled.ranked(text) == first
    assert not any("COLLSCAN" in question["planSummary"] for question in questions)
    assert examined(questions, "docsExamined") <= 40


def test_relevance_reads_the_page_alone_however_many_titles_show_a_part(profiled):
    with profiled.profiled() as questions:
        first = profiled.ranked("r1", replace(MANY, merged=1))
    # All of them are past.
    assert first == [*range(199, 189, -1)]
    assert examined(questions, "docsExamined") <= 40


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("jahreskonzert selten", 4),
        ("selten -halb", 0),
        ("jahreskonzert nirgends", 0),
        ('"alten fabrik" selten', 4),
        ('"hof der alten" nr123', 1),
        ("konz lten selt", 4),
    ],
)
def test_search_examines_only_events_of_the_rarer_word(profiled, text, total):
    with profiled.profiled() as questions:
        assert profiled.total(text) == total
    # Once to see what else they show, once more for the page.
    assert examined(questions, "docsExamined") <= 2 * 4


@pytest.mark.parametrize(("text", "total"), [("halb jahres", 200), ("konz halb hof fabr", 200)])
def test_totals_of_common_words_take_no_look_at_any_event(profiled, text, total):
    with profiled.profiled() as questions:
        assert profiled.total(text, MANY) == total
    assert not any("COLLSCAN" in question["planSummary"] for question in questions)
    counts = [entry for entry in questions if "$count" in str(entry["command"])]
    assert examined(counts, "docsExamined") == 0
    # Every second event that shows one of the words shows all: the page is found by a walk.
    assert examined(questions, "docsExamined") <= 2 * 10


@pytest.mark.parametrize(
    ("text", "narrowed", "total"),
    [
        ("halb", {"categories": [1, 3]}, 200),
        ("halb", {"categories": [0]}, 0),
        ("halb", {"categories": [1, 4], "tags": [2]}, 40),
        ("halb jahres", {"categories": [5]}, 40),
        ("nr1", {"tags": [1]}, 39),
        ("halb", {"categories": [99]}, 0),
    ],
)
def test_words_with_categories_and_tags_are_counted_right(profiled, text, narrowed, total):
    assert profiled.total(text, replace(MANY, records=20), **narrowed) == total


@pytest.mark.parametrize(("text", "total"), [("selten nr7", 1), ("nr1 halb jahres", 56)])
def test_search_for_rarely_combined_words_is_complete(profiled, text, total):
    with profiled.profiled() as questions:
        assert profiled.total(text, MANY) == total
    assert examined(questions, "docsExamined") <= 10


def test_a_pasted_text_reads_only_what_its_rarest_words_leave(profiled):
    pasted = '"im hof der alten fabrik" jahreskonzert selten halb nr7 hof alten fabrik'
    with profiled.profiled() as questions:
        assert profiled.total(pasted) == 1
    few = [question for question in questions if question["ns"].endswith(".events")]
    assert examined(few, "docsExamined") <= 4 + 1


@pytest.mark.parametrize("text", ["nr12", "r1"])
def test_search_of_many_words_examines_only_the_page(profiled, text):
    with profiled.profiled() as questions:
        assert profiled.total(text, SearchLimits(merged=1)) == (11 if text == "nr12" else 111)
    assert examined(questions, "docsExamined") <= 10


@pytest.mark.parametrize("circle", [None, Circle(9, 47, 20_000)])
@pytest.mark.parametrize("text", ["e", "§", "-konzert"])
def test_search_without_index_is_refused_for_too_many_texts(profiled, text, circle):
    few_words = SearchLimits(words=2, texts=EVENTS)
    assert profiled.total(text, few_words, circle=circle) == (EVENTS if text == "e" else 0)
    with profiled.profiled() as questions, pytest.raises(InvalidParameters) as refused:
        profiled.total(text, replace(few_words, texts=EVENTS - 1), circle=circle)
    assert "search" in refused.value.reasons
    events = [question for question in questions if question["ns"].endswith(".events")]
    assert examined(events, "docsExamined") == 0


def test_a_search_for_nothing_is_not_refused(profiled):
    assert profiled.total(' "" ', SearchLimits(texts=0)) == EVENTS


def test_search_in_another_chain_reads_only_word_matches(profiled):
    with profiled.profiled() as questions:
        assert profiled.total("selten", chain=("de",)) == 4
        assert profiled.total("selten", chain=("rm",)) == 0
    assert not any("COLLSCAN" in question["planSummary"] for question in questions)
    # Four in each chain for their texts, and four for the page.
    assert examined(questions, "docsExamined") <= 3 * 4


@pytest.mark.parametrize("word", ["jahreskonzrt", "fabirk", "hofs"])
def test_words_of_like_spelling_are_found_by_the_index(profiled, word):
    similar = SimilarWords(profiled.store)
    with profiled.profiled() as questions:
        assert similar.of(word)
    (question,) = (each for each in questions if each["ns"].endswith(".vocabulary"))
    assert "COLLSCAN" not in question["planSummary"]
    assert question["docsExamined"] < 20
