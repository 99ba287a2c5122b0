"""``make bench-history``: the cost of history, for writes and for lists.

Writes with history and without it take turns in one calendar. Lists of a calendar with ten saves of
each event take turns with lists of the same calendar without history.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

from flask.testing import FlaskClient
from sample_records import LANGUAGES, SampleRecords
from service import environment, scratch

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import Services
from calendar_app.app import create_app
from calendar_app.assembly.services import build_services
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import HISTORY, Recorder
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import EVERYTHING, equals
from calendar_app.storage.query.list_query import Window

_EVENTS, _SAVES, _ROUNDS = 20_000, 10, 60
_FEW_EVENTS, _FEW_ROUNDS = 20, 1
# So many are created, the others are copies of them.
_ORIGINALS = 500
_BATCH = 500
_CALLER = Caller(id=1, name="editor", role="editor")
_PATH = "/calendar/events/v1/events"
# As multiples of the same without history.
_WRITE, _LIST = 1.10, 1.05
Work = Callable[[], object]


class Row(NamedTuple):
    """Milliseconds, and the multiple of the same without history with the largest allowed one."""

    name: str
    took: float
    multiple: float = 0
    limit: float = 0

    def __str__(self) -> str:
        row = f"{self.name:<44}{self.took:>9.2f} ms"
        if not self.limit:
            return row
        verdict = "ok" if self.multiple <= self.limit else "short"
        return f"{row}{self.multiple:>8.2f}   <= {self.limit:.2f}   {verdict}"


class Calendar:
    """A calendar in a database of its own, written with history and without it."""

    def __init__(self, uri: str, name: str, settings: Settings) -> None:
        self.store = Store(open_database(uri.replace("/calendar?", f"/{name}?")))
        make_indexes(self.store, settings)
        self.services = self._services(settings, 365)
        self.without_history = self._services(settings, 0)
        self._client = FlaskClient(create_app(settings, self.store.database))

    def get(self, path: str, **query: str | int) -> None:
        """Send a read, as the first one behind a write."""
        self.store["benchmark"].upsert({"_id": 1}, {"$inc": {"writes": 1}})
        response = self._client.get(path, query_string=query)
        if response.status_code != 200:  # noqa: PLR2004 - the only right answer
            raise RuntimeError(f"{path}: {response.status}")

    def _services(self, settings: Settings, days: int) -> Services:
        own = replace(settings, history_days=days)
        return build_services(own, self.store, lambda: datetime.now(UTC))


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description="Measure the cost of history.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    events, rounds = (_FEW_EVENTS, _FEW_ROUNDS) if quick else (_EVENTS, _ROUNDS)
    with scratch() as directory, open_own_mongod(str(directory / "mongod")) as mongod:
        settings = Settings.load(environment=environment(directory), cache_answers=False)
        with Path(os.devnull).open("w") as nowhere:
            with redirect_stdout(nowhere):  # the log of requests
                kept, bare = (Calendar(mongod.uri, name, settings) for name in ("kept", "bare"))
            _measure(kept, bare, events, rounds)
        for calendar in (kept, bare):
            calendar.store.database.client.close()


def _measure(kept: Calendar, bare: Calendar, events: int, rounds: int) -> None:
    new_event = _fill(bare, events)
    _copy(bare, kept)
    _add_saves(kept)
    for row in (*_lists(kept, bare, rounds), *_writes(kept, new_event, rounds)):
        print(row, flush=True)


def _fill(calendar: Calendar, number: int) -> Callable[[int], Record]:
    """Create events without history; return what makes up further ones."""
    samples, editor = SampleRecords(), calendar.without_history.editor
    ids = {
        kind.name: [
            editor.create(kind, samples.linked(kind, n), _CALLER, LANGUAGES[0])["_id"]
            for n in range(12)
        ]
        for kind in (VENUE, ORGANIZER, CATEGORY, TAG)
    }

    first = min(number, _ORIGINALS)
    for each in range(first):
        editor.create(EVENT, samples.event(ids, each), _CALLER, LANGUAGES[0])
    _multiply(calendar.store, number // first)
    return lambda each: samples.event(ids, number + each)


def _multiply(store: Store, times: int) -> None:
    """Store each event so many times, under other ids and slugs."""
    originals = store.of(EVENT).find(EVERYTHING)
    highest = max(event["_id"] for event in originals)
    for number in range(1, times):
        copies = [
            event
            | {"_id": highest * number + event["_id"]}
            | {"slugs": [f"{slug}-{number}" for slug in event["slugs"]]}
            for event in originals
        ]
        store.of(EVENT).insert_many(copies)
    store.advance_sequence(EVENT.sequence, highest * times)


def _copy(source: Calendar, target: Calendar) -> None:
    for name in source.store.database.list_collection_names():
        documents = source.store[name].find(EVERYTHING)
        target.store.database[name].delete_many({})
        if documents:
            target.store.database[name].insert_many(documents)


def _add_saves(calendar: Calendar) -> None:
    """Give each event ten saves of its title and description."""
    recorder, events = Recorder(calendar.store, 365), calendar.store.of(EVENT).find(EVERYTHING)
    for first in range(0, len(events), _BATCH):
        pairs = [pair for event in events[first : first + _BATCH] for pair in _saves(event)]
        recorder.note((EVENT, *pair) for pair in pairs)
    calendar.store.database[EVENT.name].update_many({}, {"$set": {"revision": _SAVES}})


def _saves(event: Record) -> Iterator[tuple[Record, Record]]:
    texts = event["variants"][LANGUAGES[0]]
    states = [
        event
        | {"revision": revision}
        | {"variants": {LANGUAGES[0]: {**texts, "title": f"{texts['title']} {revision}"}}}
        for revision in range(1, _SAVES + 1)
    ]
    yield {}, states[0]
    yield from pairwise(states)


def _lists(kept: Calendar, bare: Calendar, rounds: int) -> Iterator[Row]:
    queries: dict[str, dict[str, str | int]] = {
        "the list": {},
        "page 100": {"page": min(100, 1 + rounds)},
        "search": {"search": SampleRecords().words[0]},
    }
    for name, query in queries.items():
        works = [partial(calendar.get, _PATH, **query) for calendar in (kept, bare)]
        took, without = _in_turn(rounds, works)
        yield Row(f"{name}, beside {_SAVES} saves of each event", took, took / without, _LIST)


def _writes(calendar: Calendar, new_event: Callable[[int], Record], rounds: int) -> Iterator[Row]:
    event = calendar.store.of(EVENT).find(EVERYTHING, limit=1)[0]
    editors = [each.editor for each in (calendar.services, calendar.without_history)]
    numbers = count()

    def creating(editor: Editor) -> Work:
        return lambda: editor.create(EVENT, new_event(next(numbers)), _CALLER, LANGUAGES[0])

    def changing(editor: Editor) -> Work:
        return lambda: editor.change(
            EVENT,
            event["_id"],
            {"variants": {LANGUAGES[0]: {"title": f"Title {next(numbers)}"}}},
            _CALLER,
            LANGUAGES[0],
        )

    for name, make in (("creating an event", creating), ("changing a title", changing)):
        took, without = _in_turn(rounds, [make(editor) for editor in editors])
        yield Row(f"{name}, with history", took, took / without, _WRITE)
    yield from _readings(calendar, rounds)


def _readings(calendar: Calendar, rounds: int) -> Iterator[Row]:
    """Yield the time of the last page of saves, of an earlier state, and the size of an entry."""
    history = calendar.services.history
    event = calendar.store.of(EVENT).find(equals("revision", _SAVES), limit=1)[0]
    page, state = _in_turn(
        rounds,
        [
            lambda: history.page(EVENT, event["_id"], Window(1, 12)),
            lambda: history.state(EVENT, event, 1),
        ],
    )
    yield Row("the saves of an event", page)
    yield Row(f"its state {_SAVES - 1} saves ago", state)
    stats = calendar.store.database.command("collStats", HISTORY)
    size = (stats["storageSize"] + stats["totalIndexSize"]) / stats["count"]
    print(f"{'an entry on the disk, with its indexes':<44}{size:>9.0f} bytes", flush=True)


def _in_turn(rounds: int, works: Sequence[Work]) -> list[float]:
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
