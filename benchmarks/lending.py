"""Occurrences that are whole documents beside ones that lend their texts from the series.

A model of both ways in one MongoDB, without the service around it: the same events, an index for
each question, and a ``$lookup`` where texts are lent. Both ways take turns.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from pymongo.client_session import ClientSession
from pymongo.collection import Collection
from pymongo.database import Database
from sample_records import LANGUAGES, SampleRecords
from series import Calendar, in_turn, linked_ids, this_week
from service import environment, scratch

from calendar_app.domain.fields import DISPLAY_TITLE, FOLDED, HAS_TITLE, TITLE_LANGUAGES, WORDS
from calendar_app.domain.kind import Record
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod

_SERIES, _DATES, _ROUNDS = 1000, 104, 25
_FEW_SERIES, _FEW_DATES, _FEW_ROUNDS = 3, 4, 1
_PAGE, _DEEP = 50, 5000
_TIMES = ("start", "end", "start_local", "end_local")
_TEXTS = ("variants", FOLDED, "names", WORDS, DISPLAY_TITLE, TITLE_LANGUAGES, HAS_TITLE)
_TITLE = f"{DISPLAY_TITLE}.{LANGUAGES[0]}"
_BY_START = [("start_local", 1), ("_id", 1)]
_LENT: list[dict[str, Any]] = [
    {"$lookup": {"from": "series", "localField": "series", "foreignField": "_id", "as": "lent"}},
    {"$replaceWith": {"$mergeObjects": [{"$first": "$lent"}, "$$ROOT"]}},
    {"$unset": "lent"},
]
Pipeline = Sequence[dict[str, Any]]


class Whole:
    """Every occurrence has the texts."""

    def __init__(self, database: Database[Record]) -> None:
        self.database = database
        self.events: Collection[Record] = database["events"]

    def fill(self, series: Sequence[Record], dates: int) -> None:
        for event in series:
            self.events.insert_many(list(_occurrences(event, dates)))
        for field in ("categories", WORDS, _TITLE):
            self.events.create_index([(field, 1), *_BY_START])
        self.events.create_index(_BY_START)
        self.events.create_index("series")

    def page(self, clause: Record, skip: int = 0) -> None:
        _run(self.events, [{"$match": clause}, *_part(dict(_BY_START), skip)])

    def search(self, word: str) -> None:
        self.page({WORDS: word})
        self.events.count_documents({WORDS: word})

    def by_title(self, skip: int) -> None:
        _run(self.events, _part({_TITLE: 1, "start_local": 1, "_id": 1}, skip))

    def retitle(self, series: Record) -> None:
        """Replace the documents, which is faster than updating them."""
        documents = list(self.events.find({"series": series["_id"]}))
        clause = {"_id": {"$in": [each["_id"] for each in documents]}}

        def replace(session: ClientSession) -> None:
            self.events.delete_many(clause, session=session)
            self.events.insert_many(documents, session=session)

        self._in_transaction(replace)

    def _in_transaction(self, work: Callable[[ClientSession], object]) -> None:
        with self.database.client.start_session() as session:
            session.with_transaction(work)


class Lending(Whole):
    """Every occurrence has the fields by which it is found, and the texts are in its series."""

    def __init__(self, database: Database[Record]) -> None:
        super().__init__(database)
        self.series: Collection[Record] = database["series"]

    def fill(self, series: Sequence[Record], dates: int) -> None:
        self.series.insert_many(series)
        for event in series:
            lean = {name: value for name, value in event.items() if name not in _TEXTS}
            self.events.insert_many(list(_occurrences(lean, dates)))
        self.events.create_index([("categories", 1), *_BY_START])
        self.events.create_index([("series", 1), *_BY_START])
        self.events.create_index(_BY_START)
        for field in (WORDS, _TITLE):
            self.series.create_index([(field, 1), ("_id", 1)])

    def page(self, clause: Record, skip: int = 0) -> None:
        _run(self.events, [{"$match": clause}, *_part(dict(_BY_START), skip), *_LENT])

    def search(self, word: str) -> None:
        ids = [each["_id"] for each in self.series.find({WORDS: word}, {"_id": 1})]
        self.page({"series": {"$in": ids}})
        self.events.count_documents({"series": {"$in": ids}})

    def by_title(self, skip: int) -> None:
        dates = {"from": "events", "localField": "_id", "foreignField": "series", "as": "date"}
        order = {_TITLE: 1, "_id": 1}
        joined: Pipeline = [{"$sort": order}, {"$lookup": dates}, {"$unwind": "$date"}]
        _run(self.series, [*joined, {"$skip": skip}, {"$limit": _PAGE}])

    def retitle(self, series: Record) -> None:
        clause, text = {"_id": series["_id"]}, f"variants.{LANGUAGES[0]}.title"
        change = {"$set": {text: "Title"}}
        self._in_transaction(
            lambda session: self.series.update_one(clause, change, session=session)
        )


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description="Measure two ways of storing occurrences.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    with scratch() as directory, open_own_mongod(str(directory / "mongod")) as mongod:
        samples = SampleRecords()
        calendar = _calendar(mongod.uri, directory)
        ids = linked_ids(calendar, samples)
        for number in range(_FEW_SERIES if quick else _SERIES):
            calendar.create(this_week(samples.event(ids, number)))
        series = list(calendar.database["events"].find())
        client = calendar.database.client
        ways = Whole(client["whole"]), Lending(client["lending"])
        for way in ways:
            way.fill(series, _FEW_DATES if quick else _DATES)
        for line in _lines(*ways, series, _FEW_ROUNDS if quick else _ROUNDS):
            print(line, flush=True)
        client.close()


def _calendar(uri: str, directory: Path) -> Calendar:
    settings = Settings.load(environment=environment(directory), cache_answers=False)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # the log
        return Calendar(uri, "calendar", settings)


def _lines(whole: Whole, lending: Lending, series: Sequence[Record], rounds: int) -> Iterator[str]:
    middle = series[len(series) // 2]
    now = middle["start_local"] + timedelta(weeks=1)
    coming, word = {"start_local": {"$gte": now}}, middle[WORDS][0]
    in_category = {"categories": middle["categories"][0], **coming}
    questions: dict[str, Callable[[Whole], None]] = {
        "the list": lambda way: way.page(coming),
        "page 100": lambda way: way.page(coming, _DEEP),
        "one category": lambda way: way.page(in_category),
        "search, with its total": lambda way: way.search(word),
        "by title": lambda way: way.by_title(0),
        "by title, page 100": lambda way: way.by_title(_DEEP),
        "changing a text of a series": lambda way: way.retitle(middle),
    }
    yield f"{'':<36}{'whole':>12}{'lending':>12}{'ratio':>8}"
    for name, ask in questions.items():
        own, lent = in_turn(rounds, [partial(ask, whole), partial(ask, lending)])
        yield f"{name:<36}{own:>9.1f} ms{lent:>9.1f} ms{lent / own:>8.2f}"
    for name in ("dataSize", "storageSize", "indexSize"):
        own, lent = (way.database.command("dbStats")[name] / 2**20 for way in (whole, lending))
        yield f"{name:<36}{own:>9.1f} MB{lent:>9.1f} MB{lent / own:>8.2f}"


def _occurrences(event: Record, dates: int) -> Iterator[Record]:
    for number in range(dates):
        step = timedelta(weeks=number)
        times = {name: event[name] + step for name in _TIMES}
        yield event | times | {"_id": event["_id"] * 1000 + number, "series": event["_id"]}


def _part(order: dict[str, int], skip: int) -> list[dict[str, Any]]:
    return [{"$sort": order}, {"$skip": skip}, {"$limit": _PAGE}]


def _run(collection: Collection[Record], stages: Pipeline) -> None:
    list(collection.aggregate(list(stages)))


if __name__ == "__main__":
    main()
