"""Times answers of the service inside one process, each made anew."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from flask import Flask
from questions import Question

from calendar_app.storage.store import Store

_PATH = "/calendar/events/v1/events"
_NOTES = "benchmark"
_ENOUGH = 1.5  # seconds for one question


@dataclass(frozen=True, slots=True)
class Timed:
    """Medians, in milliseconds, of answers to a question, and how many events match it.

    ``first`` is one behind a write, when nothing is remembered; ``again`` one with the total
    known. ``shown`` is how many events the page holds, ``status`` that of the answer.
    """

    first: float
    again: float
    total: int
    shown: int
    status: int


class Stopwatch:
    """Asks the service over a store."""

    def __init__(self, app: Flask, store: Store, firsts: int, agains: int) -> None:
        self._client = app.test_client()
        self._store = store
        self._firsts, self._agains = firsts, agains
        self._writes = 0

    def ask(self, question: Question) -> Timed:
        """Ask again and again, for a while at most."""
        answer = self.answer(question)
        body = answer.json or {}
        firsts = self._repeated(self._firsts, lambda: self._behind_a_write(question))
        self.answer(question)
        agains = self._repeated(self._agains, lambda: self._took(question))
        total, shown = body.get("total", 0), len(body.get("events", ()))
        return Timed(median(firsts), median(agains), total, shown, answer.status_code)

    def answer(self, question: Question) -> object:
        return self._client.get(_PATH, query_string=dict(question.query))

    def write(self) -> None:
        """Write something, so that nothing that was remembered holds any more."""
        self._writes += 1
        self._store[_NOTES].upsert({"_id": 1}, {"$set": {"writes": self._writes}})

    def _behind_a_write(self, question: Question) -> float:
        self.write()
        return self._took(question)

    def _took(self, question: Question) -> float:
        began = time.perf_counter()
        self.answer(question)
        return 1000 * (time.perf_counter() - began)

    @staticmethod
    def _repeated(times: int, measure: Callable[[], float]) -> list[float]:
        until = time.monotonic() + _ENOUGH
        taken = [measure()]
        while len(taken) < times and time.monotonic() < until:
            taken.append(measure())
        return taken
