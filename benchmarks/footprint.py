"""``make bench-footprint``: memory and disk of calendars of several sizes.

Builds each calendar on a mongod of its own, serves it with two workers, and asks for many lists.
Prints the memory of the processes, and the size of the data directory and of a backup. Removes
everything at the end.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from large_calendar import open_calendar
from population import Population
from questions import questions
from service import environment, scratch, serving
from workers import memory

from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import borrow_mongod
from calendar_app.storage.mongo.connection import open_database

_SIZES, _FEW = (1_000, 10_000), (50, 100)
_ROUNDS = 3
_MEGABYTE = 1 << 20
_LIST = "/calendar/events/v1/events?"
_PAGES = ("/events/list/", "/events/month/", "/events.ics", "/events.csv")


def main() -> None:
    """Measure each size, and print a line for it."""
    parser = argparse.ArgumentParser(description="Measure memory and disk.")
    parser.add_argument("--events", type=int, nargs="+", default=_SIZES)
    parser.add_argument("--quick", action="store_true", help="with few events")
    options = parser.parse_args()
    columns = ("worker", "mongod", "data", "backup", "seconds")
    print(f"{'events':>9}" + "".join(f"{name:>9}" for name in columns) + "  MB")
    for events in _FEW if options.quick else options.events:
        with scratch() as directory:
            figures = "".join(f"{value:>9,.1f}" for value in _figures(directory, events))
            print(f"{events:>9,}{figures}")
            sys.stdout.flush()


def _figures(directory: Path, events: int) -> Iterator[float]:
    """Yield megabytes: a worker, mongod, its directory, a backup; its seconds."""
    settings = Settings.load(environment=environment(directory))
    with borrow_mongod(settings.data, settings.mongod) as uri:
        store, population = open_calendar(uri, settings, events)
        own = _uri_of(uri, store.database.name)
        with serving(directory, CALENDAR_MONGODB_URI=own) as port:
            for _round in range(_ROUNDS):
                _ask(port, population)
            yield memory(port) / _MEGABYTE
            status = open_database(own).command("serverStatus")
            yield float(status["mem"]["resident"])
            yield _size_of(directory / "data") / _MEGABYTE
            backup = directory / "calendar.backup"
            seconds = _back_up(directory, own, backup)
            yield backup.stat().st_size / _MEGABYTE
            yield seconds


def _ask(port: int, population: Population) -> None:
    paths = [*_PAGES, *(_LIST + urlencode(question.query) for question in questions(population))]
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        for path in paths:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise RuntimeError(f"{path}: {answer.status}")


def _back_up(directory: Path, uri: str, file: Path) -> float:
    """Write a backup, and return the seconds that it took."""
    began = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "calendar_app", "backup", file],
        env={**environment(directory), "CALENDAR_MONGODB_URI": uri},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.monotonic() - began


def _size_of(directory: Path) -> int:
    """Return the bytes on disk."""
    return sum(512 * file.stat().st_blocks for file in directory.rglob("*") if file.is_file())


def _uri_of(uri: str, database: str) -> str:
    """Return the URI with the name of another database."""
    host, _, options = uri.partition("?")
    return f"{host.rpartition('/')[0]}/{database}?{options}"


if __name__ == "__main__":
    main()
