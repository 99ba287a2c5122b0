"""``make bench-ablation``: how much each mechanism gains that only makes things faster.

Each mechanism is switched off in turn, inside one process. Requests with it and without it take
turns, so that a busy machine slows both alike.
"""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import replace
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import quote

from calls import BASE, NUMBER, Call, cached_calls, uncached_calls
from service import environment, scratch
from small_calendar import SampleCalendar, fill
from werkzeug.test import Client

from calendar_app.accounts.authentication import RecentSecrets
from calendar_app.api.http.views import records
from calendar_app.app import create_app
from calendar_app.calendar.reading.reader import Reader
from calendar_app.calendar.search import naming
from calendar_app.calendar.search.parts import PartLookUps
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.kind import Record
from calendar_app.readmodel.fragments import FragmentCache
from calendar_app.settings import Settings
from calendar_app.site.pages import filters
from calendar_app.storage.cache_memory import CacheMemory, ContentKey
from calendar_app.storage.embedded.supervisor import open_calendar, open_own_mongod
from calendar_app.storage.mongo import totals
from calendar_app.storage.mongo.collection import RecordCollection
from calendar_app.storage.mongo.editions import CachedValues, EditionCache
from calendar_app.storage.mongo.marks import Mark
from calendar_app.storage.mongo.store import LookUpQuery, Store
from calendar_app.storage.mongo.transactions import current_cluster_time

_EVENTS, _FEW_EVENTS = 10_000, 50
_ROUNDS, _FEW_ROUNDS = 40, 1
_CREATION, _CHANGE = "creating an event", "changing an event"
_LONG_TEXT = "creating one with a long text"
_PHRASE, _LETTER = "page: phrase of 2 words", "page: 1 letter"
_WORDS = 300
_UNCHANGED = ("the same list, unchanged", "page: the same list, unchanged")
Off = Callable[[], AbstractContextManager[Any]]


# What somebody does before each request.
Meanwhile = Callable[[Store], object]


class Mechanism(NamedTuple):
    """What to switch off, how, and the requests that it is there for."""

    name: str
    off: Off
    rows: Sequence[str]
    meanwhile: Meanwhile = lambda _: None


def _neighbor_writes(store: Store) -> None:
    """Write to another database of the same MongoDB."""
    store.database.client["neighbor"]["notes"].insert_one({})


def _event_changes(store: Store) -> None:
    """Write an event that answers show."""
    event = store["events"].first({}, ["_id"]) or {}
    store["events"].change({"_id": event["_id"]}, {"$inc": {"document": 1, "changed": 1}})


@contextmanager
def _without_editions() -> Iterator[None]:
    """Let all that is kept end as the clock of MongoDB moves."""
    kept: dict[object, CachedValues] = {}

    def at(cache: EditionCache, _: object) -> CachedValues:
        return kept.setdefault((cache, current_cluster_time()), {})

    with patch.object(EditionCache, "at", at), _without_totals():
        yield


def _without_carrying() -> AbstractContextManager[Any]:
    return patch.object(totals, "_FEW", _EVENTS * 1000)


def _forgetting_documents() -> AbstractContextManager[Any]:
    return patch.object(EditionCache, "_carried", lambda *_: {})


@contextmanager
def _forgetting_contents() -> Iterator[None]:
    carried = EditionCache._carried  # noqa: SLF001 - switched off

    def of_documents(cache: EditionCache, values: Any, edition: Any) -> Any:
        kept = carried(cache, values, edition).items()
        return {key: value for key, value in kept if not isinstance(key, ContentKey)}

    anew = property(lambda _: CacheMemory(0).cache("filters"), lambda *_: None)
    with (
        patch.object(EditionCache, "_carried", of_documents),
        patch.object(Reader, "kept_choices", anew, create=True),
    ):
        yield


def _looking_words_up_again() -> AbstractContextManager[Any]:
    return patch.object(PartLookUps, "_still_right", lambda *_: {})


def _finding_ids_again() -> AbstractContextManager[Any]:
    return patch.object(naming, "_ids_since", lambda *_: None)


def _without_cache() -> AbstractContextManager[Any]:
    return patch.object(EditionCache, "at", lambda *_: {})


def _without_totals() -> AbstractContextManager[Any]:
    return patch.object(
        Store, "total", lambda store, kind, _, stages, __: store.of(kind).total(stages)
    )


def _without_assumptions() -> AbstractContextManager[Any]:
    return patch("calendar_app.storage.mongo.store.may_assume", lambda: False)


def _with_journal() -> AbstractContextManager[Any]:
    journaled = property(
        lambda records: records._collection,  # noqa: SLF001 - switched off
        lambda *_: None,
    )
    return patch.object(RecordCollection, "_unjournaled", journaled, create=True)


def _without_secrets() -> AbstractContextManager[Any]:
    return patch.object(RecentSecrets, "has", lambda *_: False)


def _without_words() -> AbstractContextManager[Any]:
    forgetful = property(lambda _: set(), lambda *_: None)
    return patch.object(Vocabulary, "_recent", forgetful, create=True)


def _one_by_one() -> AbstractContextManager[Any]:
    def find_each(store: Store, questions: Sequence[LookUpQuery]) -> list[list[Record]]:
        return [store[name].find(clause, fields=fields) for name, clause, fields in questions]

    return patch.object(Store, "find_each", find_each)


def _reading_links_again() -> AbstractContextManager[Any]:
    return patch.object(records, "_linked_records", lambda _: None)


def _without_choices() -> AbstractContextManager[Any]:
    def made_anew(naming: Any, question: Any, counts: Any) -> Any:
        content = filters._content(naming, counts)  # noqa: SLF001 - switched off
        return filters._choices(naming, question, content)  # noqa: SLF001 - switched off

    return patch.object(filters, "_cached_choices", made_anew)


def _without_fragments() -> AbstractContextManager[Any]:
    closed = property(lambda _: False, lambda *_: None)
    return patch.object(FragmentCache, "is_open", closed, create=True)


def _without_hints() -> AbstractContextManager[Any]:
    cursor = RecordCollection._cursor  # noqa: SLF001 - switched off
    return patch.object(
        RecordCollection,
        "_cursor",
        lambda records, stages, session, hint=None, **options: cursor(  # noqa: ARG005 - left out
            records, stages, session, **options
        ),
    )


def _asking_each_time() -> AbstractContextManager[Any]:
    return patch("calendar_app.storage.mongo.store.last_write", lambda _: None)


def _without_outbox() -> AbstractContextManager[Any]:
    return patch.object(Mark, "_store", lambda *_: None)


_LISTS = ("list of 12 events", "list by category and word", "one event", "page: list of 12 events")
_AFTER_WRITE = (_LISTS[0], "one event")
_FRAGMENTED = (
    *("list of 12 events", "list of 50 events", "one event"),
    *("page: list of 12 events", "page: month", "page: one event"),
)
_MECHANISMS = (
    Mechanism("values of one edition", _without_cache, _LISTS),
    Mechanism("totals among them", _without_totals, _LISTS[:2]),
    Mechanism("editions, not cluster times", _without_editions, _LISTS, _neighbor_writes),
    Mechanism("totals carried over a write", _without_carrying, _LISTS[:1], _event_changes),
    Mechanism("the same", _without_carrying, _LISTS[3:], _event_changes),
    Mechanism("documents kept over a write", _forgetting_documents, _AFTER_WRITE, _event_changes),
    Mechanism("contents kept over a write", _forgetting_contents, _LISTS[3:], _event_changes),
    Mechanism("words kept over a write", _looking_words_up_again, (_LETTER,), _event_changes),
    Mechanism("ids kept over a write", _finding_ids_again, (_PHRASE,), _event_changes),
    Mechanism("assumptions about look-ups", _without_assumptions, _LISTS[1:2]),
    Mechanism("choices of filters on pages", _without_choices, _LISTS[3:]),
    Mechanism("an index named to MongoDB", _without_hints, ("page: month",)),
    Mechanism("fragments", _without_fragments, _FRAGMENTED),
    Mechanism("unjournaled ids and words", _with_journal, (_CREATION,)),
    Mechanism("the last write, shared", _asking_each_time, _UNCHANGED),
    Mechanism("verified passwords", _without_secrets, (_CREATION,)),
    Mechanism("words known to be stored", _without_words, (_CREATION, _LONG_TEXT)),
    Mechanism("slugs and venues in one query", _one_by_one, (_CREATION,)),
    # What followers of the calendar cost those who write: the gain is less than one.
    Mechanism("entries of the outbox", _without_outbox, (_CREATION, _CHANGE)),
    Mechanism("linked records read once", _reading_links_again, (_CHANGE,)),
)


def main() -> None:
    """Measure, and print a line for each mechanism and request."""
    parser = argparse.ArgumentParser(description="Measure what each mechanism gains.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    with scratch() as directory, open_own_mongod(str(directory / "data")) as mongod:
        os.environ.update(environment(directory))
        settings = Settings.load()
        database = open_calendar(mongod.uri, directory / "data", own=True)
        make_indexes(Store(database), settings)
        calendar = fill(directory, _FEW_EVENTS if quick else _EVENTS)
        with Path(os.devnull).open("w") as nowhere:
            with redirect_stdout(nowhere):  # the log of requests
                clients = _Clients(
                    Client(create_app(replace(settings, cache_answers=False), database)),
                    Client(create_app(settings, database)),
                )
            rounds = _FEW_ROUNDS if quick else _ROUNDS
            lines = list(_compare(clients, Store(database), calendar, rounds, nowhere))
        database.client.close()
    print(*lines, sep="\n")


class _Clients(NamedTuple):
    """A client of a service that makes each answer anew, and of one that repeats whole answers."""

    anew: Client
    repeating: Client


def _compare(
    clients: _Clients, store: Store, calendar: SampleCalendar, rounds: int, nowhere: Any
) -> Iterator[str]:
    calls = {call.name: call for call in (*uncached_calls(calendar), *cached_calls(calendar))}
    besides = [call.beside.call for call in calls.values() if call.beside]
    calls |= {call.name: call for call in besides}
    calls[_LONG_TEXT] = _with_long_text(calls[_CREATION], calendar)
    calls |= {
        name: replace(calls["page: list of 12 events"], name=name, path=_search_page(search))
        for name, search in ((_PHRASE, _phrase_of_an_event(clients.anew)), (_LETTER, "a"))
    }
    numbers = count()
    yield f"{'without':<30}{'request':<28}{'with ms':>9}{'without ms':>12}{'gain':>7}"
    for mechanism in _MECHANISMS:
        for row in mechanism.rows:
            print(mechanism.name, row, file=sys.stderr)
            client = clients.repeating if row in _UNCHANGED else clients.anew
            with redirect_stdout(nowhere):
                request = partial(
                    _timed, client, calls[row], numbers, partial(mechanism.meanwhile, store)
                )
                pairs = [_pair(request, mechanism.off) for _ in range(rounds)]
            usual, without = (median(times) for times in zip(*pairs, strict=True))
            yield (
                f"{mechanism.name:<30}{row:<28}{usual:>9.2f}{without:>12.2f}{without / usual:>7.2f}"
            )


def _with_long_text(call: Call, calendar: SampleCalendar) -> Call:
    words = " ".join(islice(cycle(calendar.words), _WORDS))
    body = json.loads(call.body) | {"description": f"<p>{words}</p>"}
    return replace(call, name=_LONG_TEXT, body=json.dumps(body))


def _search_page(search: str) -> str:
    return f"/events/list/?search={quote(search)}"


def _phrase_of_an_event(client: Client) -> str:
    [event] = client.get(f"{BASE}/events?per_page=1").get_json()["events"]
    words = re.sub("<[^>]+>", "", event["description"]).split()
    return f'"{words[0]} {words[1]}"'


def _pair(request: Callable[[], float], off: Off) -> tuple[float, float]:
    """Return the milliseconds of a request with a mechanism and of one without it."""
    usual = request()
    with off():
        return usual, request()


def _timed(
    client: Client, call: Call, numbers: Iterator[int], meanwhile: Callable[[], object]
) -> float:
    meanwhile()
    body = call.body.replace(NUMBER, str(next(numbers)))
    began = time.perf_counter()
    response = client.open(call.path, method=call.method, headers=dict(call.headers), data=body)
    took = 1000 * (time.perf_counter() - began)
    if response.status_code != call.status:
        raise RuntimeError(f"{call.name}: {response.status}")
    return took


if __name__ == "__main__":
    main()
