"""No list reads a whole collection: MongoDB is asked how it would do what it did."""

import pytest
from command_recording import CommandRecorder, recorded_database
from query_plans import examined, explained, of_records, plan_of

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.sources.notes import KnownEvents
from calendar_app.storage.mongo.store import Store

BASE = "/calendar/events/v1"
SECRET = "abcd EFGH ijkl MNOP"
NEAR = {"geoloc_lat": "46", "geoloc_lng": "9"}
LISTS = [
    ("events", {}),
    ("events", {"start_date": "2020-01-01", "end_date": "2040-01-01"}),
    ("events", {"starts_after": "2020-01-01"}),
    ("events", {"starts_before": "2040-01-01"}),
    ("events", {"ends_after": "2020-01-01"}),
    ("events", {"ends_before": "2040-01-01"}),
    ("events", {"overlaps_from": "2030-01-01", "overlaps_to": "2031-01-01"}),
    ("events", {"search": "event"}),
    ("events", {"categories": "{categories}"}),
    ("events", {"tags": "{tags}"}),
    ("events", {"venue": "{venue}"}),
    ("events", {"organizer": "{organizer}"}),
    ("events", {"featured": "true"}),
    ("events", {"ticketed": "true"}),
    ("events", {"event_status": "canceled"}),
    ("events", {"event_status": "canceled,postponed"}),
    ("events", {"event_status": "scheduled"}),
    ("events", {"attendance_mode": "online,mixed"}),
    ("events", {"attendance_mode": "offline", "event_status": "scheduled"}),
    ("events", {"accessibility": "wheelchair,quiet"}),
    ("events", {"in_language": "de,en"}),
    ("events", {"age": "6"}),
    ("events", {"include": "1,2,3"}),
    ("events", {"post_parent": "{event}"}),
    ("events", {"geoloc": "true"}),
    ("events", NEAR),
    ("events", NEAR | {"orderby": "distance"}),
    ("events", {"geoloc_bbox": "8,46,10,48"}),
    ("events", {"orderby": "title"}),
    ("events", {"orderby": "modified"}),
    ("events", {"fallback": "none"}),
    ("events.ics", {}),
    ("events.ics", {"categories": "{categories}", "starts_after": "2020-01-01"}),
    ("events.ics", {"search": "event"}),
    ("events.ics", {"orderby": "title"}),
    ("events.ics", {"include": "1,2,3"}),
    ("events.geojson", NEAR),
    ("events.geojson", NEAR | {"orderby": "distance"}),
    ("events/{event}.ics", {}),
    ("venues", {}),
    ("venues", {"search": "venue"}),
    ("venues", {"event": "{event}"}),
    ("venues", {"has_events": "true"}),
    ("venues", {"has_events": "false"}),
    ("venues", {"only_with_upcoming": "true"}),
    ("venues", NEAR),
    ("venues", NEAR | {"orderby": "distance"}),
    ("organizers", {}),
    ("organizers", {"has_events": "true"}),
    ("categories", {}),
    ("categories", {"parent": "{categories}"}),
    ("categories", {"slug": "music"}),
    ("categories", {"event": "{event}"}),
    ("tags", {}),
    ("tags", {"include": "{tags}"}),
]


# WordPress' own routes.
WORDPRESS = [
    ("tribe_events", {}),
    ("tribe_events", {"after": "2020-01-01", "order": "asc"}),
    ("tribe_events", {"orderby": "modified"}),
    ("tribe_events", {"orderby": "title"}),
    ("tribe_events", {"search": "event"}),
    ("tribe_events", {"slug": "concert"}),
    ("tribe_events", {"tags": "{tags}"}),
    ("tribe_events", {"tribe_events_cat": "{categories}"}),
    ("tribe_venue", {}),
    ("tribe_venue", {"search": "hall"}),
    ("tribe_organizer", {"include": "{organizer}"}),
    ("tribe_events_cat", {"parent": "0"}),
    ("tags", {"post": "{event}"}),
    ("media", {}),
    ("media", {"slug": "poster"}),
]


@pytest.fixture(scope="module")
def recorder():
    return CommandRecorder("find", "aggregate", "count")


@pytest.fixture(scope="module")
def _explained(mongod_uri, recorder, _clock):
    with recorded_database(mongod_uri, "explained", recorder) as recorded:
        Accounts(Store(recorded), _clock, 30).add("admin", "administrator", secret=SECRET)
        yield recorded


@pytest.fixture
def database(_explained):
    """Return the shared database with all indexes, which records its queries."""
    return _explained


@pytest.fixture
def app(settings, database, clock):
    """Return a service of its own over this database, which has counted nothing yet."""
    return create_app(settings, database, clock)


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture(scope="module")
def _ids():
    return {}


@pytest.fixture
def records(client, database, _ids):
    """Return the ids of an event and its links, beside two hundred copies.

    It alone was canceled, and they take place as planned.
    """
    if not _ids:
        _ids |= _created_ids(client)
        _store_others(database, _ids["event"])
        sent = {"event_status": "canceled", "attendance_mode": "mixed"}
        path = f"{BASE}/events/{_ids['event']}"
        assert client.patch(path, json=sent, auth=("admin", SECRET)).status_code == 200
    return _ids


def _created_ids(client):
    evening = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
    body = {
        "title": "Concert",
        "venue": {"venue": "Hall", "geo_lat": 46, "geo_lng": 9},
        "organizer": {"organizer": "Club"},
        "categories": ["Music"],
        "tags": ["Free"],
    }
    created = client.post(f"{BASE}/events", json=body | evening, auth=("admin", SECRET))
    assert created.status_code == 201
    ids = {name: created.json[name][0]["id"] for name in ("organizer", "categories", "tags")}
    return ids | {"event": created.json["id"], "venue": created.json["venue"]["id"]}


def _store_others(database, number):
    event = database["events"].find_one({"_id": number})
    copied = {name: value for name, value in event.items() if name != "slugs"}
    copies = [copied | {"_id": 1000 + number} for number in range(200)]
    database["events"].insert_many(copies)


@pytest.mark.parametrize("credentials", [None, ("admin", SECRET)], ids=["anyone", "admin"])
def test_no_list_reads_a_whole_collection(client, database, recorder, records, credentials):
    for collection, query in LISTS:
        recorder.commands.clear()
        sent = {name: value.format(**records) for name, value in query.items()}
        path = f"{BASE}/{collection}".format(**records)
        answer = client.get(path, query_string=sent, auth=credentials)
        answer.get_data()  # A feed asks while it is read.
        assert answer.status_code == 200, (collection, sent, answer.json)

        queries = of_records(recorder)
        assert queries
        for command in queries:
            used = explained(database, command)
            assert "COLLSCAN" not in used, (collection, sent, command)


def test_no_list_for_wordpress_reads_a_whole_collection(client, database, recorder, records):
    for name, query in WORDPRESS:
        recorder.commands.clear()
        sent = {key: value.format(**records) for key, value in query.items()}
        answer = client.get(f"/wp/v2/{name}", query_string=sent)
        assert answer.status_code == 200, (name, sent, answer.json)
        assert of_records(recorder)
        for command in of_records(recorder):
            assert "COLLSCAN" not in explained(database, command), (name, sent, command)


def test_the_newest_events_are_listed_by_an_index(client, database, recorder, records):
    assert records
    recorder.commands.clear()
    client.get("/wp/v2/tribe_events", query_string={"per_page": 3})
    (first, *_) = of_records(recorder)
    keys, documents = examined(plan_of(database, first, "executionStats"))
    assert max(keys, documents) <= 8


def test_list_of_a_source_reads_no_whole_collection(client, database, recorder, records):
    assert records
    values = {"name": "Tickets", "kind": "push"}
    source = client.post(f"{BASE}/sources", json=values, auth=("admin", SECRET)).json["id"]
    recorder.commands.clear()
    query = {"source": source}
    answer = client.get(f"{BASE}/events", query_string=query, auth=("admin", SECRET))
    assert answer.status_code == 200
    of_events = [sent for sent in of_records(recorder) if "from_sources.source" in str(sent)]
    assert of_events
    for command in of_events:
        assert "COLLSCAN" not in explained(database, command), command


def test_a_source_looks_at_no_other_events_than_it_asks_for(database, recorder):
    note = {"source": 7, "recurrence_id": "", "traits": ["", "", ""]}
    notes = [[note | {"uid": f"{number}"}] for number in range(500)]
    database["events"].insert_many(
        [{"_id": 20_000 + n, "from_sources": each} for n, each in enumerate(notes)]
    )
    recorder.commands.clear()
    stored = KnownEvents(Store(database), (EVENT, SERIES)).records(7, ["3", "5"])
    assert {key.uid for key in stored} == {"3", "5"}
    for command in of_records(recorder):
        plan = plan_of(database, command, "executionStats")
        assert examined(plan)[1] <= 2, (command, plan)


def test_reading_by_slug_uses_an_index(client, database, recorder, records):
    assert records
    for collection, slug in (("events", "concert"), ("venues", "hall"), ("organizers", "club")):
        recorder.commands.clear()
        assert client.get(f"{BASE}/{collection}/by-slug/{slug}").status_code == 200

        for command in of_records(recorder):
            assert "COLLSCAN" not in explained(database, command), command


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    "query",
    [
        {"event_status": "canceled"},
        {"event_status": "postponed,canceled"},
        {"attendance_mode": "mixed"},
        {"attendance_mode": "mixed", "event_status": "canceled"},
    ],
    ids="&".join,
)
def test_rare_values_are_found_by_an_index(client, database, recorder, query):
    recorder.commands.clear()
    answer = client.get(f"{BASE}/events", query_string=query)
    assert [event["event_status"] for event in answer.json["events"]] == ["canceled"]

    listing = recorder.commands[0]
    keys, documents = examined(plan_of(database, listing, "executionStats"))
    assert keys < 10
    assert documents == 1


def counting(commands):
    """Yield the queries for totals, also those inside ``$unionWith``."""
    for command in commands:
        stages = command.get("pipeline", ())
        along = [stage["$unionWith"] for stage in stages if "$unionWith" in stage]
        for part in (part for part in along if "$group" in str(part)):
            yield {"aggregate": part["coll"], "pipeline": part["pipeline"], "cursor": {}}
        if command.get("aggregate") == "events" and "$group" in str(stages):
            yield command


def is_sorted_page(command):
    """Say whether a command reads a page of events in their order."""
    stages = command.get("pipeline", ())
    return command.get("aggregate") == "events" and any("$sort" in stage for stage in stages)


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"event_status": "scheduled"},
        {"attendance_mode": "offline"},
        {"event_status": "scheduled,postponed", "attendance_mode": "offline"},
    ],
    ids=lambda query: "&".join(query) or "all",
)
def test_totals_of_common_values_examine_no_event(client, database, recorder, query):
    recorder.commands.clear()
    answer = client.get(f"{BASE}/events", query_string=query | {"per_page": "1"})
    assert answer.json["total"] in (200, 201)

    totals = [
        plan_of(database, command, "executionStats") for command in counting(recorder.commands)
    ]
    assert [examined(plan)[1] for plan in totals] == [0]


@pytest.mark.parametrize(
    "query",
    [
        {"categories": "{categories}"},
        {"tags": "{tags}"},
        {"venue": "{venue}"},
        {"organizer": "{organizer}"},
        {"featured": "false"},
        {"ticketed": "false"},
        {"featured": "false", "ticketed": "false"},
        {"starts_after": "2020-01-01"},
        {"ends_before": "2040-01-01"},
        {"venue": "{venue}", "start_date": "2030-01-01", "end_date": "2031-01-01"},
        {"orderby": "end_date"},
        {"orderby": "modified", "order": "desc"},
    ],
    ids="&".join,
)
def test_totals_look_at_no_event_and_pages_at_their_own(client, database, recorder, records, query):
    assert looked_at(client, database, recorder, records, query) < 20


def test_what_was_changed_first_looks_at_no_key_but_those_of_matches(
    client, database, recorder, records
):
    assert looked_at(client, database, recorder, records, {"orderby": "modified"}) <= 202


def looked_at(client, database, recorder, records, query):
    """Return how many keys a page takes, which looks at its own events, and its total at none."""
    recorder.commands.clear()
    sent = {name: value.format(**records) for name, value in query.items()}
    answer = client.get(f"{BASE}/events", query_string=sent | {"per_page": "3"})
    assert answer.json["total"] == 201

    (listing,) = (command for command in recorder.commands if is_sorted_page(command))
    keys, documents = examined(plan_of(database, listing, "executionStats"))
    assert documents == 3
    totals = [
        plan_of(database, query_command, "executionStats")
        for query_command in counting(recorder.commands)
    ]
    assert [examined(plan)[1] for plan in totals] == [0]
    return keys
