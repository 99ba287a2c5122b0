"""The presence of processes that write: each holds a lease that names the formats it knows."""

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from uuid import uuid4

from pymongo import timeout
from pymongo.database import Database
from pymongo.errors import PyMongoError

from calendar_app.domain.kind import Record
from calendar_app.errors import CalendarError
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.formats import FORMATS, is_outdated, look_at_mark
from calendar_app.storage.mongo.leases import IS_HELD, LEASE_SECONDS, LEASES, end_of_lease

_PATIENCE = 2.0  # seconds in which a process that ends gives its lease back


@contextmanager
def present(database: Database[Record]) -> Iterator[None]:
    """Hold the lease of this process during the block, and follow the mark of the data format.

    A user of the database who may only read holds none.
    """
    name, end = _name_of(os.getpid()), threading.Event()
    thread = threading.Thread(target=_stay, args=(database, name, end), name="presence")
    thread.daemon = True
    thread.start()
    try:
        yield
    finally:
        end.set()
        with suppress(PyMongoError), timeout(_PATIENCE):
            thread.join(_PATIENCE)
            database[LEASES].delete_one({"_id": name})


def stay_present(database: Database[Record]) -> None:
    """Hold the lease of this process until it ends, and one for each forked child."""

    def start() -> None:
        stack = ExitStack()
        stack.enter_context(present(database))
        atexit.register(stack.close)

    os.register_at_fork(after_in_child=start)
    start()


def other_processes(database: Database[Record]) -> int:
    """Return how many other processes may write."""
    of_others = {"_id": {"$ne": _name_of(os.getpid())}, "newest": {"$exists": True}}
    with translate_errors():
        return database[LEASES].count_documents({**of_others, **IS_HELD})


def processes_before(database: Database[Record], data_format: int) -> int:
    """Return how many processes write that do not know a format."""
    with translate_errors():
        return database[LEASES].count_documents({"newest": {"$lt": data_format}, **IS_HELD})


def processes_behind(database: Database[Record], data_format: int) -> int:
    """Return how many processes have not yet seen the mark of a format."""
    with translate_errors():
        return database[LEASES].count_documents({"writes": {"$lt": data_format}, **IS_HELD})


@cache
def _name_of(_process: int) -> str:
    """Return the name of the lease of a process; a forked one has another."""
    return f"process {uuid4().hex}"


def _stay(database: Database[Record], name: str, end: threading.Event) -> None:
    with suppress(CalendarError), translate_errors():
        database[LEASES].delete_many(
            {"newest": {"$exists": True}, "$expr": {"$lte": ["$until", "$$NOW"]}}
        )
    while not end.is_set():
        with suppress(CalendarError):  # an outage may be over in time
            _renew(database, name)
        end.wait(LEASE_SECONDS / 3)


def _renew(database: Database[Record], name: str) -> None:
    mark = look_at_mark(database)
    with translate_errors():
        if is_outdated(database):  # this process writes no more
            database[LEASES].delete_one({"_id": name})
            return
        until = end_of_lease(LEASE_SECONDS)
        lease = {"until": until, "newest": FORMATS.newest, "writes": mark.format}
        database[LEASES].update_one({"_id": name}, [{"$set": lease}], upsert=True)
