"""Searches by an index of words stay right while, and before, the words are entered."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from calendar_app.assembly.indexes import INDEXES
from calendar_app.calendar.search.vocabulary import Vocabulary, refold
from calendar_app.cli.indexing import filling, make_indexes
from calendar_app.domain.fields import WORDED, WORDS
from calendar_app.domain.kinds import EVENT, SERIES, VENUE
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import missing_indexes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.words import VOCABULARY


@pytest.fixture
def store(database):
    return Store(database)


@pytest.fixture
def vocabulary(store, settings):
    return Vocabulary(store, settings.chains())


@pytest.fixture
def search_ids(anyone):
    def ids(text, **query):
        page = anyone.get("/events", search=text, **query).json
        assert page["total"] == len(page["events"])
        return [event["id"] for event in page["events"]]

    return ids


@pytest.fixture
def without_words(database):
    """Return a function that drops the indexed words of events."""

    def forget(*ids):
        clause = {"_id": {"$in": list(ids)}}
        database["events"].update_many(clause, {"$unset": {WORDS: "", WORDED: ""}})

    return forget


def test_events_are_found_before_and_after_reindexing(
    make_event, search_ids, without_words, vocabulary, database
):
    old = make_event(title="Orgelkonzert")["id"]
    without_words(old)
    database[VOCABULARY].delete_many({})
    new = make_event(title="Konzertabend")["id"]
    assert search_ids("konzert") == [old, new]
    assert search_ids("orgel") == [old]

    assert vocabulary.is_stale(EVENT)
    assert vocabulary.reindex(EVENT) == 1
    assert not vocabulary.is_stale(EVENT)
    assert search_ids("konzert") == [old, new]
    assert search_ids("orgel") == [old]
    assert vocabulary.reindex(EVENT) == 0


def test_dates_of_a_series_that_have_words_of_their_own_are_taken_over(
    make_event, search_ids, vocabulary, database, as_admin
):
    date = {"title": "Orgelkonzert", "recurrence": {"rrule": "FREQ=DAILY;COUNT=3"}}
    series = make_event(**date)["series"]["id"]
    ids = search_ids("gelkon")
    assert len(ids) == 3
    as_admin.patch(f"/events/{ids[1]}", title="Orgel allein")
    stored = {event["_id"]: event[WORDS] for event in database["events"].find()}
    assert stored == {
        ids[0]: [f":={series}"],
        ids[1]: ["^orgel", "~allein", ":allein", ":orgel"],
        ids[2]: stored[ids[0]],
    }

    own = database["series"].find_one()[WORDS]
    with_words_of_series = {"words": stored[ids[0]]}
    for name, clause in (("events", with_words_of_series), ("series", {})):
        database[name].update_many(clause, {"$set": {WORDS: own, WORDED: "rules of 0.1.0"}})
    for kind in (EVENT, SERIES):
        assert search_ids("gelkon") == [ids[0], ids[2]]
        assert search_ids("orgel") == ids
        vocabulary.reindex(kind)
    assert {event["_id"]: event[WORDS] for event in database["events"].find()} == stored
    assert search_ids("gelkon") == [ids[0], ids[2]]


def test_a_date_that_leaves_its_series_is_still_found(make_event, search_ids, as_admin):
    date = {"title": "Orgelkonzert", "recurrence": {"rrule": "FREQ=DAILY;COUNT=2"}}
    event = make_event(**date)["id"]
    single = {"recurrence": "", "scope": "all"}
    assert as_admin.patch(f"/events/{event}", **single).status_code == 200
    assert search_ids("gelkon") == [event]


@pytest.fixture
def folded_by_other_rules(database):
    """Return a function that stores texts folded by other rules."""

    def fold_otherwise(collection, text):
        texts = {"folded": {"de": {"title": text, "venue": text}, "shared": {}}}
        names = {"names": [f"de:{text}"]}
        database[collection].update_many({}, {"$set": texts | names})

    return fold_otherwise


@pytest.fixture
def update(store, settings):
    """Return a function that runs the command before a start."""
    return lambda: make_indexes(store, settings)


def test_new_folding_rules_reach_stored_texts(
    make_event, make_venue, folded_by_other_rules, update, as_admin
):
    event, venue = make_event(title="パパ")["id"], make_venue(venue="パパ")["id"]
    for collection in ("events", "venues"):
        folded_by_other_rules(collection, "ハハ")
    update()
    for name, search_ids in (("パパ", 1), ("ハハ", 0)):
        assert as_admin.get("/events", search=name).json["total"] == search_ids
        assert as_admin.get("/venues", search=name).json["total"] == search_ids
    assert as_admin.post("/venues", venue="パパ").json["id"] == venue
    assert as_admin.post("/venues", venue="ハハ").json["id"] != venue
    assert as_admin.get(f"/events/{event}").json["title"] == "パパ"


def test_texts_are_refolded_once(make_venue, folded_by_other_rules, store):
    make_venue(venue="パパ")
    folded_by_other_rules("venues", "ハハ")
    assert refold(store, VENUE) == 1
    assert refold(store, VENUE) == 0


def test_entering_words_changes_nothing_that_is_shown(
    make_event, without_words, vocabulary, anyone
):
    event = make_event(title="Orgelkonzert")
    without_words(event["id"])
    before = anyone.get(f"/events/{event['id']}")
    vocabulary.reindex(EVENT)
    after = anyone.get(f"/events/{event['id']}")
    assert (after.json, after.headers["ETag"]) == (before.json, before.headers["ETag"])
    assert not {"words", "worded", "folded"} & after.json.keys()


def test_written_event_gets_its_indexed_words(
    make_event, search_ids, without_words, vocabulary, as_admin
):
    event = make_event(title="Orgelkonzert")["id"]
    without_words(event)
    assert as_admin.patch(f"/events/{event}", description="Mit Chor").status_code == 200
    assert not vocabulary.is_stale(EVENT)
    assert search_ids("orgel chor") == [event]


def test_no_op_change_keeps_the_etag(make_event, without_words, as_admin, anyone):
    event = make_event(title="Orgelkonzert")["id"]
    without_words(event)
    tag = anyone.get(f"/events/{event}").headers["ETag"]
    assert as_admin.patch(f"/events/{event}", title="Orgelkonzert").status_code == 200
    assert anyone.get(f"/events/{event}").headers["ETag"] == tag


def test_removed_word_is_no_longer_found(make_event, search_ids, as_admin):
    event = make_event(title="Orgelkonzert", excerpt="Mit Chor")["id"]
    as_admin.patch(f"/events/{event}", excerpt="Mit Solisten")
    assert search_ids("chor") == []
    assert search_ids("solist") == [event]
    as_admin.delete(f"/events/{event}")
    assert search_ids("solist") == []


def test_a_record_without_indexed_words_is_searched_by_its_texts(make_event, search_ids, database):
    event = make_event(title="Orgelkonzert")["id"]
    update = {
        "$set": {"folded.de": {"title": "abgesagt"}, "variants.de.title": "Abgesagt"},
        "$unset": {WORDED: ""},
    }
    database["events"].update_one({"_id": event}, update)
    assert search_ids("abgesagt") == [event]
    assert search_ids("orgel") == []


def test_other_languages_of_a_site_are_found_at_once_and_by_words_later(
    make_event, store, settings
):
    make_event(title="Orgelkonzert")
    chains = settings.chains() | {"fr": ("fr", "de", "rm")}
    with_french = Vocabulary(store, chains)
    assert with_french.is_stale(EVENT)
    assert with_french.reindex(EVENT) == 1
    assert not with_french.is_stale(EVENT)


def test_words_shared_by_languages_are_indexed_once(make_event, as_admin, store):
    event = make_event(title="Orgel 1750")["id"]
    shared = store["events"].first({"_id": event}, [WORDS])[WORDS]
    assert sorted(shared) == [":1750", ":orgel", "^orgel", "~1750"]
    as_admin.put(f"/events/{event}", translation_language="rm", title="Orghel 1750")
    entered = store["events"].first({"_id": event}, [WORDS])[WORDS]
    words = [word for word in entered if ":" in word]
    assert sorted(words) == [":1750", "de:orgel", "rm:orghel"]


def test_writers_of_the_same_new_word_do_not_conflict(app, calling_as, search_ids):
    del app
    evening = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}

    def create(number):
        body = {"title": f"Zwitscherlampe {number}", "description": f"neu{number} neu"} | evening
        return calling_as("admin").post("/events", **body)

    with ThreadPoolExecutor(6) as pool:
        responses = list(pool.map(create, range(18)))
    assert {answer.status_code for answer in responses} == {201}
    assert len(search_ids("zwitscherlampe", per_page=50)) == 18


def test_each_answer_to_a_write_is_followed_by_searches_that_find_it(make_event, search_ids):
    for number in range(20):
        event = make_event(title=f"Wort{number}")["id"]
        assert search_ids(f"ort{number}", fallback="none") == [event]


@pytest.fixture
def bare_store(bare_uri):
    database = open_database(bare_uri)
    with closing(database.client):
        yield Store(database)


def test_deferred_indexes_are_created_after_filling_an_empty_calendar(bare_store, settings):
    make_indexes(bare_store, settings)
    with filling(bare_store, settings):
        missing = missing_indexes(bare_store, INDEXES)
        assert [name for name in missing if name.startswith(f"events.{WORDS}_1_")]
        bare_store["events"].insert({"_id": 1, "slugs": ["de/a"]})
    assert missing_indexes(bare_store, INDEXES) == []
    with filling(bare_store, settings):
        assert missing_indexes(bare_store, INDEXES) == []


def test_indexes_are_made_where_filling_fails(bare_store, settings):
    make_indexes(bare_store, settings)
    with pytest.raises(RuntimeError), filling(bare_store, settings):
        raise RuntimeError
    assert missing_indexes(bare_store, INDEXES) == []
