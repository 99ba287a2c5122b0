"""The plans of waiting translations: one query for all numbers of a list, each by an index."""

import pytest
from command_recording import CommandRecorder, recorded_database

from calendar_app.storage.mongo.marks import WRITERS


@pytest.fixture
def recorder():
    return CommandRecorder("find", "aggregate", "count")


@pytest.fixture
def database(mongod_uri, recorder):
    """Return a database with all indexes, which records its commands."""
    with recorded_database(mongod_uri, "translated", recorder) as recorded:
        yield recorded


def _parts(plan):
    """Yield every object in a plan, however deep."""
    if isinstance(plan, dict):
        yield plan
    for part in plan.values() if isinstance(plan, dict) else plan if isinstance(plan, list) else ():
        yield from _parts(part)


def _stages(database, command):
    names = ("find", "filter", "sort", "limit", "skip", "projection", "aggregate", "pipeline")
    explained = {name: command[name] for name in (*names, "cursor", "collation") if name in command}
    plan = database.command("explain", explained, verbosity="queryPlanner")
    return {part["stage"] for part in _parts(plan) if isinstance(part.get("stage"), str)}


@pytest.fixture
def lists(browser, database, recorder):
    """Return the queries for the list of waiting translations, and the number of all of them."""
    for kind in ("events", "venues", "organizers", "categories", "tags", "media", "series"):
        database[kind].insert_many(
            [{"_id": number, "standing": {"de": "current"}} for number in range(1, 200)]
        )
    # The number of the inbox, which every page has, is known to this edition.
    assert browser.get("/me/").status == 200
    return _queries(browser, recorder, "/translations/?language=rm&kind=venues&state=missing")


def _queries(browser, recorder, path):
    """Return the queries of a page, but for the authentication of its user."""
    recorder.commands.clear()
    page = browser.get(path)
    assert page.status == 200, page.text
    left_out = ("users", "sessions", WRITERS)
    return [
        sent
        for sent in recorder.commands
        if sent.get("find", sent.get("aggregate")) not in (None, *left_out)
    ]


def test_number_of_the_inbox_is_counted_once_and_by_indexes(browser, database, recorder):
    queries = _queries(browser, recorder, "/me/")
    assert [sent.get("find", sent.get("aggregate")) for sent in queries] == [
        "mistake_reports",
        "conversations",
        "series",
        "events",
    ]
    assert [sent for sent in queries if "COLLSCAN" in _stages(database, sent)] == []
    assert _queries(browser, recorder, "/me/") == []


def test_all_numbers_come_in_one_query(lists):
    united = [sent for sent in lists if "$unionWith" in str(sent.get("pipeline"))]
    assert len(united) == 1
    assert len(lists) <= 4


def test_numbers_and_list_are_found_by_indexes(database, lists):
    assert [sent for sent in lists if "COLLSCAN" in _stages(database, sent)] == []


def test_nothing_that_is_up_to_date_is_read(browser, database):
    current = {"standing": {"de": "current", "rm": "current"}, "status": "publish"}
    records = [{"_id": number, **current} for number in range(1, 200)]
    for kind in ("events", "venues"):
        database[kind].insert_many(records)
    database.command("profile", 2)
    assert browser.get("/translations/?language=rm&past=1").status == 200
    database.command("profile", 0)
    entries = list(database["system.profile"].find({"docsExamined": {"$exists": True}}))
    assert entries
    assert sum(entry["docsExamined"] for entry in entries) < 20


def test_nothing_of_single_events_is_read_to_count_them(browser, database):
    waiting = {"standing": {"de": "current", "rm": "outdated"}, "status": "publish"}
    database["events"].insert_many([{"_id": number, **waiting} for number in range(1, 200)])
    database.command("profile", 2)
    page = browser.get("/translations/?language=rm&kind=venues&state=missing&past=1")
    database.command("profile", 0)
    assert "199" in page.text
    entries = list(database["system.profile"].find({"docsExamined": {"$exists": True}}))
    assert sum(entry["docsExamined"] for entry in entries) < 20
