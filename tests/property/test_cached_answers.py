"""Whatever is kept, each answer is the one that is computed from nothing.

Three workers write by chance, one of them in a process of its own. After each write, answers of
workers that keep what they have read are compared with those of newcomers, who have nothing yet.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from calling import BASE
from interference import requests

COMPARISONS = int(os.environ.get("CACHED_ANSWERS", "300"))
SEED = int(os.environ.get("CACHED_ANSWERS_SEED", "1"))
VOLATILE = {"Date", "X-Request-ID"}
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
# Reads after each write: of what was asked before, and of what may be new.
AGAIN, ANEW = 4, 4
TESTS = Path(__file__).parents[1]
# Writes what lines of JSON tell, as the administrator, and answers with a line for each.
ANOTHER_PROCESS = """
import json, os, sys
from calling import Client
from clock import Clock
from calendar_app.app import create_app
from calendar_app.mongo.connection import open_database
from calendar_app.settings import Settings

answers = os.fdopen(os.dup(1), "w")
sys.stdout = open(os.devnull, "w")
uri, settings = json.loads(sys.argv[1])
app = create_app(Settings.load(environment={}, **settings), open_database(uri), Clock())
client = Client(app, "admin", 1)
for line in sys.stdin:
    method, path, body = json.loads(line)
    answer = client.send(method, path, json=body)
    print(answer.status_code, file=answers, flush=True)
"""


@pytest.fixture(autouse=True)
def carried(monkeypatch):
    """Let small totals be carried over writes as large ones are."""
    monkeypatch.setattr("calendar_app.mongo.totals._FEW", 1)


@pytest.fixture
def another_process(database, mongod_uri, settings):
    """Return who writes by way of a service in another process."""
    del database
    same = {
        name: getattr(settings, name)
        for name in ("site_url", "languages", "default_language", "timezone")
    }
    arguments = [sys.executable, "-c", ANOTHER_PROCESS, json.dumps([mongod_uri, same])]
    with subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(TESTS)},
    ) as process:

        def write(method, path, body):
            process.stdin.write(json.dumps([method, path, body]) + "\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield write
        process.stdin.close()


@pytest.fixture
def writers(worker, another_process):
    """Return who writes: by two workers of this process, and by another process."""

    def by(client):
        return lambda method, path, body: client.send(method, path, json=body).status_code

    return [by(worker("admin")), by(worker("admin")), another_process]


@pytest.fixture
def calendar(as_admin, upload):
    """Return the ids and the slugs of a small calendar, by kind."""
    ids, slugs = {"media": [upload()["id"]]}, {}

    def make(kind, **body):
        record = as_admin.post(f"/{kind}", **body).json
        ids.setdefault(kind, []).append(record["id"])
        slugs.setdefault(kind, []).append(record["slug"])
        return record["id"]

    venues = [make("venues", venue="Hall", geo_lat=46.85, geo_lng=9.53)]
    venues.append(make("venues", venue="Secret hall"))
    organizers = [make("organizers", organizer=name) for name in ("Club", "Market")]
    categories = [make("categories", name=name) for name in ("Category", "Concert")]
    tags = [make("tags", name=name) for name in ("Tag", "Zeta")]
    for number, title in enumerate(("Market concert", "Secret zeta", "Hall", "Locked market")):
        linked = {"venue": venues[number % 2], "organizer": organizers[number % 2]}
        terms = {"categories": categories[: number % 3], "tags": tags[: number % 2]}
        make("events", title=title, **linked, **terms, **EVENING)
    series = make("events", title="Weekly", recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"}, **EVENING)
    dates = as_admin.get(f"/series/{series}/events", per_page=50).json["events"]
    ids["series"], ids["events"] = [series], sorted({*ids["events"], *(e["id"] for e in dates)})
    return ids, slugs


def write(random, ids):
    """Return the method, the path and the body of a write by chance."""
    event, venue, organizer, category, tag = (
        random.choice(ids[kind])
        for kind in ("events", "venues", "organizers", "categories", "tags")
    )
    word = random.choice(("market", "concert", "secret", "zeta", "hall"))
    hour, above = random.randint(8, 20), random.choice((0, *ids["categories"]))
    times = {"start_date": f"2030-03-{hour} {hour}:00:00", "end_date": f"2030-03-{hour} 23:00:00"}
    status = random.choice(("publish", "publish", "draft", "private", "future"))
    return random.choice(
        (
            ("PATCH", f"/events/{event}", {"title": f"Another {word}"}),
            ("PATCH", f"/events/{event}?translation_language=rm", {"title": f"In {word}"}),
            ("PATCH", f"/events/{event}", {"status": status}),
            ("PATCH", f"/events/{event}", {"venue": venue, "organizer": [organizer]}),
            ("PATCH", f"/events/{event}", {"categories": [category], "tags": [tag]}),
            ("PATCH", f"/events/{event}", {"password": random.choice(("", "open sesame"))}),
            ("PATCH", f"/events/{event}", {"hide_from_listings": random.random() < 0.5}),
            ("PATCH", f"/events/{event}", times),
            ("PATCH", f"/events/{event}", {"post_parent": random.choice(ids["events"])}),
            ("DELETE", f"/events/{event}", None),
            ("PUT", f"/events/{event}", {"title": f"All {word}", **times}),
            ("POST", "/events", {"title": f"New {word}", "tags": [f"{word} tag"], **times}),
            (
                "POST",
                "/events",
                {"title": f"At {word}", "venue": {"venue": f"Hall {word}"}, **times},
            ),
            ("PATCH", f"/venues/{venue}", {"venue": f"Hall of {word}"}),
            ("PATCH", f"/venues/{venue}", {"geo_lat": 46 + hour / 20, "geo_lng": 9.5}),
            ("PATCH", f"/venues/{venue}", {"status": status}),
            ("PATCH", f"/organizers/{organizer}", {"organizer": f"Club {word}"}),
            ("PATCH", f"/organizers/{organizer}", {"status": status}),
            ("PATCH", f"/categories/{category}", {"name": f"{word} {hour}"}),
            (
                "PATCH",
                f"/categories/{category}",
                {"parent": above},
            ),
            ("PATCH", f"/tags/{tag}", {"slug": f"{word}-{hour}"}),
            ("PATCH", f"/series/{ids['series'][0]}", {"description": word}),
            ("PATCH", f"/series/{ids['series'][0]}", {"venue": venue}),
            ("POST", f"/{random.choice(('categories', 'tags'))}", {"name": f"{word} {event}"}),
            ("PATCH", f"/media/{ids['media'][0]}", {"alt_text": word}),
            ("PATCH", f"/events/{event}", {"image": ids["media"][0]}),
            ("DELETE", f"/{random.choice(('venues', 'organizers'))}/9999?force=true", None),
        )
    )


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
        "by an author": [worker("author2"), worker("author2", remember_answers=0)],
    }
    asked, compared, stored = [("/", {})], 0, 0
    addresses = reads(random, ids, slugs)
    while compared < COMPARISONS:
        method, path, body = write(random, ids)
        stored += random.choice(writers)(method, path, body) < 300
        newcomers = {
            "by nobody": worker(remember_answers=0),
            "by an author": worker("author2", remember_answers=0),
        }
        now = [random.choice(asked) for _ in range(AGAIN)]
        now += [next(addresses) for _ in range(ANEW)]
        asked = [*asked, *now][-20:]
        for address in now:
            for caller, own in clients.items():
                given = [answer_of(client, *address) for client in own]
                computed = answer_of(newcomers[caller], *address)
                for answer in given:
                    assert answer == computed, (caller, address, (method, path, body))
                compared += len(given)
    assert stored > compared / 100
