"""Finds out whether the user of the database may write."""

from collections.abc import Iterable
from contextlib import suppress
from uuid import uuid4

from calendar_app.mongo.store import Store


class _Undone(Exception):
    """Ends a transaction of which nothing is to stay."""


def require_right_to_write(store: Store, names: Iterable[str]) -> None:
    """Raise ``DatabaseDenies`` where one of these collections may not be written; store nothing."""

    def attempt() -> None:
        unused = {"_id": uuid4().hex}
        for name in names:
            store[name].insert(unused)
            store[name].change(unused, {"$set": {"revision": 0}})
            store[name].remove(unused)
        raise _Undone

    with suppress(_Undone):
        store.transact(attempt)
