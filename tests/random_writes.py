"""Writes by chance, from this process and from another one, to a small calendar."""

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
TESTS = Path(__file__).parent
# Writes what lines of JSON tell, as the administrator, and answers with a line for each.
ANOTHER_PROCESS = """
import json, os, sys
from pathlib import Path
from calling import Client
from clock import Clock
from calendar_app.app import create_app
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.last_write import share_last_write
from calendar_app.settings import Settings

answers = os.fdopen(os.dup(1), "w")
sys.stdout = open(os.devnull, "w")
uri, settings, shared_file = json.loads(sys.argv[1])
database = open_database(uri)
if shared_file:
    share_last_write(database, Path(shared_file))
app = create_app(Settings.load(environment={}, **settings), database, Clock())
client = Client(app, "admin", 1)
for line in sys.stdin:
    method, path, body = json.loads(line)
    answer = client.send(method, path, json=body)
    print(answer.status_code, file=answers, flush=True)
"""


class OtherProcess:
    """A service in a process of its own, which is started again after it was killed."""

    def __init__(self, uri, settings, shared_file=""):
        names = ("site_url", "languages", "default_language", "timezone")
        same = {name: getattr(settings, name) for name in names}
        self._arguments = [
            sys.executable,
            "-c",
            ANOTHER_PROCESS,
            json.dumps([uri, same, shared_file]),
        ]
        self._process = None

    def write(self, method, path, body):
        """Return the status of a write."""
        self._send(method, path, body)
        return int(self._process.stdout.readline())

    def write_and_die(self, method, path, body, seconds):
        """Begin a write, and kill the process so many seconds later: it is stored or not."""
        self._send(method, path, body)
        time.sleep(seconds)
        self.end()

    def end(self):
        if self._process:
            self._process.kill()
            with suppress(BrokenPipeError):
                self._process.communicate()
            self._process = None

    def _send(self, *request):
        if self._process is None:
            self._process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=os.environ | {"PYTHONPATH": str(TESTS)},
            )
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()


def small_calendar(as_admin, upload):
    """Make a small calendar; return its ids and its slugs, by kind."""
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
