"""Proposals among 100,000 remembered pairs: the last part of ``make bench``.

The memory is that of invented events in two languages, with words as frequent as in real texts.
Queries are remembered texts, similar ones, and new ones.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median, quantiles

from sample_records import LANGUAGES
from series import Row
from service import environment, scratch
from zipf import text

from calendar_app.accounts.callers import Caller
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import BY_NAME, EVENT
from calendar_app.domain.memory import remembered
from calendar_app.parts.memory.remembering.following import MEMORY, store_documents
from calendar_app.parts.memory.remembering.proposing import Recall, RecallQuery
from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.store import Store

_PAIRS, _FEW_PAIRS, _ASKED, _FEW_ASKED = 100_000, 300, 200, 4
_BATCH = 500
_CALLER = Caller(id=1, name="editor", role="editor")
_LIMIT = 0.020  # seconds, with which each row is compared
_SEED = 31


class Texts:
    """Makes up texts whose words come as often as those of a language do."""

    def __init__(self) -> None:
        self._random = Random(_SEED)  # noqa: S311 - nothing secret, and the same at each run

    def event(self, number: int) -> Record:
        """Return an event with texts in both languages."""
        texts = {tag: self._texts(tag) for tag in LANGUAGES}
        return {"_id": number, "status": "publish", "author": 1, "origin": "de", "variants": texts}

    def sentence(self, length: int, language: str = "de") -> str:
        return text(self._random, language, length).capitalize()

    def like(self, said: str) -> str:
        """Return a text that has another word in the place of one of its own."""
        words = said.split()
        words[self._random.randrange(len(words))] = self.sentence(1)
        return " ".join(words)

    def _texts(self, language: str) -> dict[str, str]:
        sentences = [f"{self.sentence(length, language)}." for length in (8, 12, 10)]
        return {
            "title": self.sentence(4, language),
            "excerpt": f"<p>{self.sentence(9, language)}.</p>",
            "description": f"<p>{' '.join(sentences)}</p>",
        }


def main() -> None:
    """Measure, and print a line for each sort of text."""
    parser = argparse.ArgumentParser(description="Measure proposals of the memory.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    pairs, asked = (_FEW_PAIRS, _FEW_ASKED) if quick else (_PAIRS, _ASKED)
    with scratch() as directory, open_own_mongod(str(directory / "mongod")) as mongod:
        database = open_database(mongod.uri)
        store, texts = Store(database), Texts()
        make_indexes(store, Settings.load(environment=environment(directory)))
        events = _fill(store, texts, pairs)
        for row in _rows(Recall(store, BY_NAME), texts, events, asked):
            print(row, flush=True)
        database.client.close()


def _fill(store: Store, texts: Texts, pairs: int) -> Sequence[Record]:
    """Remember so many pairs; return their events."""
    events: list[Record] = []
    number = 0
    while number < pairs:
        own = [texts.event(len(events) + n + 1) for n in range(_BATCH if pairs > _BATCH else 30)]
        documents = [remembered(EVENT, event) for event in own]
        store_documents(store, documents)
        events += own
        number += sum(len(each["units"]) for each in documents)
    print(f"{number:,} pairs of {store[MEMORY].count({}):,} events")
    return events


def _rows(recall: Recall, texts: Texts, events: Sequence[Record], asked: int) -> Iterator[Row]:
    step = max(len(events) // asked, 1)
    known = [event["variants"]["de"]["title"] for event in events[::step]][:asked]
    sorts: dict[str, Callable[[int], RecallQuery]] = {
        "a title said before": lambda n: RecallQuery(known[n], field="title"),
        "a title like one": lambda n: RecallQuery(texts.like(known[n]), field="title"),
        "a new title": lambda _: RecallQuery(texts.sentence(4), field="title"),
        "a text, one sentence known": lambda n: RecallQuery(
            f"<p>{texts.sentence(10)}. {_sentence(events[n * step])} {texts.sentence(8)}.</p>",
            is_html=True,
            field="description",
        ),
    }
    for name, text_of in sorts.items():
        took = [_timed(recall, text_of(n)) for n in range(len(known))]
        usual, slow = median(took), quantiles(took, n=20)[-1]
        yield Row(f"proposing for {name}", 1000 * usual, usual / _LIMIT, 1)
        yield Row(f"proposing for {name}, p95", 1000 * slow, slow / _LIMIT, 1)


def _sentence(event: Record) -> str:
    description: str = event["variants"]["de"]["description"]
    return description.removeprefix("<p>").partition(".")[0] + "."


def _timed(recall: Recall, asked: RecallQuery) -> float:
    began = time.perf_counter()
    recall.propose([asked], "de", "rm", _CALLER)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
