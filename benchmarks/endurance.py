"""``make bench-hour``: memory of the service after an hour of mixed requests.

Starts the service as it is delivered, with 10,000 events and its own mongod in a directory of its
own, and removes all of it at the end. Prints a line every few minutes: the requests so far, the
largest worker, mongod, and what of the cache that it may have mongod uses.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import Event

from calls import Call
from mixed_requests import SITE_LANGUAGES, mixed_requests
from service import environment, scratch, serving
from small_calendar import SampleCalendar, fill
from workers import memory

from calendar_app.cli.database import opened_store
from calendar_app.settings import Settings

_EVENTS, _FEW_EVENTS = 10_000, 50
_MINUTES, _RATE, _LINES = 60.0, 100.0, 12
_CLIENTS = 4
_MEGABYTE = 1 << 20
# There is no such page any more, and nothing is left to take out of a language.
_EXPECTED = {"page": (200, 404), "site": (200, 301, 404), "removed": (200, 400, 404, 409)}
_MANY_LANGUAGES = {"CALENDAR_LANGUAGES": ",".join(SITE_LANGUAGES)}


@dataclass(slots=True)
class Progress:
    """How many requests were answered; when ``over``, no more are sent."""

    over: Event
    answered: int = 0


def main() -> None:
    """Send requests, and print the memory in use."""
    parser = argparse.ArgumentParser(description="Measure the memory under a lasting load.")
    parser.add_argument("--minutes", type=float, default=_MINUTES)
    parser.add_argument("--rate", type=float, default=_RATE, help="requests a second")
    parser.add_argument("--quick", action="store_true", help="with few events")
    options = parser.parse_args()
    with scratch() as directory, serving(directory, **_MANY_LANGUAGES) as port:
        calendar = fill(directory, _FEW_EVENTS if options.quick else _EVENTS, **_MANY_LANGUAGES)
        _run(port, calendar, directory, 60 * options.minutes, options.rate / _CLIENTS)


def _run(port: int, calendar: SampleCalendar, directory: Path, seconds: float, rate: float) -> None:
    progress = Progress(Event())
    print(f"{'minutes':>8}{'requests':>11}{'worker':>9}{'mongod':>9}{'cache':>9}{'of':>9}  MB")
    with ThreadPoolExecutor(_CLIENTS) as pool:
        clients = [pool.submit(_send, port, calendar, n, rate, progress) for n in range(_CLIENTS)]
        try:
            for number in range(_LINES + 1):
                sizes = (memory(port), *_of_mongod(directory))
                figures = "".join(f"{size / _MEGABYTE:>9,.0f}" for size in sizes)
                print(f"{number * seconds / _LINES / 60:>8.1f}{progress.answered:>11,}{figures}")
                sys.stdout.flush()
                if number == _LINES or any(client.done() for client in clients):
                    break
                time.sleep(seconds / _LINES)
        finally:
            progress.over.set()
        for client in clients:
            client.result()


def _send(port: int, calendar: SampleCalendar, seed: int, rate: float, progress: Progress) -> None:
    """Send requests one by one until it is over. Raises ``RuntimeError`` where one goes wrong."""
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        for call in mixed_requests(calendar, seed):
            if progress.over.wait(1 / rate):
                return
            _require(connection, call)
            progress.answered += 1


def _require(connection: HTTPConnection, call: Call) -> None:
    connection.request(call.method, call.path, call.body or None, dict(call.headers))
    answer = connection.getresponse()
    body = answer.read()
    if answer.status not in _EXPECTED.get(call.name, (call.status,)):
        raise RuntimeError(f"{call.method} {call.path}: {answer.status} {body[:500]!r}")


def _of_mongod(directory: Path) -> tuple[int, int, int]:
    """Return bytes: the memory of mongod, and what of its cache it uses and may use."""
    settings = Settings.load(environment=environment(directory))
    with opened_store(settings) as store:
        status = store.database.command("serverStatus")
    cache = status["wiredTiger"]["cache"]
    return (
        status["mem"]["resident"] * _MEGABYTE,
        cache["bytes currently in the cache"],
        cache["maximum bytes configured"],
    )


if __name__ == "__main__":
    main()
