"""A backup holds all of a database as of one moment, and is restored whole or not at all."""

import gzip
import subprocess
import sys
from io import BytesIO

import pytest
from calling import Client
from click.testing import CliRunner
from data_format import load_first_release
from serving import serving
from test_import_after_upgrade import FILE

from calendar_app.app import create_app
from calendar_app.cli import main
from calendar_app.errors import RestoreRefused
from calendar_app.storage.mongo.backup import write_backup
from calendar_app.storage.mongo.backup_file import BackupReader
from calendar_app.storage.mongo.connected import service_name_of
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.formats import FIRST, FORMATS, stored_mark
from calendar_app.storage.mongo.leases import LEASES
from calendar_app.storage.mongo.marks import OUTBOX, WRITERS
from calendar_app.storage.mongo.restoring import restore_backup
from calendar_app.storage.mongo.store import Store

# Runs a command, and kills its process as soon as it has worked on some documents.
KILLED = """
import os, signal
from calendar_app.cli import backup, main
backup._Bar.__call__ = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
main()
"""


def contents(database):
    """Return all documents by collection, in the order of their ids.

    Marks of writers, the outbox and leases belong to one database, and stay there.
    """
    return {
        name: documents
        for name in database.list_collection_names()
        if name not in (WRITERS, OUTBOX, LEASES)
        and (documents := list(database[name].find().sort("_id", 1)))
    }


def indexes(database):
    names = set(database.list_collection_names()) - {OUTBOX, LEASES}
    return {name: database[name].index_information() for name in names}


def revisions_in(database):
    records = (each for name in ("events", "series") for each in database[name].find())
    return [(each["_id"], each["revision"]) for each in records]


@pytest.fixture
def calendar(make_event, upload):
    """Return an event that shows a picture, at a venue, in a category."""
    picture = upload()["id"]
    return make_event(image=picture, venue={"venue": "Hall"}, categories=["Theatre"])


@pytest.fixture
def backup_file(tmp_path, calendar, mongod_uri):
    del calendar
    file = tmp_path / "calendar.backup"
    assert run(mongod_uri, "backup", file).exit_code == 0
    return file


def contents_of(backup):
    return sorted(BackupReader(BytesIO(backup)).documents())


def run(uri, *arguments, **options):
    environment = {"CALENDAR_MONGODB_URI": uri}
    return CliRunner().invoke(main, list(map(str, arguments)), env=environment, **options)


def run_killed(uri, *arguments):
    command = [sys.executable, "-c", KILLED, *map(str, arguments)]
    process = subprocess.run(command, env={"CALENDAR_MONGODB_URI": uri}, check=False)
    assert process.returncode == -9


def refusal(result):
    assert result.exit_code != 0
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_all_documents_pictures_and_indexes_come_back(
    backup_file, bare_uri, bare_database, database
):
    result = run(bare_uri, "restore", backup_file)

    assert (result.exit_code, result.stderr) == (0, "")
    assert "events: 1 documents" in result.stdout
    assert contents(bare_database) == contents(database)
    assert indexes(bare_database) == indexes(database)
    assert bare_database["files.chunks"].count_documents({})


@pytest.fixture
def restored(backup_file, bare_uri, bare_database, settings, clock):
    """Return a client of a service on the restored database."""
    run(bare_uri, "restore", backup_file)
    return Client(create_app(settings, bare_database, clock))


def test_a_restored_calendar_answers_as_before(restored, calendar, anyone):
    for path in ("/events", f"/events/{calendar['id']}", "/venues", "/categories"):
        assert restored.get(path).json == anyone.get(path).json


def test_backup_of_a_restored_database_has_the_same_digests(backup_file, bare_uri, tmp_path):
    restored = run(bare_uri, "restore", backup_file)

    assert run(bare_uri, "backup", tmp_path / "again").stdout == restored.stdout


def test_backup_excludes_writes_after_its_start(database, calendar):
    del calendar
    before = contents(database)
    file = BytesIO()

    def write_meanwhile(*_):
        if contents(database) == before:
            for name in before:
                database[name].insert_one({})

    write_backup(database, file, write_meanwhile)

    backup = BackupReader(BytesIO(file.getvalue()))
    assert len(list(backup.documents())) == sum(map(len, before.values()))


def test_a_backup_overwrites_no_file_and_is_private(backup_file, mongod_uri):
    assert backup_file.stat().st_mode & 0o777 == 0o600
    assert "exists" in refusal(run(mongod_uri, "backup", backup_file))


def test_backup_goes_through_a_pipe_as_it_goes_through_a_file(
    backup_file, mongod_uri, bare_uri, bare_database, database
):
    piped = run(mongod_uri, "backup", "-")
    assert piped.exit_code == 0
    assert "events: 1 documents" in piped.stderr
    assert contents_of(piped.stdout_bytes) == contents_of(backup_file.read_bytes())
    restored = run(bare_uri, "restore", "-", input=piped.stdout_bytes)
    assert restored.exit_code == 0, restored.output
    assert contents(bare_database) == contents(database)


def test_a_pipe_that_was_cut_off_is_refused_and_changes_nothing(
    backup_file, bare_uri, bare_database
):
    cut = run(bare_uri, "restore", "-", input=backup_file.read_bytes()[:-20])
    assert "incomplete" in refusal(cut)
    assert contents(bare_database) == {}


@pytest.fixture
def later_format(bare_database):
    """Let a later version have written the database."""
    bare_database["data_format"].insert_one({"_id": "data", "format": FORMATS.newest + 1})


@pytest.mark.usefixtures("later_format")
def test_data_of_a_later_version_are_refused_until_a_backup_replaces_them(
    backup_file, bare_uri, bare_database, settings, tmp_path
):
    for command in ("check", "indexes", "demo", "users list", f"backup {tmp_path / 'later'}"):
        assert "a later version wrote" in run(bare_uri, *command.split()).stderr
    assert create_app(settings, bare_database).test_client().get("/readyz").status_code == 503
    bare_database["events"].insert_one({"_id": 1})
    assert run(bare_uri, "restore", backup_file, "--force").exit_code == 0
    assert run(bare_uri, "indexes").exit_code == 0
    assert stored_mark(bare_database).format == FIRST


@pytest.mark.usefixtures("later_format")
def test_backup_of_a_later_version_is_refused_and_changes_nothing(bare_uri, bare_database):
    file = BytesIO()
    write_backup(bare_database, file, lambda *_: None)
    restored = run(bare_uri, "restore", "-", "--force", input=file.getvalue())
    assert "later version" in refusal(restored)
    assert bare_database["data_format"].find_one()["format"] == FORMATS.newest + 1


def test_database_without_a_mark_is_of_the_first_format(bare_uri, bare_database):
    assert stored_mark(bare_database).format == FIRST
    assert run(bare_uri, "migrate").exit_code == 0
    assert stored_mark(bare_database).format == FORMATS.newest


def test_backup_of_the_first_release_is_converted_and_imported_again_without_a_write(
    database, mongod_uri, bare_uri, bare_database, tmp_path
):
    load_first_release(database)
    backup, file = tmp_path / "first.backup", tmp_path / "calendar.ics"
    file.write_text(FILE, encoding="utf-8")
    assert run(mongod_uri, "backup", backup).exit_code == 0
    assert run(bare_uri, "restore", backup).exit_code == 0
    assert "documents converted" in run(bare_uri, "migrate").stdout
    revisions = revisions_in(bare_database)
    site = {"CALENDAR_LANGUAGES": "de,rm", "CALENDAR_DEFAULT_LANGUAGE": "de"}
    site |= {"CALENDAR_TIMEZONE": "Europe/Zurich", "CALENDAR_MONGODB_URI": bare_uri}
    again = CliRunner().invoke(main, ["import", "ics", str(file)], env=site)
    assert "0 created, 0 updated, 2 unchanged" in again.stdout
    assert revisions_in(bare_database) == revisions


def test_a_killed_backup_leaves_no_file_of_its_name(calendar, mongod_uri, tmp_path):
    del calendar
    file = tmp_path / "calendar.backup"
    run_killed(mongod_uri, "backup", file)

    assert not file.exists()
    assert run(mongod_uri, "backup", file).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["calendar.backup"]


def test_killed_restore_leaves_the_database_unchanged(backup_file, bare_uri, bare_database):
    run_killed(bare_uri, "restore", backup_file)
    staged = {name for name in contents(bare_database) if name.startswith("restoring.")}

    assert staged == set(contents(bare_database)) != set()
    assert run(bare_uri, "restore", backup_file).exit_code == 0
    assert not any(name.startswith("restoring") for name in contents(bare_database))


def test_an_interrupted_restore_cleans_up(backup_file, bare_database):
    def interrupt(*_):
        raise KeyboardInterrupt

    with backup_file.open("rb") as file, pytest.raises(KeyboardInterrupt):
        restore_backup(bare_database, BackupReader(file), interrupt, force=False)

    assert bare_database.list_collection_names() == []


@pytest.mark.parametrize("part", [0, 0.01, 0.3, 0.6, 0.95, 0.999])
def test_a_backup_that_was_cut_off_is_refused_and_changes_nothing(
    backup_file, bare_uri, bare_database, part
):
    data = backup_file.read_bytes()
    backup_file.write_bytes(data[: int(len(data) * part)])
    bare_database["events"].insert_one({"_id": 1})

    assert "incomplete" in refusal(run(bare_uri, "restore", backup_file, "--force"))
    assert contents(bare_database) == {"events": [{"_id": 1}]}


def test_altered_backup_is_refused(backup_file, bare_uri, bare_database):
    changed = gzip.decompress(backup_file.read_bytes()).replace(b"Theatre", b"Theater")
    backup_file.write_bytes(gzip.compress(changed))

    assert "digests differ" in refusal(run(bare_uri, "restore", backup_file))
    assert bare_database.list_collection_names() == []


@pytest.mark.parametrize(
    "content",
    [b"", b"no backup", gzip.compress(b"no backup" * 99, mtime=0)],
    ids=["empty", "text", "gzip"],
)
def test_any_other_file_is_refused(content, bare_uri, tmp_path):
    file = tmp_path / "other"
    file.write_bytes(content)

    assert "backup" in refusal(run(bare_uri, "restore", file))


def test_a_database_that_is_not_empty_is_replaced_by_force_alone(
    backup_file, bare_uri, bare_database, database
):
    bare_database["others"].insert_one({"_id": 1})
    assert "--force" in refusal(run(bare_uri, "restore", backup_file))
    assert contents(bare_database) == {"others": [{"_id": 1}]}

    assert run(bare_uri, "restore", backup_file, "--force").exit_code == 0
    assert contents(bare_database) == contents(database)


def test_a_restore_is_another_edition_and_brings_no_marks(backup_file, bare_uri, bare_database):
    store = Store(bare_database)
    store["events"].insert({"_id": 1})
    before = store.latest_edition()
    assert {WRITERS, OUTBOX}.isdisjoint(BackupReader(BytesIO(backup_file.read_bytes())).collections)

    for _ in range(2):
        assert run(bare_uri, "restore", backup_file, "--force").exit_code == 0
        after = store.latest_edition()
        assert after is not before
        before = after


def test_collections_without_documents_are_no_obstacle(backup_file, bare_uri, bare_database):
    bare_database.create_collection("events")

    assert run(bare_uri, "restore", backup_file).exit_code == 0


def test_a_restore_that_was_interrupted_at_the_end_is_noticed(
    backup_file, bare_uri, bare_database, settings
):
    run(bare_uri, "restore", backup_file)
    bare_database["restoring"].insert_one({})

    for command in ("check", "indexes", "demo", "backup new"):
        result = run(bare_uri, *command.split())
        assert result.exit_code == 1
        assert "calendar-app restore" in result.stderr
    assert create_app(settings, bare_database).test_client().get("/readyz").status_code == 503
    assert run(bare_uri, "restore", backup_file, "--force").exit_code == 0
    assert "restoring" not in contents(bare_database)


@pytest.mark.timeout(180)
def test_a_database_that_a_service_uses_is_not_replaced(
    backup_file, bare_uri, bare_database, tmp_path
):
    with serving(tmp_path / "data", CALENDAR_MONGODB_URI=bare_uri) as service:
        for force in (["--force"], []):
            assert "service" in refusal(run(bare_uri, "restore", backup_file, *force))
        assert service.get().status_code == 200
    assert run(bare_uri, "restore", backup_file, "--force").exit_code == 0
    assert bare_database["events"].count_documents({}) == 1


def test_a_service_that_starts_meanwhile_keeps_its_database(backup_file, bare_uri, bare_database):
    services = []

    def start_service(*_):
        if not services:
            services.append(open_database(bare_uri, appname=service_name_of(bare_uri)))
            services[0]["events"].insert_one({"_id": 1})

    with backup_file.open("rb") as file, pytest.raises(RestoreRefused):
        restore_backup(bare_database, BackupReader(file), start_service, force=False)

    services[0].client.close()
    assert contents(bare_database) == {"events": [{"_id": 1}]}
