"""A service that is reloaded takes over other settings, or goes on as it was."""

import os
import signal
from contextlib import closing, contextmanager

import httpx
import pytest
from serving import CONFIG, PATIENCE, children_of, mongod_on, reload, serving, wait_for

from calendar_app.storage.connection import open_database
from calendar_app.storage.embedded.directory import DataDirectory
from calendar_app.storage.embedded.replica_set import address
from calendar_app.storage.embedded.supervisor import open_own_mongod

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.timeout(180)]

EVENTS = "/calendar/events/v1/events"


@contextmanager
def configured(directory):
    """Start a service with a copy of the configuration; yield both when a worker answers."""
    config = directory / "site.toml"
    config.write_text(CONFIG.read_text())
    with serving(directory / "data", config=config) as service:
        assert service.get().status_code == 200
        yield service, config


def change(config, before, after):
    text = config.read_text()
    assert before in text
    config.write_text(text.replace(before, after))


def workers_of(service, data):
    return children_of(service.process.pid) - {mongod_on(data)}


def status_of(service, path):
    return httpx.get(httpx.URL(service.events).join(path), timeout=PATIENCE).status_code


@pytest.mark.parametrize(
    ("setting", "named"),
    [
        ("nonsense = 3", "nonsense"),
        ('translation_parameter = "page"', "translation_parameter"),
    ],
)
def test_a_reload_with_settings_that_make_no_sense_changes_nothing(tmp_path, setting, named):
    with configured(tmp_path) as (service, config):
        before = workers_of(service, tmp_path / "data")
        good = config.read_text()
        lines = [line for line in good.splitlines() if line.split()[0] != setting.split()[0]]
        config.write_text("\n".join([*lines, setting]))
        service.process.send_signal(signal.SIGHUP)
        line = service.process.stderr.readline()
        assert line.startswith("Error: ")
        assert named in line
        assert line.endswith("The service goes on as it was.\n")
        assert workers_of(service, tmp_path / "data") == before
        assert service.get().status_code == 200
        config.write_text(good)
        reload(service)
        assert not workers_of(service, tmp_path / "data") & before
        assert service.get().status_code == 200
        service.end()
        assert service.process.stderr.read() == ""


def test_a_reload_that_is_asked_for_twice_takes_over_what_was_changed_last(tmp_path):
    with configured(tmp_path) as (service, config):
        change(config, "Agenda Valdorta", "Agenda Valsura")
        service.process.send_signal(signal.SIGHUP)
        change(config, "Agenda Valsura", "Agenda Valbella")
        service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: name_of(service) == "Agenda Valbella")
        assert service.end() == 0


def name_of(service):
    return httpx.get(httpx.URL(service.events).join("/"), timeout=PATIENCE).json()["name"]


def test_a_worker_that_dies_while_the_settings_make_no_sense_is_replaced_later(tmp_path):
    with configured(tmp_path) as (service, config):
        (worker,) = workers_of(service, tmp_path / "data")
        change(config, "Europe/Zurich", "Europe/Zurick")
        os.kill(worker, signal.SIGTERM)
        assert "timezone" in service.process.stderr.readline()
        change(config, "Europe/Zurick", "Europe/Zurich")
        assert service.get().status_code == 200
        assert service.process.poll() is None


def test_a_language_that_a_reload_brings_has_its_indexes(tmp_path):
    with configured(tmp_path) as (service, config):
        change(config, '["de", "rm"]', '["de", "rm", "fr"]')
        reload(service)
        assert service.get(translation_language="fr").status_code == 200
        assert status_of(service, "/readyz") == 200
        change(config, ', "fr"', "")
        reload(service)
        assert "called.fr" in fields_of_indexes(tmp_path / "data")


def fields_of_indexes(data):
    """Return the fields of events that indexes have; other instances may need what is left."""
    database = open_database(address(DataDirectory(data).socket))
    with closing(database.client):
        indexes = database["events"].index_information().values()
        return {field for index in indexes for field, _ in index["key"]}


def test_a_database_that_was_away_at_the_start_gets_its_indexes_when_it_comes(tmp_path):
    mongod = tmp_path / "mongod"
    uri = {"CALENDAR_MONGODB_URI": address(DataDirectory(mongod).socket)}
    with serving(tmp_path / "data", **uri) as service:
        assert status_of(service, "/readyz") == 503
        with open_own_mongod(mongod):
            wait_for(lambda: status_of(service, "/readyz") == 200)
            assert service.get().status_code == 200
        service.end()
        (line,) = service.process.stderr.read().splitlines()
        assert line.startswith("The database cannot be reached.")
