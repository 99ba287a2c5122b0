"""``check`` sees data that are not as they should be, and mends them when asked."""

import socket
import threading
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote, urlsplit

import pytest
from bson import ObjectId
from click.testing import CliRunner
from structlog.testing import capture_logs

from calendar_app.api.http.request.state import get_services
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.assembly.services import build_services
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.cli import main
from calendar_app.errors import Unavailable, UnknownCommit
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.files import FileBucket
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.marks import marking
from calendar_app.storage.mongo.store import Store

TWO_DAYS_AGO = timedelta(days=2)
WEEKLY = {
    "start_date": "2030-03-06 10:00:00",
    "end_date": "2030-03-06 12:00:00",
    "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=5"},
}


@pytest.fixture
def check(settings, database, mongod_uri):
    """Return a function that runs ``check``; it returns the status and the reported lines."""
    ensure_indexes(Store(database), declared_indexes(settings))

    def run(*options):
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": ",".join(settings.languages),
            "CALENDAR_DEFAULT_LANGUAGE": settings.default_language,
            "CALENDAR_TIMEZONE": settings.timezone,
        }
        result = CliRunner().invoke(main, ["check", *options], env=environment)
        notes = ("The ind", "No proxy is named")
        lines = [line for line in result.output.splitlines() if not line.startswith(notes)]
        return result.exit_code, lines[4:]

    return run


@pytest.fixture
def files(database):
    return FileBucket(database)


@pytest.fixture
def make_old(database):
    """Return a function that lets all that is stored now be two days old."""

    def age():
        stored = datetime.now() - TWO_DAYS_AGO  # noqa: DTZ005
        database["files.files"].update_many({}, {"$set": {"uploadDate": stored}})
        for chunk in database["files.chunks"].find():
            database["files.chunks"].delete_one({"_id": chunk["_id"]})
            database["files.chunks"].insert_one(chunk | {"_id": old_id()})

    return age


def old_id():
    """Return a new id that says of itself to be two days old."""
    new_id = ObjectId()
    seconds = int(new_id.generation_time.timestamp() - TWO_DAYS_AGO.total_seconds())
    return ObjectId(seconds.to_bytes(4, "big") + new_id.binary[4:])


def names(database):
    chunks = set(database["files.chunks"].distinct("files_id"))
    return set(database["files.files"].distinct("_id")) | chunks


def test_old_files_without_a_record_are_counted_and_removed(
    check, files, database, upload, make_old
):
    upload()
    of_record = names(database)
    files.put("900001/a.png", bytes(1_500_000), "image/png")
    files.put("900001/b.png", bytes(500_000), "image/png")
    files.put("900002/c.png", bytes(400_000), "image/png")
    database["files.files"].delete_one({"_id": "900002/c.png"})
    make_old()
    report = "2 files of pictures without a record and 1 unfinished ones"

    assert check() == (0, [f"{report}, 2.4 MB."])
    assert check("--repair") == (0, [f"{report} removed, 2.4 MB."])
    assert check() == (0, [])
    assert names(database) == of_record


def test_files_that_are_being_stored_stay(check, files, database):
    files.put("900001/a.png", bytes(1000), "image/png")
    files.put("900002/b.png", bytes(1000), "image/png")
    database["files.files"].delete_one({"_id": "900002/b.png"})
    assert check("--repair") == (0, [])
    assert names(database) == {"900001/a.png", "900002/b.png"}


def test_new_file_of_the_name_of_an_old_one_stays(files, database, make_old):
    files.put("900001/a.png", b"old", "image/png")
    make_old()
    files.delete("900001/a.png")
    files.put("900001/a.png", b"new", "image/png")
    files.discard(["900001/a.png"], datetime.now() - TWO_DAYS_AGO / 2)  # noqa: DTZ005
    assert files.open("900001/a.png").stream.read() == b"new"
    assert names(database) == {"900001/a.png"}


def test_files_of_contributions_and_of_unused_pictures_stay(app, database, png, upload, make_old):
    upload()
    services = get_services(app)
    services.pictures.contribute(Upload(png, "sent.png"), "de")
    make_old()
    stored = names(database)
    services.picture_sweep.sweep()
    assert names(database) == stored


def test_size_that_was_cut_anew_leaves_its_former_file_to_be_swept(
    app, database, upload, as_author, make_old
):
    picture = upload()
    stored = names(database)
    as_author.patch(f"/media/{picture['id']}", focus="0% 0%")
    make_old()
    assert len(names(database)) == len(stored) + 1
    get_services(app).picture_sweep.sweep()
    left = names(database)
    assert len(left) == len(stored)
    shown = as_author.get(f"/media/{picture['id']}").json["sizes"]["thumbnail"]["url"]
    assert shown.rpartition("/")[2] in {each.rpartition("/")[2] for each in left - stored}


def test_service_sweeps_once_a_day(app, clock, files, database, make_old):
    clock.now = datetime.now(UTC)
    sweep = get_services(app).picture_sweep
    sweep.run_job()
    files.put("900001/a.png", bytes(1000), "image/png")
    make_old()
    sweep.run_job()
    assert names(database) == {"900001/a.png"}
    clock.advance(days=1)
    with capture_logs() as lines:
        sweep.run_job()
        sweep.run_job()
    assert names(database) == set()
    (line,) = lines
    assert (line["event"], line["files"], line["bytes"]) == ("files swept", 1, 1000)


def test_wrong_counts_of_terms_are_named_and_set(check, make_event, as_admin, database):
    make_event(categories=["Theatre"], tags=["new"])
    make_event(categories=["Theatre"], status="draft")
    make_event(categories=["Theatre"], password="x")
    assert check() == (0, [])
    database["categories"].update_many({}, {"$set": {"count": 3}})
    database["tags"].update_many({}, {"$unset": {"count": ""}})

    status, lines = check()
    assert (status, lines) == (
        1,
        ["Error: The counts of 2 terms are wrong; fix this with: calendar-app check --repair"],
    )
    assert check("--repair") == (0, ["The counts of 2 terms are set."])
    assert as_admin.get("/categories").json["categories"][0]["count"] == 1
    assert as_admin.get("/tags").json["tags"][0]["count"] == 1
    assert check() == (0, [])


def test_words_that_no_event_has_are_removed(check, make_event, as_admin, database):
    concert = make_event(title="Concert")["id"]
    make_event(title="Market")
    assert check() == (0, [])
    as_admin.put(f"/events/{concert}", title="Market")

    assert check() == (0, ["1 words that no event has."])
    assert check("--repair") == (0, ["1 words that no event has removed."])

    assert [word["_id"] for word in database["vocabulary"].find()] == ["market"]
    assert check() == (0, [])
    assert as_admin.get("/events", search="market", start_date="2000-01-01").json["total"] == 2


def test_words_stay_while_another_process_may_use_them(check, database):
    database["vocabulary"].insert_one({"_id": "concert"})
    lease = {"newest": 1, "until": {"$add": ["$$NOW", 60_000]}}
    database["leases"].update_one({"_id": "process 1"}, [{"$set": lease}], upsert=True)
    status, lines = check("--repair")
    assert (status, lines) == (
        0,
        ["1 words that no event has; stop the service to remove them."],
    )
    assert database["vocabulary"].count_documents({}) == 1


def test_missing_dates_of_a_series_are_named_and_added(check, make_event, anyone, database):
    series = make_event(**WEEKLY)["id"]
    database["events"].delete_many({"start_local": {"$gt": datetime(2030, 3, 21)}})  # noqa: DTZ001
    lacks = f"Series {series} lacks dates of its rule: 2030-03-27 10:00, 2030-04-03 10:00."

    assert check() == (
        1,
        [lacks, "Error: 1 series lack dates; fix this with: calendar-app check --repair"],
    )
    assert check("--repair") == (0, [lacks, "2 dates of series added."])
    assert check() == (0, [])
    assert anyone.get(f"/series/{series}/events").json["total"] == 5


def test_dates_beyond_the_rule_are_named_and_left(check, make_event, anyone, database):
    series = make_event(**WEEKLY)["id"]
    database["series"].update_one({}, {"$set": {"recurrence.rules": ["FREQ=WEEKLY;COUNT=4"]}})
    line = (
        f"Series {series} has dates that its rule does not give: 2030-04-03 10:00. "
        "They go to the trash when it is saved."
    )
    assert check() == (0, [line])
    assert check("--repair") == (0, [line])
    assert anyone.get(f"/series/{series}/events").json["total"] == 5


def test_dates_that_were_moved_trashed_or_are_long_past_are_sound(
    check, make_event, as_admin, clock
):
    clock.now = datetime.now(UTC)
    series = make_event(**WEEKLY)["id"]
    events = as_admin.get(f"/series/{series}/events").json["events"]
    moved = {"start_date": "2030-03-15 09:00:00", "end_date": "2030-03-15 10:00:00"}
    assert as_admin.post(f"/events/{events[1]['id']}", **moved).status_code == 200
    assert as_admin.delete(f"/events/{events[2]['id']}").status_code == 200
    in_trash = make_event(**WEEKLY)["id"]
    assert as_admin.delete(f"/series/{in_trash}").status_code == 200
    past = {"start_date": "2015-03-04 10:00:00", "end_date": "2015-03-04 12:00:00"}
    make_event(**WEEKLY | past | {"recurrence": {"rrule": "FREQ=WEEKLY"}})
    assert check() == (0, [])


class Line:
    """A proxy in front of a mongod; with ``loses_commits`` it drops the answers to commits."""

    def __init__(self, path):
        self.loses_commits = False
        self._path = path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._path)
                is_lost = threading.Event()
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(*ends, is_lost), daemon=True).start()

    def _pass(self, source, target, is_lost):
        with suppress(OSError), source, target:
            while data := source.recv(1 << 16):
                if self.loses_commits and b"commitTransaction" in data:
                    is_lost.set()
                elif is_lost.is_set():
                    return
                target.sendall(data)


@pytest.fixture
def line(mongod_uri):
    with closing(Line(unquote(urlsplit(mongod_uri).netloc))) as line:
        yield line


@pytest.fixture
def database_behind(line):
    """Return the database, at the other end of the line."""
    uri = f"mongodb://127.0.0.1:{line.port}/calendar?directConnection=true"
    database = open_database(uri)
    with closing(database.client):
        yield database


@pytest.fixture
def pictures_behind(settings, database_behind, clock):
    return build_services(settings, Store(database_behind), clock).pictures


def test_upload_whose_commit_is_unknown_keeps_its_files(
    database, database_behind, line, pictures_behind, png
):
    with marking(database_behind):
        line.loses_commits = True
    with pytest.raises(UnknownCommit):
        pictures_behind.contribute(Upload(png, "poster.png"), "de")
    (picture,) = database["media"].find()
    assert f"{picture['_id']}/{picture['filename']}" in names(database)


def test_loss_of_the_database_before_anything_is_written_is_known(database_behind, line):
    line.loses_commits = True
    with pytest.raises(Unavailable) as refusal:
        Store(database_behind).transact(list, patience=0.5)
    assert not isinstance(refusal.value, UnknownCommit)
