"""Notes who changes which records by which door, for the log and for the history."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum

from calendar_app.accounts.policy import ANYONE, Caller
from calendar_app.domain.kind import Kind
from calendar_app.mongo.transactions import on_commit


class Door(StrEnum):
    """Where a write comes from."""

    INTERFACE = "interface"
    DESK = "desk"
    SUBMISSION = "submission"
    IMPORT = "import"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that is stored: ``create``, ``update``, ``trash`` or ``delete`` of a record.

    Jobs of the service also ``publish``, and ``extend`` a series.
    """

    action: str
    kind: str
    id: int


_door: ContextVar[Door] = ContextVar("door", default=Door.SERVICE)
_author: ContextVar[Caller] = ContextVar("author", default=ANYONE)
_changes: ContextVar[list[Change] | None] = ContextVar("changes", default=None)


def begin_audit() -> list[Change]:
    """Return a list that will hold the changes of the current request."""
    changes: list[Change] = []
    _changes.set(changes)
    return changes


def note_change(action: str, kind: Kind, record_id: int) -> None:
    """Note a change once its transaction is committed; outside requests do nothing."""
    changes = _changes.get()
    if changes is not None:
        change = Change(action, kind.singular, record_id)
        on_commit(lambda: changes.append(change))


def enter_door(door: Door) -> None:
    """Say where the writes of this request come from."""
    _door.set(door)


def current_door() -> Door:
    return _door.get()


def current_author() -> Caller:
    """Return who asked for the write that runs; nobody outside one."""
    return _author.get()


@contextmanager
def through(door: Door) -> Iterator[None]:
    """Let the writes of the block come through a door."""
    token = _door.set(door)
    try:
        yield
    finally:
        _door.reset(token)


@contextmanager
def written_by(caller: Caller) -> Iterator[None]:
    """Let the writes of the block be those of a caller."""
    token = _author.set(caller)
    try:
        yield
    finally:
        _author.reset(token)
