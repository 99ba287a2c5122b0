"""Snapshot reads: all reads of one piece of work see the database at one cluster time.

The first read tells the cluster time. Look-ups that are needed earlier are assumed to be as they
were at the latest cluster time in the cache. Where the first read tells another one, they are
validated; a stale assumption repeats the work.
https://www.mongodb.com/docs/manual/reference/read-concern-snapshot/
"""

from collections.abc import Callable, Hashable, Mapping, MutableMapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

from bson import Timestamp
from pymongo.database import Database
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.mongo.transactions import current_session, joining

Result = TypeVar("Result")
# Returns whether an assumption holds at the cluster time of the current work.
Check = Callable[[], bool]

# SnapshotTooOld, and SnapshotUnavailable where a collection or an index is new.
_NO_SNAPSHOT = {239, 246}


class _StaleAssumption(Exception):
    """A cached value was stale at the cluster time of the snapshot."""


@dataclass(slots=True)
class _SnapshotRead:
    """Work that only reads; each assumption has its cluster time and its check."""

    may_assume: bool
    cluster_time: Timestamp | None = None
    assumptions: list[tuple[Timestamp, Check]] = field(default_factory=list)


_snapshot_read: ContextVar[_SnapshotRead | None] = ContextVar("snapshot_read", default=None)


def current_cluster_time() -> Timestamp | None:
    """Return the cluster time of the current work; ``None`` before its first read."""
    work = _snapshot_read.get()
    return work.cluster_time if work else None


def assumed_cluster_time(latest: Timestamp) -> Timestamp | None:
    """Return the cluster time of the current work, before its first read the ``latest`` one.

    ``None`` outside a snapshot read, and where assumptions have turned out to be stale.
    """
    work = _snapshot_read.get()
    if work is None or work.cluster_time:
        return current_cluster_time()
    return latest if work.may_assume else None


def assume(cluster_time: Timestamp, check: Check) -> None:
    """Note that a value of ``cluster_time`` is used; ``check`` looks it up again."""
    work = _snapshot_read.get()
    if work:
        work.assumptions.append((cluster_time, check))


def note_cluster_time(reply: Mapping[str, Any]) -> None:
    """Keep the cluster time that a reply of MongoDB names, inside a snapshot read."""
    work, cursor = _snapshot_read.get(), reply.get("cursor")
    if work and cursor and "atClusterTime" in cursor:
        work.cluster_time = cursor["atClusterTime"]


def in_snapshot(database: Database[Record], run: Callable[[], Result]) -> Result:
    """Return the result of ``run``, which only reads; all its reads see the first one's snapshot.

    ``run`` is repeated at most twice, after stale assumptions. Inside a transaction, on mongomock
    and where MongoDB has no snapshot it is a plain call.
    """
    if current_session() is not None or not isinstance(database, Database):
        return run()
    try:
        for _ in range(2):
            with suppress(_StaleAssumption):
                return _read(database, run, _SnapshotRead(may_assume=True))
        return _read(database, run, _SnapshotRead(may_assume=False))
    except OperationFailure as error:
        if error.code not in _NO_SNAPSHOT:
            raise
    return run()


def _read(database: Database[Record], run: Callable[[], Result], work: _SnapshotRead) -> Result:
    token = _snapshot_read.set(work)
    try:
        with database.client.start_session(snapshot=True) as session, joining(session):
            return _validated(work, run)
    finally:
        _snapshot_read.reset(token)


def _validated(work: _SnapshotRead, run: Callable[[], Result]) -> Result:
    """Return the result of ``run``, or raise its error, if its assumptions hold."""
    try:
        result = run()
    except _StaleAssumption:
        raise
    except Exception:
        _validate(work)
        raise
    _validate(work)
    return result


def validate_assumptions() -> None:
    """Check the assumptions of the current work, and end it where one is stale."""
    work = _snapshot_read.get()
    if work and work.cluster_time:
        _validate(work)


def _validate(work: _SnapshotRead) -> None:
    checks = [check for time, check in work.assumptions if time != work.cluster_time]
    work.may_assume, work.assumptions = False, []
    if not all(check() for check in checks):
        raise _StaleAssumption


# Values that were read at one cluster time, kept while that is the latest.
#
# MongoDB gives snapshot reads the same cluster time until the next write, in whatever process. So
# a value that is cached for the latest cluster time is never stale.

CachedValues = MutableMapping[Hashable, Any]


class SnapshotCache:
    """At most ``limit`` values, all of the latest cluster time that was seen."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cluster_time = Timestamp(0, 0)
        self._values: CachedValues = {}
        self._lock = Lock()

    @property
    def cluster_time(self) -> Timestamp:
        """The latest cluster time that was seen."""
        return self._cluster_time

    def at(self, cluster_time: Timestamp | None) -> CachedValues:
        """Return the values of a cluster time, to read and to add to.

        Values of an earlier cluster time, or of ``None``, are not kept.
        """
        if cluster_time is None:
            return {}
        with self._lock:
            if cluster_time > self._cluster_time or len(self._values) >= self._limit:
                self._cluster_time, self._values = cluster_time, {}
            return self._values if cluster_time == self._cluster_time else {}
