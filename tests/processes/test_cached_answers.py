"""Each answer equals a freshly computed one, whatever is cached.

Three workers write by chance, one of them in a process of its own. After each write, answers of
workers that keep what they have read are compared with those of newcomers, who have nothing yet.
"""

import os
from random import Random

import pytest
from calling import BASE
from interference import requests
from random_writes import OtherProcess, small_calendar, write
from shared_writes import ASKED, CASES, share_alone

COMPARISONS = int(os.environ.get("CACHED_ANSWERS", "300"))
SEED = int(os.environ.get("CACHED_ANSWERS_SEED", "1"))
VOLATILE = {"Date", "X-Request-ID"}
# Reads after each write: of what was asked before, and of what may be new.
AGAIN, ANEW = 4, 4


@pytest.fixture(autouse=True)
def carried(monkeypatch):
    """Let small totals be carried over writes as large ones are."""
    monkeypatch.setattr("calendar_app.storage.mongo.totals._FEW", 1)


@pytest.fixture(params=CASES)
def shared_file(request, database, tmp_path, monkeypatch):
    """Return the file that tells the last write to all processes; none where others may write."""
    if request.param == ASKED:
        return ""
    file = tmp_path / "last-write"
    share_alone(monkeypatch, database, file)
    return str(file)


@pytest.fixture
def another_process(shared_file, mongod_uri, settings):
    """Return who writes by way of a service in another process."""
    process = OtherProcess(mongod_uri, settings, shared_file)
    yield process.write
    process.end()


@pytest.fixture
def writers(worker, another_process):
    """Return who writes: by two workers of this process, and by another process."""

    def by(client):
        return lambda method, path, body: client.send(method, path, json=body).status_code

    return [by(worker("admin")), by(worker("admin")), another_process]


@pytest.fixture
def calendar(as_admin, upload):
    return small_calendar(as_admin, upload)


def reads(random, ids, slugs):
    """Yield the address and the parameters of reads by chance."""
    while True:
        for path, query, _ in requests(random, ids, slugs, 1):
            yield path, query
        yield random.choice(("/", "/month", "/categories", "/rm/")), {}
        yield BASE + random.choice(("/events", "/venues", "/categories", "/tags")), {}


def answer_of(client, path, query):
    answer = client.send("GET", path, base="", query_string=query)
    headers = sorted((name, value) for name, value in answer.headers if name not in VOLATILE)
    return answer.status_code, headers, answer.get_data()


def test_every_answer_is_as_computed_from_nothing(writers, worker, anyone, calendar):
    ids, slugs = calendar
    random = Random(SEED)  # noqa: S311 - repeatable, not secret
    clients = {
        "by nobody": [anyone, worker()],
        "by an author": [worker("author2"), worker("author2", cache_answers=False)],
    }
    recent_addresses, compared, stored = [("/", {})], 0, 0
    addresses = reads(random, ids, slugs)
    while compared < COMPARISONS:
        method, path, body = write(random, ids)
        stored += random.choice(writers)(method, path, body) < 300
        newcomers = {
            "by nobody": worker(cache_answers=False),
            "by an author": worker("author2", cache_answers=False),
        }
        now = [random.choice(recent_addresses) for _ in range(AGAIN)]
        now += [next(addresses) for _ in range(ANEW)]
        recent_addresses = [*recent_addresses, *now][-20:]
        for address in now:
            for caller, own in clients.items():
                answers = [answer_of(client, *address) for client in own]
                computed = answer_of(newcomers[caller], *address)
                for answer in answers:
                    assert answer == computed, (caller, address, (method, path, body))
                compared += len(answers)
    assert stored > compared / 100
