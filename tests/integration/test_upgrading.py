"""What earlier versions have stored is filtered by the present rules once indexes are made."""

import pytest

from calendar_app.cli.indexes import make_indexes
from calendar_app.storage.store import Store

pytestmark = pytest.mark.needs_mongodb

UNWORDED = {"$unset": {"folded.worded": ""}}


def test_events_with_a_password_are_locked_and_leave_the_counts_of_terms(
    database, settings, make_event, make_tag, anyone
):
    tag = make_tag()["id"]
    for hidden in (True, False):
        make_event(tags=[tag], password="Sesame", hide_from_listings=hidden)
        database["events"].update_many(
            {"hidden": {"$regex": "^locked"}}, {"$set": {"hidden": hidden}, **UNWORDED}
        )
    database["tags"].update_many({}, {"$set": {"count": 7}})

    make_indexes(Store(database), settings)

    states = {event["hidden"] for event in database["events"].find()}
    assert states == {"locked", "locked, hidden"}
    assert anyone.get("/tags", hide_empty=False).json["tags"][0]["count"] == 0
    assert anyone.get("/events", featured=False).json["total"] == 0
    assert anyone.get("/events").json["total"] == 1
