"""Writes that are tried out: done, looked at, and taken back."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from calendar_app.mongo.store import Store

Result = TypeVar("Result")


class _Rollback(Exception):
    """Ends a transaction without storing it."""


def rehearse(store: Store, work: Callable[[], Result]) -> Result:
    """Return the result of ``work``, and store nothing that it writes.

    mongomock has no transactions: there the writes stay.
    """
    results: list[Result] = []

    def attempt() -> None:
        results.append(work())
        raise _Rollback

    with suppress(_Rollback):
        store.transact(attempt)
    return results[-1]
