"""Liveness and readiness probes."""

import dataclasses
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from pymongo.errors import (
    AutoReconnect,
    ExecutionTimeout,
    NetworkTimeout,
    ServerSelectionTimeoutError,
    WaitQueueTimeoutError,
)
from structlog.testing import capture_logs

from calendar_app.app import create_app
from calendar_app.errors import Unavailable
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.error_translation import translate_errors


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, metrics=True)


PROBES = ("/livez", "/readyz", "/metrics")


@pytest.mark.parametrize("path", PROBES)
def test_probe_answers_at_its_address(app, path):
    assert app.test_client().get(path).status_code == 200
    assert app.test_client().get(f"{path}?verbose").status_code == 200


@pytest.mark.parametrize("path", PROBES)
@pytest.mark.parametrize(
    "spelling",
    [
        "{}/",
        "{}//",
        "{}%2f",
        "{}%00",
        "/.{}",
        "/x/..{}",
        "/rm{}",
        "/RM{}",
        "/de{}",
        "/rm{}/",
        "/rm%2f..{}",
        "/?rest_route={}",
    ],
)
def test_probe_answers_at_no_other_spelling(app, path, spelling):
    assert app.test_client().get(spelling.format(path)).status_code == 404


@pytest.mark.parametrize("path", ["/%6detrics", "/metric%73", "/METRICS", "/Metrics"])
def test_metrics_answer_at_no_encoded_spelling(app, path):
    assert app.test_client().get(path).status_code == 404


@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/rm/metrics"])
def test_metrics_with_a_socket_of_their_own_are_not_public(settings, database, path):
    elsewhere = dataclasses.replace(settings, metrics_bind="127.0.0.1:9100")
    client = create_app(elsewhere, database).test_client()
    assert client.get(path).status_code == 404
    assert client.get("/livez").status_code == 200


@pytest.fixture
def away(settings, tmp_path, monkeypatch):
    """Return a function that makes a service without a database, with so much free disk."""

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


def test_readiness_asks_the_database_once(settings, database, clock):
    client = create_app(settings, database, clock).test_client()
    with capture_logs() as lines:
        for _ in range(2):
            assert client.get("/readyz").status_code == 200
    assert [line["round_trips"] for line in lines if line["event"] == "request"] == [1, 1]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NetworkTimeout("timed out"), "The database takes too long."),
        (ExecutionTimeout("time limit"), "The database takes too long."),
        (WaitQueueTimeoutError("no connection"), "The database takes too long."),
        (ServerSelectionTimeoutError("no server"), "The database cannot be reached."),
        (AutoReconnect("closed"), "The database cannot be reached."),
    ],
)
@pytest.mark.without_mongodb
def test_slow_database_is_not_called_unreachable(error, reason):
    with pytest.raises(Unavailable, match=reason), translate_errors():
        raise error
