"""Liveness and readiness probes."""

import dataclasses
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from calendar_app.app import create_app
from calendar_app.mongo.connection import open_database


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, metrics=True)


@pytest.mark.parametrize(
    ("path", "expected"), [("/livez", 200), ("/readyz", 200), ("/metrics", 200)]
)
def test_health_paths_answer_with_and_without_a_slash(app, path, expected):
    web = app.test_client()
    assert [web.get(path).status_code, web.get(f"{path}/").status_code] == [expected, expected]


@pytest.fixture
def away(settings, tmp_path, monkeypatch):
    """Return a function that makes a service whose database is away, with so much disk left."""

    def make(free, uri=""):
        monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
        located = dataclasses.replace(settings, mongodb_uri=uri, data=str(tmp_path))
        database = open_database("mongodb://127.0.0.1:1/calendar?replicaSet=none")
        clients.callback(database.client.close)
        return create_app(located, database).test_client()

    with ExitStack() as clients:
        yield make


@pytest.mark.without_mongodb
@pytest.mark.parametrize(
    ("uri", "free", "reason"),
    [
        ("", 0, "Der Speicherplatz der Datenbank ist erschöpft."),
        ("", 1 << 30, "Die Datenbank ist nicht erreichbar."),
        ("mongodb://db.example/calendar", 0, "Die Datenbank ist nicht erreichbar."),
    ],
)
def test_full_disk_of_our_own_mongod_is_named(away, uri, free, reason):
    answer = away(free, uri).get("/readyz")
    assert (answer.status_code, answer.json["message"]) == (503, reason)


@pytest.mark.without_mongodb
def test_disk_of_our_own_mongod_is_measured_while_it_is_away(away):
    assert "calendar_database_disk_free_bytes 17.0" in away(17).get("/metrics").text
