"""Questions that need no way of their own to the database: they go along with the next one.

What they ask is asked by itself only where its answer is wanted before any question that can take
others along.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.query.stages import COLLECTION
from calendar_app.storage.reads import Stages

_waiting: ContextVar[list["Rider"] | None] = ContextVar("waiting", default=None)


class Rider:
    """What ``stages`` make of a collection; ``ask`` asks for it alone."""

    def __init__(
        self, collection: str, stages: Stages, ask: Callable[[Stages], list[Record]]
    ) -> None:
        self._collection, self._stages, self._ask = collection, stages, ask
        self._answer: list[Record] | None = None

    def stage(self, number: int) -> dict[str, Any]:
        """Return the stage that makes the answer part of another one, marked by the number."""
        marked = [*self._stages, {"$set": {COLLECTION: number}}]
        return {"$unionWith": {"coll": self._collection, "pipeline": marked}}

    @property
    def is_waiting(self) -> bool:
        return self._answer is None

    def arrive(self, answer: list[Record]) -> None:
        self._answer = answer

    def answer(self) -> list[Record]:
        if self._answer is None:
            self._answer = self._ask(self._stages)
        return self._answer


@contextmanager
def taking_riders() -> Iterator[None]:
    """Let questions in the block wait for others."""
    token = _waiting.set([])
    try:
        yield
    finally:
        _waiting.reset(token)


def wait(rider: Rider) -> None:
    """Let a question go along with another one, if there is any before its answer is wanted."""
    waiting = _waiting.get()
    if waiting is not None:
        waiting.append(rider)


def riders() -> Sequence[Rider]:
    """Return those that wait; who takes them brings their answers."""
    return [rider for rider in _waiting.get() or () if rider.is_waiting]
