"""``make bench-million``: what a large calendar costs more than a small one.

Builds a calendar of 10,000 events and a large one in a directory that it keeps, with a mongod of
their own; where they are there already, as they are. Asks all the same, inside one process and
each answer made anew, and MongoDB how it has answered. Prints a table, and draws a figure.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import UTC
from functools import partial
from pathlib import Path

from explaining import Commands, explained
from figure import figure
from growth_table import Answered, table
from large_calendar import open_calendar
from population import Population
from pymongo import monitoring
from questions import questions
from service import environment, serving
from timing import Stopwatch, Times, timed

from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import borrow_mongod
from calendar_app.storage.mongo.store import Store

_ROOT = Path(__file__).parents[1]
_SMALL, _LARGE, _TENFOLD = 10_000, 1_000_000, 10
_FEW, _MORE = 200, 600
_REPEATED, _ONCE = Times(5, 30), Times(1, 1)


def main() -> None:
    """Build what is missing, measure, print the table and draw the figure."""
    options = _options()
    sizes = [_FEW, _MORE] if options.quick else _sizes(options.events)
    settings = Settings.load(environment=environment(options.directory), cache_answers=False)
    commands = Commands()
    monitoring.register(commands)
    began = time.monotonic()
    options.directory.mkdir(parents=True, exist_ok=True)
    with borrow_mongod(settings.data, settings.mongod) as uri:
        awake = time.monotonic() - began
        calendars = [open_calendar(uri, settings, events) for events in sizes]
        measured = _measure(settings, calendars, commands, _ONCE if options.quick else _REPEATED)
        start = awake + _start_time(options.directory, uri, calendars[-1][0].database.name)
        print(table(sizes, measured, start, calendars[-1][0]))
    options.figure.write_text(figure(sizes, measured), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure how the work grows with the calendar.")
    parser.add_argument("--events", type=int, default=_LARGE, help="of the large calendar")
    parser.add_argument(
        "--directory", type=Path, default=_ROOT / "data-bench", help="where they are kept"
    )
    parser.add_argument(
        "--figure", type=Path, default=Path("growth.svg"), help="what to draw the figure into"
    )
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    return parser.parse_args()


def _sizes(events: int) -> list[int]:
    """Return tenfold steps from the small calendar to the large one."""
    sizes = [_SMALL]
    while sizes[-1] * _TENFOLD < events:
        sizes.append(sizes[-1] * _TENFOLD)
    return [*sizes, events] if events > _SMALL else sizes


def _measure(
    settings: Settings,
    calendars: Sequence[tuple[Store, Population]],
    commands: Commands,
    times: Times,
) -> list[list[Answered]]:
    """Ask each calendar everything, as on the day on which it was built."""
    watches = [_watch(settings, *calendar) for calendar in calendars]
    measured: list[list[Answered]] = [[] for _ in calendars]
    for same in zip(*(questions(population) for _, population in calendars), strict=True):
        pairs = list(zip(watches, same, strict=True))
        for answered, (watch, question), times_of_question in zip(
            measured, pairs, timed(pairs, times), strict=True
        ):
            watch.write()
            looked = explained(watch.store.database, commands, partial(watch.answer, question))
            answered.append(Answered(question, times_of_question, looked))
        sys.stderr.write(f"\r{same[0].name:45}")
    return measured


def _watch(settings: Settings, store: Store, population: Population) -> Stopwatch:
    today = population.today.replace(tzinfo=UTC)
    # A line of its log for each request would be part of what is measured.
    with redirect_stdout(Path(os.devnull).open("w")):
        app = create_app(settings, store.database, lambda: today)
    return Stopwatch(app, store)


def _start_time(directory: Path, uri: str, database: str) -> float:
    """Return the seconds until the service on a database answers."""
    began = time.monotonic()
    with serving(directory, CALENDAR_MONGODB_URI=_uri_of(uri, database)):
        return time.monotonic() - began


def _uri_of(uri: str, database: str) -> str:
    """Return the URI with the name of another database."""
    host, _, options = uri.partition("?")
    return f"{host.rpartition('/')[0]}/{database}?{options}"


if __name__ == "__main__":
    main()
