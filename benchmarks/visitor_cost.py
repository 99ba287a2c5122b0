"""``make bench-cost``: what each request of a visitor costs, in lists of 12 events.

Counts the processor time of the service, which is this process, and of its mongod. The list is
computed anew, with nothing written. Each other request is computed three times: from nothing, as
the first one after a write, and with all that is kept.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from processes import child_named, seconds
from service import environment, scratch
from small_calendar import fill
from visitor_requests import LIST, VisitorRequest, visitor_requests
from werkzeug.test import Client

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.calendar.pace import Pace
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.richtext import plain_lines
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

_EVENTS, _FEW_EVENTS = 10_000, 50
_ROUNDS, _FEW_ROUNDS = 3, 1
# Processor time is counted in hundredths of a second: of so many lists before each request.
_LISTS, _KEPT = 20, 20
_ENOUGH = 0.5  # seconds


class Cost(NamedTuple):
    """Seconds of a request: from ``nothing``, after a ``write``, and of an answer that is ``kept``.

    ``one_list`` is what a list cost just before.
    """

    request: VisitorRequest
    one_list: float
    nothing: float
    write: float
    kept: float
    kilobytes: int


class Visitor:
    """Sends requests, and counts what they cost this process and its mongod."""

    def __init__(self, client: Client, store: Store, forget: Callable[[], None]) -> None:
        self._client = client
        self._store = store
        self._forget = forget
        self._mongod = child_named("mongod")
        self._numbers = count()

    def cost(self, request: VisitorRequest, rounds: int) -> Cost:
        """Return the seconds of a request in each case, the medians of so many rounds."""
        one_list = sum(self._anew(LIST) for _ in range(_LISTS)) / _LISTS
        nothing, write = [], []
        for _ in range(rounds):
            self._change()
            self._forget()
            nothing.append(self._cost(lambda: self._send(request)))
            self._change()
            write.append(self._cost(lambda: self._send(request)))
        size = len(self._send(request))
        again = self._again(request)
        cost = Cost(request, one_list, median(nothing), median(write), again, size // 1000)
        print(*_table([cost]), sep="\n", file=sys.stderr)
        return cost

    def _again(self, request: VisitorRequest) -> float:
        """Return the seconds of a request asked before; what is too large is not kept."""
        times: list[float] = []
        while len(times) < _KEPT and sum(times) < _ENOUGH:
            times.append(self._cost(lambda: self._send(request)))
        return sum(times) / len(times)

    def _anew(self, request: VisitorRequest) -> float:
        """Return the seconds of a request whose answer is not kept, though all else is."""
        separator = "&" if "?" in request.path else "?"
        path = f"{request.path}{separator}_={next(self._numbers)}"
        return self._cost(lambda: self._send(request._replace(path=path)))

    def _cost(self, work: Callable[[], object]) -> float:
        before = self._seconds()
        work()
        return self._seconds() - before

    def _seconds(self) -> float:
        return seconds(os.getpid()) + seconds(self._mongod)

    def _send(self, request: VisitorRequest) -> bytes:
        response = self._client.get(request.path)
        if response.status_code != request.status:
            raise RuntimeError(f"{request.name}: {response.status} {response.text[:200]}")
        body: bytes = response.data
        return body

    def _change(self) -> None:
        """Write an event that answers show."""
        events = self._store["events"]
        event = events.first({}, ["_id"]) or {}
        events.change({"_id": event["_id"]}, {"$inc": {"document": 1, "changed": 1}})


def main() -> None:
    """Measure, and print a line for each request."""
    parser = argparse.ArgumentParser(description="Measure what requests of visitors cost.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    parser.add_argument("--only", default="", help="only requests with this in their name")
    chosen = parser.parse_args()
    with scratch() as directory, open_own_mongod(str(directory / "data")) as mongod:
        os.environ.update(environment(directory))
        settings = Settings.load()
        database = open_database(mongod.uri)
        make_indexes(Store(database), settings)
        calendar = fill(directory, _FEW_EVENTS if chosen.quick else _EVENTS)
        store = Store(database)
        requests = [
            request
            for request in visitor_requests(calendar, _text(store, calendar.events[0]))
            if chosen.only in request.name
        ]
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
            app = create_app(settings, database)
            visitor = Visitor(Client(app), store, get_services(app).fragments.clear)
            with Pace.without_pauses():
                rounds = _FEW_ROUNDS if chosen.quick else _ROUNDS
                costs = [visitor.cost(request, rounds) for request in requests]
        database.client.close()
    print(*_table(costs), sep="\n")


def _text(store: Store, event: int) -> str:
    """Return the words of a description, as a visitor pastes them."""
    (record,) = store["events"].find({"_id": event})
    description: str = next(iter(record["variants"].values()))["description"]
    return plain_lines(description).replace(".", "").replace("\n", " ")


def _table(costs: Sequence[Cost]) -> Iterator[str]:
    one = median(cost.one_list for cost in costs) or 1
    yield f"{LIST.name}: {1000 * one:.2f} ms"
    yield f"{'':<40}{'nothing':>9}{'write':>8}{'kept':>7}{'KB':>7}"
    for cost in costs:
        yield (
            f"{cost.request.name:<40}{cost.nothing / one:>9.1f}{cost.write / one:>8.1f}"
            f"{cost.kept / one:>7.2f}{cost.kilobytes:>7}"
        )


if __name__ == "__main__":
    main()
