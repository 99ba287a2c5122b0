"""The piece of work that runs: its transaction or snapshot, and its round trips.

All writes of a transaction are stored, or none. All reads of a snapshot read see the database at
one cluster time, which the first read tells. Look-ups that are needed earlier are assumed to be as
they are in the cache. Where the first read belongs to another edition, they are validated; a stale
assumption repeats the work.
https://www.mongodb.com/docs/manual/reference/read-concern-snapshot/
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from bson import Timestamp
from pymongo import timeout
from pymongo.client_session import ClientSession
from pymongo.database import Database
from pymongo.errors import OperationFailure
from pymongo.read_concern import ReadConcern
from pymongo.read_preferences import ReadPreference
from pymongo.write_concern import WriteConcern

from calendar_app.domain.kind import Record
from calendar_app.storage.mongo.editions import EditionRead
from calendar_app.storage.mongo.error_translation import translate_errors
from calendar_app.storage.mongo.marks import Before, Mark, WrittenIds, marking

Result = TypeVar("Result")
Callbacks = list[Callable[[], None]]
# Returns whether an assumption holds for the current work.
CommitCheck = Callable[[], bool]
# Host and port of a member of the replica set.
ServerAddress = tuple[str, int | None]

PATIENCE = 10.0  # seconds
# SnapshotTooOld, and SnapshotUnavailable where a collection or an index is new.
NO_SNAPSHOT = {239, 246}


@dataclass(slots=True)
class SnapshotRead:
    """Work that only reads; each assumption has its check; ``marks`` are those of its snapshot."""

    may_assume: bool
    cluster_time: Timestamp | None = None
    marks: EditionRead | None = None
    assumptions: list[CommitCheck] = field(default_factory=list)


@dataclass(slots=True)
class _RoundTrips:
    """How many commands were sent since the count began."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class _Work:
    """The work that runs: every operation joins its ``session``.

    ``on_commit`` is to be done when the transaction is stored, and ``on_abort`` when the attempt
    is given up. ``written_ids`` are those of written documents that answers show, and ``before``
    has records as they were. Without a ``member`` of the replica set the primary is asked.
    """

    round_trips: _RoundTrips = field(default_factory=_RoundTrips)
    session: ClientSession | None = None
    snapshot_read: SnapshotRead | None = None
    on_commit: Callbacks = field(default_factory=list)
    on_abort: Callbacks = field(default_factory=list)
    written_ids: WrittenIds = field(default_factory=dict)
    before: list[Before] = field(default_factory=list)
    member: ServerAddress | None = None


_work: ContextVar[_Work | None] = ContextVar("work", default=None)


def _current() -> _Work:
    work = _work.get()
    if work is None:
        work = _Work()
        _work.set(work)
    return work


def count_round_trips_anew() -> None:
    _work.set(replace(_current(), round_trips=_RoundTrips()))


def count_round_trip() -> None:
    _current().round_trips.number += 1


def round_trips() -> int:
    """Return the number of commands sent since the last reset of the count."""
    return _current().round_trips.number


@contextmanager
def _working(work: _Work) -> Iterator[None]:
    token = _work.set(work)
    try:
        yield
    finally:
        _work.reset(token)


def current_member() -> ServerAddress | None:
    """Return the secondary that the work reads from; ``None`` for the primary."""
    return _current().member


@contextmanager
def reading_from(member: ServerAddress) -> Iterator[None]:
    """Let the work of the block read from one secondary."""
    with _working(replace(_current(), member=member)):
        yield


# Transactions.


def current_session() -> ClientSession | None:
    """Return the session of the work that runs, which every operation joins."""
    return _current().session


def in_transaction() -> bool:
    """Say whether a transaction runs."""
    session = current_session()
    return session is not None and session.in_transaction


def transact(
    database: Database[Record], work: Callable[[], Result], patience: float = PATIENCE
) -> Result:
    """Run ``work``; all its writes are stored, or none.

    ``work`` may run more than once, when it met another transaction. Inside a transaction that
    runs it simply joins. Where the database is away, ``Unavailable`` comes after ``patience``
    seconds; pymongo alone would try for two minutes.
    """
    if in_transaction():
        return work()
    callbacks: Callbacks = []
    undoing: Callbacks = []
    with (
        translate_errors(),
        timeout(patience),
        marking(database) as mark,
        database.client.start_session() as session,
    ):
        result = session.with_transaction(
            lambda joined: _joined(joined, work, mark, callbacks, undoing),
            read_concern=ReadConcern("snapshot"),
            write_concern=WriteConcern("majority", j=True),
            read_preference=ReadPreference.PRIMARY,
        )
    for each in callbacks:
        each()
    return result


def note_written(collection: str, ids: Iterable[Any] | None) -> None:
    """Note for the mark of the transaction that runs; ``None`` where the ids are unknown."""
    written_ids = _current().written_ids
    known_ids = written_ids.setdefault(collection, set())
    if ids is None or known_ids is None:
        written_ids[collection] = None
    else:
        known_ids.update(ids)


def note_before(before: Iterable[Before]) -> None:
    """Note records for the outbox before the running transaction writes them."""
    if in_transaction():
        _current().before.extend(before)


def on_commit(work: Callable[[], None]) -> None:
    """Run ``work`` when the transaction that runs is stored for good; never, where it fails.

    Outside any transaction it runs at once.
    """
    if in_transaction():
        _current().on_commit.append(work)
    else:
        work()


def on_abort(work: Callable[[], None]) -> None:
    """Run ``work`` when the attempt that runs is given up; never outside any transaction.

    Where nobody knows whether the commit was stored, it does not run.
    """
    if in_transaction():
        _current().on_abort.append(work)


def _joined(
    session: ClientSession,
    work: Callable[[], Result],
    mark: Mark,
    callbacks: Callbacks,
    undoing: Callbacks,
) -> Result:
    callbacks.clear()  # what an attempt before has left
    _undo(undoing)
    joined = _Work(_current().round_trips, session, on_commit=callbacks, on_abort=undoing)
    try:
        with _working(joined):
            result = work()
            if joined.written_ids:
                mark.write(joined.written_ids, joined.before, session)
            return result
    except BaseException:
        _undo(undoing)
        raise


def _undo(undoing: Callbacks) -> None:
    while undoing:
        undoing.pop()()


# Snapshot reads.


class _StaleAssumption(Exception):
    """A cached value was stale at the cluster time of the snapshot."""


def current_reading() -> SnapshotRead | None:
    """Return the snapshot read that runs."""
    return _current().snapshot_read


def current_cluster_time() -> Timestamp | None:
    """Return the cluster time of the current work; ``None`` before its first read."""
    work = _current().snapshot_read
    return work.cluster_time if work else None


def may_assume() -> bool:
    """Return whether the current work may rely on assumptions before its first read.

    It may not where assumptions have turned out to be stale.
    """
    work = _current().snapshot_read
    return work is not None and work.cluster_time is None and work.may_assume


def assume(check: CommitCheck) -> None:
    """Note that a cached value is used; ``check`` looks it up again."""
    work = _current().snapshot_read
    if work:
        work.assumptions.append(check)


def note_cluster_time(reply: Mapping[str, Any]) -> None:
    """Keep the cluster time that a reply of MongoDB names, inside a snapshot read."""
    work, cursor = _current().snapshot_read, reply.get("cursor")
    if work and cursor and "atClusterTime" in cursor:
        work.cluster_time = cursor["atClusterTime"]


def in_snapshot(database: Database[Record], run: Callable[[], Result]) -> Result:
    """Return the result of a read-only function; all its reads see one snapshot.

    ``run`` is repeated at most twice, after stale assumptions. Inside a transaction,
    and where MongoDB has no snapshot, it is a plain call.
    """
    if current_session() is not None:
        return run()
    try:
        for _ in range(2):
            with suppress(_StaleAssumption):
                return _read(database, run, SnapshotRead(may_assume=True))
        return _read(database, run, SnapshotRead(may_assume=False))
    except OperationFailure as error:
        if error.code not in NO_SNAPSHOT:
            raise
    return run()


def _read(database: Database[Record], run: Callable[[], Result], work: SnapshotRead) -> Result:
    with (
        database.client.start_session(snapshot=True) as session,
        _working(replace(_current(), session=session, snapshot_read=work)),
    ):
        try:
            result = run()
        except _StaleAssumption:
            raise
        except Exception:
            _validate(work)
            raise
        _validate(work)
        return result


@contextmanager
def apart() -> Iterator[None]:
    """Run the queries of the block outside the current session and cluster time."""
    with _working(_Work(_current().round_trips)):
        yield


def validate_assumptions() -> None:
    """Check the assumptions of the current work, and end it where one is stale."""
    work = _current().snapshot_read
    if work and work.cluster_time:
        _validate(work)


def _validate(work: SnapshotRead) -> None:
    checks = work.assumptions
    work.may_assume, work.assumptions = False, []
    for check in checks:
        if not check():
            raise _StaleAssumption
