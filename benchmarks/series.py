"""Series beside single events: the second part of ``make bench``.

Lists among 100,000 occurrences are compared with lists among as many single events with the same
texts and dates, and writes of a series with creating one event. All take turns.
"""

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import NamedTuple

from sample_records import LANGUAGES, SampleRecords
from service import environment, scratch

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import Services
from calendar_app.app import create_app
from calendar_app.assembly.services import build_services
from calendar_app.calendar.series.occurrences import detached
from calendar_app.cli.indexing import filling, make_indexes
from calendar_app.domain.fields import WORDS
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.domain.recurrence.notation import parse
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, equals

_SERIES, _DATES, _ROUNDS = 1000, 104, 15
_FEW_SERIES, _FEW_DATES, _FEW_ROUNDS = 3, 4, 1
_CALLER = Caller(id=1, name="editor", role="editor")
_PATH = "/calendar/events/v1/events"
_LISTS: Mapping[str, Mapping[str, str | int]] = {
    "the list": {},
    "page 100": {"page": 100},
    "one category": {"categories": "1"},
    "search": {"search": ""},
    "by title": {"orderby": "title"},
}
# As multiples: of the same list among single events, and of creating one event.
_LIST, _MADE, _CHANGED = 1.2, 6, 4
_EXTENDED = 5.0  # seconds
_MONTH = timedelta(days=31)


class Row(NamedTuple):
    """A measurement in milliseconds, its multiple of a baseline, and the largest allowed one.

    Where a time alone is limited, the baseline is a second.
    """

    name: str
    took: float
    multiple: float | None = None
    limit: float = 0

    def __str__(self) -> str:
        row = f"{self.name:<44}{self.took:>9.1f} ms"
        if self.multiple is None:
            return row
        if not self.limit:
            return f"{row}{self.multiple:>8.2f}"
        verdict = "ok" if self.multiple <= self.limit else "short"
        return f"{row}{self.multiple:>8.2f}   <= {self.limit:.2f}   {verdict}"


class Calendar:
    """A calendar in a database of its own, whose time can go on."""

    def __init__(self, uri: str, name: str, settings: Settings) -> None:
        self.database = open_database(uri.replace("/calendar?", f"/{name}?"))
        self.store = Store(self.database)
        self._now = datetime.now(UTC)
        make_indexes(self.store, settings)
        self.services: Services = build_services(settings, self.store, self._clock)
        self._client = create_app(settings, self.database, self._clock).test_client()

    def advance(self, span: timedelta) -> None:
        self._now += span

    def list(self, **query: str | int) -> None:
        """Ask for a list, as the first one behind a write."""
        self.store["benchmark"].upsert({"_id": 1}, {"$inc": {"writes": 1}})
        self._client.get(_PATH, query_string=query)

    def create(self, changes: Record, rule: str = "") -> Record:
        recurrence = {"recurrence": parse({"rrule": rule}, self._now)} if rule else {}
        return self.services.editor.create(EVENT, changes | recurrence, _CALLER, LANGUAGES[0])

    def retitle(self, event: Record, title: str) -> None:
        """Change a text of a whole series."""
        changes = {"variants": {LANGUAGES[0]: {"title": title}}, "scope": "all"}
        self.services.editor.change(EVENT, event["_id"], changes, _CALLER, LANGUAGES[0])

    def _clock(self) -> datetime:
        return self._now


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description="Measure series beside single events.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    with scratch() as directory, open_own_mongod(str(directory / "mongod")) as mongod:
        settings = Settings.load(environment=environment(directory), cache_answers=False)
        with Path(os.devnull).open("w") as nowhere:
            with redirect_stdout(nowhere):  # the log of requests
                recurring = Calendar(mongod.uri, "recurring", settings)
                single = Calendar(mongod.uri, "single", settings)
            for row in _rows(recurring, single, quick=quick):
                print(row, flush=True)
        for calendar in (recurring, single):
            calendar.database.client.close()


def _rows(recurring: Calendar, single: Calendar, *, quick: bool) -> Sequence[Row]:
    number, dates = (_FEW_SERIES, _FEW_DATES) if quick else (_SERIES, _DATES)
    rounds = _FEW_ROUNDS if quick else _ROUNDS
    samples = SampleRecords()
    events = _fill(recurring, samples, number, dates)
    _copy_as_single(recurring, single)
    rows = list(_compare_lists(recurring, single, samples, rounds))
    rows += _compare_writes(recurring, [events(n) for n in range(rounds + 1)], rounds)
    recurring.advance(_MONTH)
    began = time.perf_counter()
    added = recurring.services.horizon.extend()
    seconds = time.perf_counter() - began
    name = f"{number:,} series extended by a month: {added:,}"
    return [*rows, Row(name, 1000 * seconds, seconds, _EXTENDED)]


def _fill(
    calendar: Calendar, samples: SampleRecords, number: int, dates: int
) -> Callable[[int], Record]:
    """Create weekly series without end; return what makes up further events."""
    ids = linked_ids(calendar, samples)
    rule = "FREQ=WEEKLY" if dates == _DATES else f"FREQ=WEEKLY;COUNT={dates}"
    with filling(calendar.store, calendar.services.settings):
        for each in range(number):
            calendar.create(this_week(samples.event(ids, each)), rule)
    return lambda each: this_week(samples.event(ids, number + each))


def linked_ids(calendar: Calendar, samples: SampleRecords) -> dict[str, list[int]]:
    """Create what events link to; return the ids by kind."""
    create = calendar.services.editor.create
    return {
        kind.name: [
            create(kind, samples.linked(kind, n), _CALLER, LANGUAGES[0])["_id"] for n in range(12)
        ]
        for kind in (VENUE, ORGANIZER, CATEGORY, TAG)
    }


def this_week(changes: Record) -> Record:
    """Return an event of this week, so that its series fills two years."""
    start = changes["start"].wall
    day = datetime.now(UTC).date() + timedelta(days=start.day % 7)
    step = datetime.combine(day, start.time()) - start
    moved = {name: type(changes[name])(changes[name].wall + step) for name in ("start", "end")}
    return changes | moved


def _copy_as_single(recurring: Calendar, single: Calendar) -> None:
    """Store the occurrences of one calendar as the single events of another."""
    for name in recurring.database.list_collection_names():
        if name in (EVENT.name, SERIES.name, "benchmark"):
            continue
        documents = recurring.store[name].find(EVERYTHING)
        single.database[name].delete_many({})
        if documents:
            single.database[name].insert_many(documents)
    # An occurrence is found by the words of its series, a single event by its own.
    all_series = recurring.store[SERIES.name].find(EVERYTHING, fields=[WORDS])
    words = {series["_id"]: series[WORDS] for series in all_series}
    with filling(single.store, single.services.settings):
        for number, own in words.items():
            occurrences = recurring.store[EVENT.name].find(equals("series", number))
            single.database[EVENT.name].insert_many(
                [detached(event) | {WORDS: own} for event in occurrences]
            )


def _compare_lists(
    recurring: Calendar, single: Calendar, samples: SampleRecords, rounds: int
) -> Sequence[Row]:
    category = recurring.store[CATEGORY.name].find(EVERYTHING, limit=1)[0]["_id"]
    rows = []
    for name, query in _LISTS.items():
        filled = {"search": samples.words[0], "categories": str(category)}
        asked = {name: filled.get(name, value) for name, value in query.items()}
        both = (recurring, single)
        took, baseline = in_turn(rounds, [_asking(calendar, asked) for calendar in both])
        rows.append(Row(f"{name}, among occurrences", took, took / baseline, _LIST))
    return rows


def _asking(calendar: Calendar, query: dict[str, str | int]) -> Callable[[], None]:
    return lambda: calendar.list(**query)


def _compare_writes(calendar: Calendar, events: list[Record], rounds: int) -> Sequence[Row]:
    rule = f"FREQ=WEEKLY;COUNT={_DATES}"
    titles, series = iter(range(2 * rounds + 2)), calendar.create(events[0], rule)
    copies = iter([event for event in events for _ in range(2)])
    one, made, changed = in_turn(
        rounds,
        [
            lambda: calendar.create(next(copies)),
            lambda: calendar.create(next(copies), rule),
            lambda: calendar.retitle(series, f"Title {next(titles)}"),
        ],
    )
    return [
        Row("creating an event", one),
        Row(f"creating a series of {_DATES}", made, made / one, _MADE),
        Row("changing a text of it", changed, changed / one, _CHANGED),
    ]


def in_turn(rounds: int, works: Sequence[Callable[[], object]]) -> list[float]:
    """Return the median of each, in milliseconds."""
    durations: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for own, work in zip(durations, works, strict=True):
            began = time.perf_counter()
            work()
            own.append(1000 * (time.perf_counter() - began))
    return [median(own) for own in durations]


if __name__ == "__main__":
    main()
