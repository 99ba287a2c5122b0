"""The plans for pictures and their uses, and concurrent deletions."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from command_recording import CommandRecorder, recorded_database

from calendar_app.accounts.callers import ANYONE
from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.sources.kept_pictures import KeptPictures, content_digest
from calendar_app.storage.mongo.marks import WRITERS
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import round_trips

BASE = "/calendar/events/v1"
ADMIN = ("admin", "abcd EFGH ijkl MNOP")
# Records that show no picture, or another one.
OTHER_RECORDS = 300
PATHS = ["/media/{}", "/media", "/media?used=true", "/media?used=false", "/media?author=1"]


@pytest.fixture
def recorder():
    return CommandRecorder("find", "aggregate", "count", "update", "delete")


@pytest.fixture
def database(mongod_uri, recorder):
    """Return a database with all indexes, which records its commands."""
    with recorded_database(mongod_uri, "pictured", recorder) as recorded:
        yield recorded


@pytest.fixture
def client(settings, database, clock):
    Accounts(Store(database), clock, 30).add("admin", "administrator", secret=ADMIN[1])
    return create_app(settings, database, clock).test_client()


@pytest.fixture
def picture(client, database, png):
    """Return the id of a picture that one event shows among many that do not."""
    sent = {"data": png, "content_type": "image/png"}
    number, other_number = (
        client.post(f"{BASE}/media", auth=ADMIN, **sent).json["id"] for _ in range(2)
    )
    dates = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
    body = {"title": "Konzert", "image": number, **dates}
    event = client.post(f"{BASE}/events", json=body, auth=ADMIN).json["id"]
    stored = database["events"].find_one({"_id": event})
    copied = {name: value for name, value in stored.items() if name != "slugs"}
    images = (None, other_number, "https://example.org/a.png")
    database["events"].insert_many(
        [copied | {"_id": 1000 + n, "image": images[n % 3]} for n in range(OTHER_RECORDS)]
    )
    return number


def parts_of(plan):
    """Yield every object in a plan, however deep."""
    if isinstance(plan, dict):
        yield plan
    for part in plan.values() if isinstance(plan, dict) else plan if isinstance(plan, list) else ():
        yield from parts_of(part)


def explained(database, command):
    """Return the stages of a command, and how many documents it looked at."""
    left_out = ("lsid", "txnNumber", "readConcern", "writeConcern", "startTransaction")
    stages_and_documents = {
        name: value
        for name, value in command.items()
        if not name.startswith("$") and name not in (*left_out, "autocommit")
    }
    parts = list(
        parts_of(database.command("explain", stages_and_documents, verbosity="executionStats"))
    )
    stages = {part["stage"] for part in parts if isinstance(part.get("stage"), str)}
    return stages, max(part.get("totalDocsExamined", 0) for part in parts)


@pytest.fixture
def look_up(client, database, recorder):
    """Return a function that reads a path and returns the plan of each query."""

    def read(path, caller):
        recorder.commands.clear()
        assert client.get(f"{BASE}{path}", auth=caller).status_code == 200
        commands = [
            sent
            for sent in recorder.commands
            if set(sent) & {"find", "aggregate", "count"} and sent.get("aggregate") != WRITERS
        ]
        assert commands
        return [explained(database, command) for command in commands]

    return read


@pytest.mark.parametrize("caller", [None, ADMIN], ids=["anyone", "admin"])
@pytest.mark.parametrize("path", PATHS)
def test_uses_of_a_picture_are_found_by_an_index(look_up, picture, caller, path):
    for stages, _ in look_up(path.format(picture), caller):
        assert "COLLSCAN" not in stages


def test_deletion_examines_only_records_with_the_picture(client, database, recorder, picture):
    recorder.commands.clear()
    path = f"{BASE}/media/{picture}"
    assert client.delete(path, auth=ADMIN).status_code == 409
    looked = [
        sent for sent in recorder.commands if sent.get("find", sent.get("aggregate")) == "events"
    ]
    assert looked
    for command in looked:
        stages, documents = explained(database, command)
        assert "COLLSCAN" not in stages
        assert documents <= 1
    assert client.delete(f"{path}?force=true", auth=ADMIN).status_code == 200
    assert database["events"].count_documents({"image": picture}) == 0
    assert database["events"].count_documents({"image": {"$gt": 0}}) == OTHER_RECORDS // 3


def test_long_list_takes_no_more_queries_than_a_short_one(client, png):
    counts = []
    for _ in range(2):
        for _ in range(5):
            client.post(f"{BASE}/media", data=png, content_type="image/png", auth=ADMIN)
        assert client.get(f"{BASE}/media?per_page=50", auth=ADMIN).status_code == 200
        counts.append(round_trips())
    assert counts[0] == counts[1]


def test_no_record_shows_a_picture_that_was_deleted_at_the_same_time(client, database, picture):
    app = client.application
    event = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}

    def delete(number):
        path = f"{BASE}/media/{number}?force=true"
        return app.test_client().delete(path, auth=ADMIN).status_code

    def show(number):
        body = {"title": "Konzert", "image": number, **event}
        return app.test_client().post(f"{BASE}/events", json=body, auth=ADMIN).status_code

    stored = database["media"].find_one({"_id": picture})
    with ThreadPoolExecutor(2) as pool:
        for number in range(2000, 2030):
            database["media"].insert_one(stored | {"_id": number})
            futures = [pool.submit(work, number) for work in (show, delete)]
            assert futures[0].result() in (201, 400)
            assert futures[1].result() == 200
    deleted = {"image": {"$gte": 2000}}
    assert database["events"].count_documents(deleted) == 0


@pytest.mark.usefixtures("picture")
def test_picture_of_a_source_is_known_by_an_index_of_its_content(database, recorder):
    kept = KeptPictures(Store(database), uploads=None)
    own = {"source": -1, "uid": "https://example.org/a.png"}
    note = own | {"content": content_digest(b"file")}
    database["media"].update_one({}, {"$set": {"from_sources": [note]}})
    recorder.commands.clear()
    kept.keep(Upload(b"file", "a.png"), own, ANYONE, "de")
    (command,) = (sent for sent in recorder.commands if sent.get("find") == "media")
    stages, documents = explained(database, command)
    assert "COLLSCAN" not in stages
    assert documents == 1
