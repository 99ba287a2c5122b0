"""A service that is reloaded takes over other settings, or goes on as it was."""

import os
import re
import resource
import signal
from base64 import b64encode
from contextlib import closing, contextmanager
from http.client import HTTPConnection

import httpx
import pytest
from serving import (
    CONFIG,
    PATIENCE,
    children_of,
    lasting_children_of,
    mongod_on,
    reload,
    serving,
    wait_for,
    wait_for_reload,
)

from calendar_app.domain.fields import WORDED
from calendar_app.storage.embedded.directory import DataDirectory
from calendar_app.storage.embedded.supervisor import address, open_own_mongod
from calendar_app.storage.mongo.connection import open_database

pytestmark = pytest.mark.timeout(180)

EVENTS = "/calendar/events/v1/events"


@contextmanager
def configured(directory, *options):
    """Start a service with a copy of the configuration; yield both when a worker answers."""
    config = directory / "site.toml"
    config.write_text(CONFIG.read_text())
    with serving(directory / "data", *options, config=config) as service:
        assert service.get().status_code == 200
        yield service, config


@pytest.fixture(scope="module")
def _lasting(tmp_path_factory):
    directory = tmp_path_factory.mktemp("reloading")
    with configured(directory) as (service, config):
        yield service, config, directory / "data"


@pytest.fixture
def reloaded(_lasting):
    """Return a service that prepares nothing at present, its configuration and its data.

    Tests share it: each leaves settings with which it goes on, and ends when all reloads have.
    """
    service, config, data = _lasting
    assert children_of(service.process.pid) == lasting_children_of(service)
    assert service.get().status_code == 200
    return service, config, data


def change(config, before, after):
    text = config.read_text()
    assert before in text
    config.write_text(text.replace(before, after))


def workers_of(service, data):
    return lasting_children_of(service) - {mongod_on(data)}


def status_of(service, path):
    return httpx.get(httpx.URL(service.events).join(path), timeout=PATIENCE).status_code


def test_a_reload_with_settings_that_make_no_sense_changes_nothing(tmp_path):
    with configured(tmp_path) as (service, config):
        before = workers_of(service, tmp_path / "data")
        good = config.read_text()
        config.write_text(f"nonsense = 3\n{good}")
        service.process.send_signal(signal.SIGHUP)
        assert "is being reloaded" in service.complaint()
        line = service.complaint()
        assert line.startswith("Error: ")
        assert "nonsense" in line
        assert line.endswith("The service goes on as it was.\n")
        assert workers_of(service, tmp_path / "data") == before
        assert service.get().status_code == 200
        config.write_text(good)
        reload(service)
        assert not workers_of(service, tmp_path / "data") & before
        assert service.get().status_code == 200
        service.end()
        assert service.stderr.read() == ""


def test_second_reload_applies_the_latest_settings(reloaded):
    service, config, _ = reloaded
    change(config, "Agenda Valdorta", "Agenda Valsura")
    service.process.send_signal(signal.SIGHUP)
    change(config, "Agenda Valsura", "Agenda Valbella")
    service.process.send_signal(signal.SIGHUP)
    wait_for_reload(service)
    assert name_of(service) == "Agenda Valbella"


def name_of(service):
    return httpx.get(httpx.URL(service.events).join("/"), timeout=PATIENCE).json()["name"]


def test_a_worker_that_dies_while_the_settings_make_no_sense_is_replaced_later(reloaded):
    service, config, data = reloaded
    (worker,) = workers_of(service, data)
    change(config, "Europe/Zurich", "Europe/Zurick")
    os.kill(worker, signal.SIGKILL)
    service.complaint("timezone")
    change(config, "Europe/Zurick", "Europe/Zurich")
    assert service.get().status_code == 200
    assert service.process.poll() is None


def test_language_added_by_a_reload_has_indexes(reloaded):
    service, config, data = reloaded
    change(config, '["de", "rm"]', '["de", "rm", "fr"]')
    reload(service)
    assert service.get(translation_language="fr").status_code == 200
    assert status_of(service, "/readyz") == 200
    change(config, ', "fr"', "")
    reload(service)
    assert "display_title.fr" in fields_of_indexes(data)


def fields_of_indexes(data):
    """Return the event fields that have indexes."""
    with opened_events(data) as events:
        indexes = events.index_information().values()
        return {field for index in indexes for field, _ in index["key"]}


@contextmanager
def opened_events(data):
    database = open_database(address(DataDirectory(data).socket))
    with closing(database.client):
        yield database["events"]


def test_writes_of_old_workers_during_a_reload_are_indexed_for_new_languages(tmp_path):
    data = tmp_path / "data"
    with configured(tmp_path, "--demo") as (service, config), opened_events(data) as events:
        former = workers_of(service, data)
        with half_sent(service) as send_the_rest:
            change(config, '["de", "rm"]', '["de", "rm", "fr"]')
            service.process.send_signal(signal.SIGHUP)
            wait_for(lambda: workers_of(service, data) > former)
            assert send_the_rest() == 201
        wait_for(lambda: not workers_of(service, data) & former)
        wait_for(lambda: len(events.distinct(WORDED)) == 1)


@contextmanager
def half_sent(service):
    """Send half of an event; yield a function that sends the rest."""
    body = b'{"title": "Jam", "start_date": "tomorrow 19:00", "end_date": "tomorrow 20:00"}'
    output = "\n".join(service.output)
    token = b64encode(re.search(r"-u '?(admin:[^'\n]+)'", output)[1].encode()).decode()
    url = httpx.URL(service.events)
    with closing(HTTPConnection(url.host, url.port, timeout=PATIENCE)) as connection:
        connection.putrequest("POST", url.path)
        connection.putheader("Authorization", f"Basic {token}")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body[:9])

        def send_the_rest():
            connection.send(body[9:])
            return connection.getresponse().status

        yield send_the_rest


def test_a_reload_for_which_there_is_no_room_changes_nothing(reloaded):
    service, _, data = reloaded
    before = workers_of(service, data)
    usual = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, (3, usual[1]))
    service.process.send_signal(signal.SIGHUP)
    line = service.complaint("Too many open files")
    assert line == "Error: Too many open files. The service goes on as it was.\n"
    resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE, usual)
    assert workers_of(service, data) == before
    reload(service)
    assert service.get().status_code == 200


def test_a_database_that_was_away_at_the_start_gets_its_indexes_when_it_comes(tmp_path):
    mongod = tmp_path / "mongod"
    uri = {"CALENDAR_MONGODB_URI": address(DataDirectory(mongod).socket)}
    with serving(tmp_path / "data", **uri) as service:
        assert status_of(service, "/readyz") == 503
        with open_own_mongod(mongod):
            wait_for(lambda: status_of(service, "/readyz") == 200)
            assert service.get().status_code == 200
            assert service.complaint().startswith("The database cannot be reached.")
            wait_for_reload(service)
        service.end()
        assert service.stderr.read() == ""
