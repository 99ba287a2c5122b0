"""What earlier versions have stored is filtered by the present rules once indexes are made."""

import pytest

from calendar_app.cli.indexes import make_indexes
from calendar_app.mongo.store import Store

pytestmark = pytest.mark.needs_mongodb

UNWORDED = {"$unset": {"folded.worded": ""}}


def test_events_with_a_password_are_locked_and_leave_the_counts_of_terms(
    database, settings, make_event, make_tag, as_admin
):
    tag = make_tag()["id"]
    for hidden in (True, False):
        event = make_event(tags=[tag], hide_from_listings=hidden)["id"]
        as_admin.put(f"/events/{event}", password="Sesame")
        database["events"].update_many(
            {"hidden": {"$regex": "^locked"}}, {"$set": {"hidden": hidden}, **UNWORDED}
        )
    database["tags"].update_many({}, {"$set": {"count": 7}})

    make_indexes(Store(database), settings)

    states = {event["hidden"] for event in database["events"].find()}
    assert states == {"locked", "locked, hidden"}
    assert as_admin.get("/tags", hide_empty=False).json["tags"][0]["count"] == 0


def test_pictures_of_earlier_versions_get_addresses_that_nobody_guesses(
    app, database, settings, upload
):
    pictures = [upload()["id"] for _ in range(2)]
    database["media"].update_many({}, {"$unset": {"token": ""}})

    for _ in range(2):
        make_indexes(Store(database), settings)

    tokens = {media["_id"]: media["token"] for media in database["media"].find()}
    assert len(set(tokens.values())) == len(pictures)
    client = app.test_client()
    for number, token in tokens.items():
        assert client.get(f"/media/{number}/{token}/poster.png").status_code == 200


def test_events_at_hidden_venues_lose_their_public_place(
    database, settings, make_event, make_venue
):
    venue = make_venue(geo_lat=46.85, geo_lng=9.53, status="private")
    event = make_event(venue=venue["id"])["id"]
    point = database["venues"].find_one({"_id": venue["id"]})["location"]
    database["events"].update_one({"_id": event}, {"$set": {"location": point}, **UNWORDED})

    make_indexes(Store(database), settings)

    stored = database["events"].find_one({"_id": event})
    assert (stored["location"], stored["restricted_place"]["location"]) == (None, point)
