"""No question keeps the database busy for longer than the setting allows."""

from dataclasses import replace
from datetime import datetime

import pytest
from pymongo import MongoClient

from calendar_app.app import create_app
from calendar_app.cli.database import opened_store
from calendar_app.domain.points import point

BASE = "/calendar/events/v1"
RECORD = {
    "revision": 1,
    "status": "publish",
    "hidden": False,
    "start_local": datetime.fromisoformat("2030-06-01 19:00"),
    "end_local": datetime.fromisoformat("2030-06-01 22:00"),
    "location": point(46, 9),
    "lasts_under": 1,
    "folded": {"de": {"title": "concert"}},
}
# The database counts so far at each record that it looks at.
FAR = {"$size": {"$range": [0, {"$add": ["$revision", 1_000_000]}]}}
SLOWLY = {"$match": {"$expr": {"$gt": [FAR, 0]}}}
RECORDS = 40


@pytest.fixture
def slow(mongod_uri, settings, clock):
    """Return a service over a database where each record of a list takes its time."""
    client = MongoClient(mongod_uri)
    database = client["slow"]
    for name in ("events", "venues"):
        database[f"{name}_behind"].insert_many(
            RECORD | {"_id": number, "slugs": [f"de:concert-{number}"]}
            for number in range(1, RECORDS)
        )
        database.create_collection(name, viewOn=f"{name}_behind", pipeline=[SLOWLY])
    limited = replace(settings, query_timeout=50)
    yield create_app(limited, database, clock).test_client()
    client.drop_database("slow")
    client.close()


@pytest.mark.parametrize(
    "path",
    [
        "/events",
        "/events?search=concert",
        "/events?geoloc_lat=46&geoloc_lng=9&orderby=distance",
        "/events?include=" + ",".join(map(str, range(1, RECORDS))),
        "/events.ics",
        "/venues",
    ],
)
def test_slow_query_is_refused_with_retry_after(slow, path):
    answer = slow.get(f"{BASE}{path}")
    assert answer.status_code == 503, answer.data
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json["code"] == "service_unavailable"


def test_a_command_may_take_the_time_that_it_needs(bare_uri, settings):
    impatient = replace(settings, query_timeout=1, mongodb_uri=bare_uri)
    with opened_store(impatient) as store:
        store["events"].insert_many([{"_id": number, "revision": 1} for number in range(20)])
        assert len(store["events"].aggregate([SLOWLY])) == 20
