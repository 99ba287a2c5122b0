"""The point of an event is its venue's, also after concurrent writes."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import local

import pytest
from click.testing import CliRunner

from calendar_app.cli import main
from calendar_app.storage.mongo.marks import OUTBOX

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
# By which write an event gets to its venue.
WRITTEN_BY = {"add": "insert", "bring": "update", "import": "insert"}
FIRST_PLACE, SECOND_PLACE = {"geo_lat": 46.85, "geo_lng": 9.53}, {"geo_lat": 46.1, "geo_lng": 9.0}


def astray(database):
    """Return the events with another point than their first venue."""
    points = {venue["_id"]: venue["location"] for venue in database["venues"].find()}
    return [
        event["_id"]
        for event in database["events"].find()
        if event["location"] != (points.get(event["venues"][0]) if event["venues"] else None)
    ]


class Died(BaseException):
    """The service ended here; no more of it runs."""


@pytest.fixture
def dying(hearers):
    """Return a function that ends the service after a transaction has written a record.

    Threads that are ``spared`` go on. Who has written nothing yet does so too: the registration of
    a writer is a transaction of its own.
    """
    thread = local()

    def last_words(command, collection):
        if (command, collection) == ("insert", OUTBOX):
            thread.has_written = True
        has_written = hasattr(thread, "has_written")
        if command == "commitTransaction" and has_written and not hasattr(thread, "spared"):
            raise Died

    def begin():
        hearers.append(last_words)
        return thread

    return begin


@pytest.fixture
def site(mongod_uri, tmp_path):
    """Return a function that imports a hall, number 40, and perhaps an event there."""
    environment = {
        "CALENDAR_MONGODB_URI": mongod_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
    }
    hall = {"id": 40, "global_id": "site.example?id=40", "status": "publish", "venue": "Hall"}
    event = {"id": 60, "global_id": "site.example?id=60", "status": "publish", "title": "Concert"}
    recorded = {
        "venues": [hall | FIRST_PLACE],
        "events": [event | EVENING | {"venue": hall | FIRST_PLACE}],
    }

    def take(*names):
        pages = [
            {
                "path": f"/{name}?per_page=50&page=1",
                "body": {name: recorded[name] if name in names else [], "total_pages": 1},
            }
            for name in ("categories", "tags", "venues", "organizers", "events")
        ]
        (tmp_path / "site.jsonl").write_text("\n".join(map(json.dumps, pages)))
        arguments = ["import", "tec", str(tmp_path / "site.jsonl")]
        result = CliRunner().invoke(main, arguments, env=environment)
        assert result.exit_code == 0, result.output
        return 40

    return take


@pytest.fixture
def writers(dying, site, calling_as, make_event):
    """Return who moves a venue, and who adds, brings or imports an event there.

    The service dies from now on as soon as it has written something, before anything else.
    """
    admin, editor = calling_as("admin"), calling_as("editor")
    hall, event = site("venues"), make_event()["id"]
    thread = dying()

    def take():
        thread.spared = True  # the import has more than one thing to write, and looks but once
        site("venues", "events")
        del thread.spared

    writing = {
        "move": lambda: editor.patch(f"/venues/{hall}", **SECOND_PLACE),
        "clear": lambda: editor.patch(f"/venues/{hall}", geo_lat=None, geo_lng=None),
        "add": lambda: admin.post("/events", title="Concert", venue=hall, **EVENING),
        "bring": lambda: admin.patch(f"/events/{event}", venue=hall),
        "import": take,
    }
    return {name: partial(until_death, write) for name, write in writing.items()}


def until_death(write):
    with suppress(Died):
        write()


@pytest.mark.parametrize("place", ["move", "clear"])
@pytest.mark.parametrize("event", WRITTEN_BY)
def test_a_venue_moves_while_an_event_is_written(writers, database, meanwhile, place, event):
    begun = meanwhile("events", WRITTEN_BY[event], writers[place])
    writers[event]()
    begun[0].join()

    require_moved(database, place)


@pytest.mark.parametrize("place", ["move", "clear"])
@pytest.mark.parametrize("event", WRITTEN_BY)
def test_an_event_is_written_while_its_venue_moves(writers, database, meanwhile, place, event):
    begun = meanwhile("events", "aggregate", writers[event])
    writers[place]()
    begun[0].join()

    require_moved(database, place)


def require_moved(database, place):
    (venue,) = database["venues"].find()
    assert (venue["location"] is None) == (place == "clear")
    assert database["events"].count_documents({"venues": venue["_id"]}) == 1
    assert astray(database) == []


def test_a_crowd_of_writers_leaves_no_event_astray(calling_as, make_venue, make_event, database):
    venues = [make_venue(**FIRST_PLACE)["id"] for _ in range(2)]
    events = [make_event(venue=venues[n % 2])["id"] for n in range(4)]
    names = ("admin", "editor")
    clients = [calling_as(names[n % 2]) for n in range(6)]

    def write(which):
        client = clients[which]
        for turn in range(8):
            venue = venues[turn % 2]
            if which < 2:
                place = {"geo_lat": turn + 10 * which, "geo_lng": which}
                answer = client.patch(f"/venues/{venues[which]}", **place)
            elif which < 4:
                answer = client.post("/events", title="Concert", venue=venue, **EVENING)
            else:
                moved = [venues[(turn + which) % 2], venue]
                answer = client.patch(f"/events/{events[which % 4]}", venue=moved)
            assert answer.status_code in (200, 201, 409), answer.json

    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(write, range(len(clients))))

    assert database["events"].count_documents({}) >= len(events)
    assert astray(database) == []
