"""Two versions write the same database, until the mark of the data format is raised."""

import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest
from click.testing import CliRunner
from serving import OURS, PATIENCE, launched, status_of, wait_for

from calendar_app.cli import main
from calendar_app.storage.mongo.formats import FORMATS, MARK, MARKS, stored_mark
from calendar_app.storage.mongo.migrating import POSITION

pytestmark = pytest.mark.timeout(240)

SECRET = "a secret of the tests"
EVENTS = "/calendar/events/v1/events"
ADMIN = ("boss", SECRET)
EVENT = {"title": "Concert", "start_date": "2030-03-10", "end_date": "2030-03-10"}
SENTENCE = "A later version has raised the data format, so this one only reads."
NEXT = FORMATS.newest + 1
# A version that brings the next format, in which each event and venue has a number more.
NEXT_VERSION = f"""
import sys
from calendar_app.storage.mongo import formats
formats.FORMATS = formats.Formats(oldest={FORMATS.newest}, newest={NEXT})
from calendar_app.storage import migrations
from calendar_app.storage.mongo.migrating import Migration
migrations.MIGRATIONS = [
    Migration({NEXT}, name, lambda record: {{"$set": {{"format": {NEXT}}}}})
    for name in ("events", "venues")
]
"""
COMMAND = f"{NEXT_VERSION}from calendar_app.cli import main; main()"
START = f"""{NEXT_VERSION}
from calendar_app.server.preparation import prepare_database
prepare_database(sys.argv[1])
"""
# Writes venues one after the other, each in the format of the mark.
WRITING = """
import os
from itertools import count
from calendar_app.errors import Unavailable
from calendar_app.storage.mongo import formats
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.presence import present
from calendar_app.storage.mongo.store import Store

database = open_database(os.environ["CALENDAR_MONGODB_URI"])
store = Store(database)

def write(number):
    written = formats.written_format(database)
    store["venues"].insert({"_id": f"{os.getpid()} {number}", "format": written})

with present(database):
    for number in count():
        try:
            store.transact(lambda: write(number))
        except Unavailable as error:
            print(error, flush=True)
            break
        print(number, flush=True)
"""


@pytest.fixture
def environment(bare_uri):
    return os.environ | {"CALENDAR_MONGODB_URI": bare_uri}


@pytest.fixture
def run_next(environment):
    """Return a function that runs Python in the version which brings the next format."""

    def run(program, *arguments):
        command = [sys.executable, "-c", program, *arguments]
        finished = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert finished.returncode == 0, finished.stderr
        return finished

    return run


@contextmanager
def serving(uri, directory):
    """Start a service of this version; yield a client of it."""
    with (
        (directory / "log").open("w") as log,
        launched(OURS, directory, log, CALENDAR_MONGODB_URI=uri) as (_, client),
    ):
        wait_for(lambda: status_of(client) == 200)
        yield client


@pytest.fixture
def service(bare_uri, tmp_path):
    command = ["users", "add", ADMIN[0], "--role", "administrator"]
    added = CliRunner().invoke(
        main,
        [*command, "--application-password", SECRET],
        env={"CALENDAR_MONGODB_URI": bare_uri},
    )
    assert added.exit_code == 0, added.output
    with serving(bare_uri, tmp_path) as client:
        yield client


def write(client):
    return client.post(EVENTS, json=EVENT, auth=ADMIN, headers={"Accept-Language": "en"})


def test_older_version_writes_until_the_mark_is_raised_and_then_still_reads(
    service, run_next, bare_uri, bare_database
):
    event = write(service)
    assert event.status_code == 201, event.text
    for program, *arguments in ((COMMAND, "indexes", "--keep"), (START, bare_uri)):
        run_next(program, *arguments)
        assert write(service).status_code == 201
    assert stored_mark(bare_database).format == FORMATS.newest

    migrated = run_next(COMMAND, "migrate")

    assert "1 processes of an earlier version run" in migrated.stdout
    assert stored_mark(bare_database).format == NEXT
    refused = write(service)
    assert (refused.status_code, refused.json()["message"]) == (503, SENTENCE)
    assert service.get(f"{EVENTS}/{event.json()['id']}", auth=ADMIN).status_code == 200
    assert status_of(service) == 503
    assert bare_database["events"].count_documents({"format": NEXT}) == 3


def test_first_start_without_an_older_process_raises_the_mark(
    run_next, bare_uri, bare_database, tmp_path
):
    with serving(bare_uri, tmp_path):
        wait_for(lambda: POSITION not in bare_database[MARKS].find_one(MARK))
        assert "The data keep their format" in run_next(START, bare_uri).stderr
        assert stored_mark(bare_database).format == FORMATS.newest
    run_next(START, bare_uri)
    assert stored_mark(bare_database).format == NEXT


@contextmanager
def writing(program, environment):
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            for _ in range(20):
                assert process.stdout.readline().strip().isdecimal()
            yield process
        finally:
            process.kill()


def test_nothing_is_written_in_the_former_format_once_the_mark_is_raised(
    environment, run_next, bare_database
):
    with ExitStack() as stack:
        older = [stack.enter_context(writing(WRITING, environment)) for _ in range(2)]
        newer = [
            stack.enter_context(writing(NEXT_VERSION + WRITING, environment)) for _ in range(2)
        ]
        run_next(COMMAND, "migrate")
        last_lines = [process.stdout.read().splitlines()[-1] for process in older]
        for process in newer:  # they write on, in the next format
            assert all(process.stdout.readline().strip().isdecimal() for _ in range(20))

    assert last_lines == [SENTENCE, SENTENCE]
    venues = bare_database["venues"]
    assert venues.count_documents({"format": NEXT}) == venues.count_documents({}) > 80
