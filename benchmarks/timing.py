"""Times answers of the service inside one process, each made anew."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from flask import Flask
from questions import Question

from calendar_app.storage.mongo.store import Store

_PATH = "/calendar/events/v1/events"
_NOTES = "benchmark"
_ENOUGH = 1.5  # seconds for one question


@dataclass(frozen=True, slots=True)
class Timed:
    """Medians, in milliseconds, of answers to a question, and how many events match it.

    ``first`` is one behind a write, when nothing is remembered; ``again`` one with the total
    known. ``page_size`` is how many events the page holds, ``status`` that of the answer.
    """

    first: float
    again: float
    total: int
    page_size: int
    status: int


@dataclass(frozen=True, slots=True)
class Times:
    """How often a question is asked behind a write, and how often with the total known."""

    firsts: int
    agains: int


class Stopwatch:
    """Asks the service over a store."""

    def __init__(self, app: Flask, store: Store) -> None:
        self._client = app.test_client()
        self.store = store
        self._writes = 0

    def answer(self, question: Question) -> Any:
        return self._client.get(_PATH, query_string=dict(question.query))

    def write(self) -> None:
        """Write something, so that nothing that was remembered holds any more."""
        self._writes += 1
        self.store[_NOTES].upsert({"_id": 1}, {"$set": {"writes": self._writes}})

    def after_write(self, question: Question) -> float:
        """Return how many milliseconds the first answer took."""
        self.write()
        return self.took(question)

    def took(self, question: Question) -> float:
        """Return how many milliseconds an answer took."""
        began = time.perf_counter()
        self.answer(question)
        return 1000 * (time.perf_counter() - began)


def timed(pairs: Sequence[tuple[Stopwatch, Question]], times: Times) -> list[Timed]:
    """Ask each service its question again and again, for a while at most.

    They take turns, so that a moment in which the machine has other work makes none look slower.
    """
    for watch, question in pairs:
        watch.answer(question)
    firsts = _in_turn(
        times.firsts, [partial(watch.after_write, question) for watch, question in pairs]
    )
    answers = [watch.answer(question) for watch, question in pairs]
    agains = _in_turn(times.agains, [partial(watch.took, question) for watch, question in pairs])
    return [
        Timed(
            median(first), median(again), body.get("total", 0), len(body.get("events", ())), status
        )
        for first, again, (body, status) in zip(firsts, agains, map(_read, answers), strict=True)
    ]


def _read(answer: Any) -> tuple[dict[str, Any], int]:
    return answer.json or {}, answer.status_code


def _in_turn(times: int, measures: Sequence[Callable[[], float]]) -> list[list[float]]:
    """Return the measurements of each, taken in turn, until the time is over."""
    until = time.monotonic() + _ENOUGH * len(measures)
    durations: list[list[float]] = [[measure()] for measure in measures]
    while len(durations[0]) < times and time.monotonic() < until:
        for measured, measure in zip(durations, measures, strict=True):
            measured.append(measure())
    return durations
