"""Writes that are tried out: done, looked at, and taken back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from calendar_app.calendar.writing.retrying import retry_conflicts
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import PATIENCE

Result = TypeVar("Result")


class _Rollback(Exception):
    """Ends a transaction without storing it."""


def rehearse(store: Store, work: Callable[[], Result], patience: float = PATIENCE) -> Result:
    """Return the result of ``work``, and store nothing that it writes.

    mongomock has no transactions: there the writes stay.
    """
    results: list[Result] = []

    def attempt() -> None:
        results.append(work())
        raise _Rollback

    with suppress(_Rollback):
        retry_conflicts(store, attempt, patience)
    return results[-1]
