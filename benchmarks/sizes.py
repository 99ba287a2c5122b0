"""What a tenfold calendar costs: the last part of ``make bench``.

Builds a calendar of 10,000 events and one of 100,000, and removes them at the end. Both answer the
same requests in turn, inside one process, each as the first one behind a change of an event.
"""

import argparse
import json
import os
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from datetime import UTC, timedelta
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import urlencode

from large_calendar import open_calendar
from population import LANGUAGES, Population
from series import Row
from service import environment, scratch
from werkzeug.test import Client
from zipf import COMMON, words

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.site.desk.sessions import COOKIE
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.store import Store

_SIZES, _FEW = (10_000, 100_000), (100, 300)
_ROUNDS, _FEW_ROUNDS = 15, 1
_API = "/calendar/events/v1"
_LIMIT = 1.5
_EDITOR = 1
_OK = 200


class Question(NamedTuple):
    """A request; ``limit`` is how many times as long it may take in the larger calendar.

    In the path, ``{event}`` stands for the first event of the calendar.
    """

    name: str
    path: str
    limit: float = 0


class SizedCalendar:
    """A calendar of so many events, with an editor who is logged in at the desk."""

    def __init__(self, settings: Settings, store: Store, population: Population) -> None:
        self.population = population
        today = population.today.replace(tzinfo=UTC)
        app = create_app(settings, store.database, lambda: today)
        accounts = get_services(app).accounts
        secret = accounts.add("editor", "editor", id=_EDITOR)
        token = b64encode(f"editor:{secret}".encode()).decode()
        self._headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}
        self._client = Client(app)
        session = accounts.sessions.begin(_EDITOR, timedelta(days=1))
        self._client.set_cookie(COOKIE, session, path="/desk")
        self._numbers = count(1)

    def first(self, path: str) -> float:
        """Return how many milliseconds the first answer takes after a change of an event."""
        number = next(self._numbers)
        event = f"{_API}/events/{self.population.first_event + number}"
        change = json.dumps({"title": f"Changed {number}"})
        self._answer("PATCH", event, change)
        began = time.perf_counter()
        self._answer("GET", path.format(event=self.population.first_event))
        return 1000 * (time.perf_counter() - began)

    def _answer(self, method: str, path: str, body: str = "") -> None:
        headers = self._headers if body else {}
        response = self._client.open(path, method=method, data=body, headers=headers)
        if response.status_code != _OK:
            raise RuntimeError(f"{path}: {response.status} {response.text[:500]}")


def main() -> None:
    """Measure, and print a line for each request."""
    parser = argparse.ArgumentParser(description="Measure first answers in two calendars.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    with scratch() as directory, open_own_mongod(str(directory / "data")) as mongod:
        settings = Settings.load(environment=environment(directory), cache_answers=False)
        built = [open_calendar(mongod.uri, settings, size) for size in (_FEW if quick else _SIZES)]
        with Path(os.devnull).open("w") as nowhere:
            with redirect_stdout(nowhere):  # the log of requests
                calendars = [SizedCalendar(settings, *each) for each in built]
            for row in _rows(calendars, _FEW_ROUNDS if quick else _ROUNDS):
                print(row, flush=True)


def _rows(calendars: Sequence[SizedCalendar], rounds: int) -> Iterator[Row]:
    sizes = " beside ".join(f"{calendar.population.events:,}" for calendar in reversed(calendars))
    for question in _questions():
        times = [[calendar.first(question.path) for calendar in calendars] for _ in range(rounds)]
        small, large = (median(own) for own in zip(*times, strict=True))
        yield Row(f"first {question.name}, {sizes}", large, large / small, question.limit)


def _questions() -> Sequence[Question]:
    # A common word, of which all but the end is typed.
    typed = {"search": words(LANGUAGES[0])[COMMON][:-1]}
    return (
        Question("list of 12", f"{_API}/events?per_page=12", _LIMIT),
        Question("list by category", f"{_API}/events?per_page=12&categories=1", _LIMIT),
        Question("list page", "/events/list/?per_page=12"),
        Question("month page", "/events/month/"),
        Question("suggestions", f"/events/suggestions?{urlencode(typed)}", _LIMIT),
        Question("desk list", "/desk/events/"),
        Question("desk translations", "/desk/translations/", _LIMIT),
        Question("event form", "/desk/events/{event}", _LIMIT),
    )


if __name__ == "__main__":
    main()
