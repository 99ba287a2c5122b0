"""Searches look again only at what was written since, and find all the same."""

from datetime import datetime, timedelta

import pytest
from command_recording import CommandRecorder, recorded_database

from calendar_app.accounts.callers import ANYONE
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.search.sources import SearchLimits, SearchPlanner
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import naive_clock, system_clock
from calendar_app.domain.words import collations, read_search
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.list_query import ByRelevance, Listing, SearchQuery, Window
from calendar_app.storage.query.words import VOCABULARY

BEGINNING = datetime(2030, 1, 1)  # noqa: DTZ001 - a wall clock
BY_START = (("start_local", 1), ("_id", 1))
RELEVANT = ByRelevance(BEGINNING)
TEXTS = ("Jahreskonzert im Hof", "Hip-Hop im Hof", "Markt der Fabrik")


class Calendar:
    """A few events, and readers who keep what they look up."""

    def __init__(self, database, recorder):
        settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
        self._recorder = recorder
        self._writing, self._store = Store(database), Store(database)
        self._vocabulary = Vocabulary(self._writing, settings.chains())
        self._sorting = collations(settings.languages, settings.collations)
        self._readers = {}
        self._writing["events"].remove({})
        for number, text in enumerate(TEXTS):
            self.write(number, text)

    def write(self, number, text):
        """Store an event with this title."""
        event = {"_id": number, "status": "publish", "hidden": False}
        event |= {"start_local": BEGINNING + timedelta(days=number), "end_local": BEGINNING}
        event["folded"] = {"de": {"title": text.casefold()}}
        self._vocabulary.index_words([(EVENT, {}, event)])
        events = self._writing["events"]
        self._writing.transact(lambda: (events.remove({"_id": number}), events.insert(event)))

    def ids(self, text, order=BY_START, limits=None):
        """Return the ids that a search finds."""
        listing = self._listing(text, order)
        limits = limits or SearchLimits()
        reader = self._readers.setdefault(limits, self._reader(limits))
        self._recorder.commands.clear()
        page = self._store.in_snapshot(lambda: reader.search(EVENT, listing, ANYONE))
        return [event["_id"] for event in page.items]

    def totals(self, *texts):
        """Return how many events each search finds, for a reader who has looked nothing up."""
        lists = [(EVENT, self._listing(text, BY_START)) for text in texts]
        reader = self._reader(SearchLimits())
        self._recorder.commands.clear()
        return self._store.in_snapshot(lambda: reader.totals(lists, ANYONE))

    @property
    def look_ups(self):
        """How often the vocabulary was asked."""
        names = [each.get("aggregate") for each in self._recorder.commands]
        return names.count(VOCABULARY)

    @property
    def asked(self):
        """The collections that the last search asked."""
        names = (each.get("aggregate", each.get("find")) for each in self._recorder.commands)
        return set(names)

    @property
    def looked_at(self):
        """The first clauses of the finds of the last search."""
        finds = [each["filter"] for each in self._recorder.commands if "find" in each]
        return [clause["$and"][0] for clause in finds]

    def _listing(self, text, order):
        read = read_search(text)
        query = SearchQuery(read.wanted, read.unwanted, ("de", "rm"))
        return Listing(Window(1, 10), order, search_query=query)

    def _reader(self, limits):
        searching = SearchPlanner(self._store, self._vocabulary, limits)
        return Reader(self._store, self._sorting, searching, naive_clock(system_clock))


@pytest.fixture(scope="module")
def recorded(mongod_uri):
    recorder = CommandRecorder("aggregate", "find")
    with recorded_database(mongod_uri, "kept_searches", recorder) as database:
        yield database, recorder


@pytest.fixture
def calendar(recorded):
    return Calendar(*recorded)


def test_words_of_several_searches_are_looked_up_at_once(calendar):
    assert calendar.totals("konzert", "hof", "markt", "nirgends", "hof -konzert") == [1, 2, 1, 0, 1]
    assert calendar.look_ups == 1


SEARCHES = ("konzert", "hof", "a", "im hof", '"im hof"', "hip-hop", "hof -konzert")


@pytest.mark.parametrize("order", [BY_START, RELEVANT])
@pytest.mark.parametrize("text", SEARCHES)
def test_the_vocabulary_is_not_asked_again_after_other_writes(calendar, text, order):
    before = calendar.ids(text, order)
    assert "vocabulary" in calendar.asked
    calendar.write(7, "Etwas ohne")
    calendar.ids(text, order)
    calendar.write(7, "Nichts")
    assert calendar.ids(text, order) == before
    assert "vocabulary" not in calendar.asked


@pytest.mark.parametrize("limits", [SearchLimits(), SearchLimits(words=1), SearchLimits(ranked=0)])
@pytest.mark.parametrize("order", [BY_START, RELEVANT])
@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("konzert", "Kammerkonzerte"),
        ("nirgendwo", "Nirgendwo"),
        ("a", "Ahorn"),
        ("im hof", "Hoffest im Saal"),
        ('"im hof"', "Fest im Hofgarten"),
        ("nirgendwo im", "Im Nirgendwo"),
        ("hop-hip", "Hop-Hipp"),
    ],
)
def test_what_is_written_is_found_by_a_kept_search(calendar, search, text, order, limits):
    before = calendar.ids(search, order, limits)
    calendar.write(8, text)
    assert sorted(calendar.ids(search, order, limits)) == [*sorted(before), 8]
    calendar.write(8, "Leer")
    assert calendar.ids(search, order, limits) == before


def test_a_phrase_is_looked_for_in_written_texts_alone(calendar):
    calendar.ids('"im hof"')
    calendar.write(9, "Tanz im Hof")
    assert calendar.ids('"im hof"') == [0, 1, 9]
    assert calendar.looked_at == [{"_id": {"$in": [9]}}]
