"""A page far behind the first one is found by one walk over the index, whatever MongoDB tries."""

from datetime import datetime, timedelta

import pytest
from query_plans import plan_of

from calendar_app.assembly.indexes import INDEXES
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, at_least, equals, one_of
from calendar_app.storage.query.list_query import Slice
from calendar_app.storage.query.stages import page_in_order, whole

EVENTS, SIZE = 1500, 12
FIRST = datetime(2030, 1, 1)  # noqa: DTZ001 - a wall clock
LISTED = all_of(
    [
        equals("status", "publish"),
        one_of("hidden", [False, "locked"]),
        at_least("start_local", FIRST),
        at_least("end_local", FIRST),
    ]
)
BY_START = [("start_local", 1), ("_id", 1)]


def event_of(number):
    start = FIRST + timedelta(days=number)
    times = {"start_local": start, "end_local": start + timedelta(hours=1), "modified": start}
    return {"_id": number, "status": "publish", "hidden": False, **times}


@pytest.fixture
def events(bare_database):
    store = Store(bare_database)
    ensure_indexes(store, INDEXES)
    store["events"].insert_many([event_of(number) for number in range(EVENTS)])
    return store["events"]


def tried(plan):
    """Return how many keys all plans together looked at before one was chosen."""
    if isinstance(plan, dict):
        trials = plan.get("allPlansExecution", [])
        own = sum(trial["totalKeysExamined"] for trial in trials)
        return own + sum(tried(part) for part in plan.values())
    return sum(tried(part) for part in plan) if isinstance(plan, list) else 0


@pytest.mark.parametrize("skip", [0, 100, 101, 1400, 1495, 2**53])
def test_every_page_has_the_events_that_follow(events, skip):
    page = events.aggregate(page_in_order("events", LISTED, BY_START, Slice(skip, SIZE)))
    assert page == [event_of(number) for number in range(EVENTS)][skip : skip + SIZE]


def test_no_plan_that_is_tried_skips_what_lies_before_the_page(events):
    stages = page_in_order("events", LISTED, BY_START, Slice(1400, SIZE))
    command = {"aggregate": "events", "pipeline": stages, "cursor": {}}
    assert tried(plan_of(events.database, command, "allPlansExecution")) < EVENTS


def test_event_that_is_deleted_before_it_is_read_is_left_out(events):
    deleted = {"coll": "events", "pipeline": [{"$limit": 1}, {"$set": {"_id": -1}}]}
    assert events.aggregate(
        [{"$match": equals("_id", 7)}, {"$unionWith": deleted}, *whole("events")]
    ) == [event_of(7)]
