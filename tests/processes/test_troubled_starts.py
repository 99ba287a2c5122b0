"""A start in trouble says why, and goes on as soon as it can."""

import os
import signal
from contextlib import closing

import pytest
from pymongo import ReadPreference
from serving import GUNICORN, OURS, children_of, launched, read, status_of, wait_for

from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database

pytestmark = pytest.mark.timeout(300)


def child_with(process, words):
    """Wait for a child of the service with these words in its command, and return it."""

    def find():
        children = children_of(process.pid)
        return next((child for child in children if words in read(f"/proc/{child}/cmdline")), 0)

    return wait_for(find)


def test_worker_that_is_killed_before_it_serves_is_replaced(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as output, launched(OURS, tmp_path / "data", output) as (process, client):
        worker = child_with(process, "calendar_app.server")
        os.kill(worker, signal.SIGKILL)
        wait_for(lambda: status_of(client) == 200)
    assert f"Worker {worker} was killed (SIGKILL" in log.read_text()


def test_start_ends_with_a_word_where_its_preparation_is_killed(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as output, launched(OURS, tmp_path / "data", output) as (process, _):
        os.kill(child_with(process, "\0indexes\0"), signal.SIGKILL)
        assert wait_for(lambda: process.poll() is not None and process.returncode) == 1
    (line,) = log.read_text().splitlines()
    assert line.startswith("Error: The preparation was killed (SIGKILL")


@pytest.mark.parametrize(("command", "reason"), [(OURS, "503"), (GUNICORN, "The start waits")])
def test_election_during_the_start_is_waited_for(tmp_path, command, reason):
    log = tmp_path / "log"
    with (
        open_own_mongod(tmp_path / "own") as mongod,
        log.open("w") as output,
        launched(command, tmp_path / "data", output, CALENDAR_MONGODB_URI=mongod.uri) as (
            process,
            client,
        ),
    ):
        child_with(process, "\0indexes\0")
        database = open_database(mongod.uri)
        with closing(database.client):
            admin = database.client.admin
            admin.command("replSetStepDown", 100, secondaryCatchUpPeriodSecs=0, force=True)
            wait_for(lambda: status_of(client) != 200 and reason in log.read_text())
            admin.command("replSetFreeze", 0, read_preference=ReadPreference.NEAREST)
        wait_for(lambda: status_of(client) == 200)
