"""Repeats writes that met another write."""

from collections.abc import Callable
from typing import TypeVar

from calendar_app.calendar.writing.revising import WriteConflict
from calendar_app.errors import DuplicateKey, EditConflict
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import PATIENCE, in_transaction

Result = TypeVar("Result")

_ATTEMPTS = 9


def retry_conflicts(store: Store, work: Callable[[], Result], patience: float = PATIENCE) -> Result:
    """Run ``work`` in a transaction, again where another write came first.

    Inside a transaction it runs once: the outermost one has to begin again.
    """
    if in_transaction():
        return store.transact(work)
    for _ in range(_ATTEMPTS):
        try:
            return store.transact(work, patience)
        except (DuplicateKey, WriteConflict):
            continue
    raise EditConflict
