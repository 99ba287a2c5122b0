"""Commands share the mongod of a directory with a service and with each other."""

import subprocess
import sys
from contextlib import closing

import pytest

from calendar_app.errors import ConfigurationError
from calendar_app.storage.embedded.supervisor import borrow_mongod, open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store


def count_after_writing(uri, number):
    database = open_database(uri)
    with closing(database.client):
        store = Store(database)
        store.transact(lambda: store["events"].insert({"_id": number}))
        return store["events"].count({})


def test_a_command_uses_the_mongod_of_the_service_that_runs(tmp_path):
    with open_own_mongod(tmp_path) as mongod:
        with borrow_mongod(tmp_path) as uri:
            assert uri == mongod.uri
            assert count_after_writing(uri, 1) == 1
        assert count_after_writing(mongod.uri, 2) == 2


def test_command_starts_mongod_for_its_duration(tmp_path):
    with borrow_mongod(tmp_path) as uri:
        assert count_after_writing(uri, 1) == 1
    assert (tmp_path / "mongod.lock").read_text() == ""
    with open_own_mongod(tmp_path) as mongod:
        assert count_after_writing(mongod.uri, 2) == 2


def test_command_that_cannot_start_mongod_releases_the_directory(tmp_path):
    with pytest.raises(ConfigurationError):
        borrow_mongod(tmp_path, "/bin/ls").__enter__()
    with borrow_mongod(tmp_path) as uri:
        assert count_after_writing(uri, 1) == 1


def test_commands_at_the_same_time_do_not_end_each_others_mongod(tmp_path):
    program = (
        "import sys\n"
        "from calendar_app.storage.mongo.connection import open_database\n"
        "from calendar_app.storage.embedded.supervisor import borrow_mongod\n"
        "with borrow_mongod(sys.argv[1]) as uri:\n"
        "    print('in', flush=True)\n"
        "    input()\n"
        "    open_database(uri)['events'].insert_one({})\n"
    )
    commands = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", program, tmp_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for command in commands:
        assert command.stdout.readline() == b"in\n"
    # The one that started the mongod is among them; whichever it is, all get their work done.
    for command in commands:
        command.stdin.write(b"\n")
        command.stdin.close()
    assert [command.wait(30) for command in commands] == [0, 0, 0]
    for command in commands:
        command.stdout.close()
    with borrow_mongod(tmp_path) as uri:
        assert count_after_writing(uri, 1) == 4
