"""Notes who changes which records by which door, for the log and for the history."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.domain.kind import Kind
from calendar_app.storage.mongo.transactions import on_commit


class Door(StrEnum):
    """Where a write comes from."""

    INTERFACE = "interface"
    DESK = "desk"
    SUBMISSION = "submission"
    IMPORT = "import"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class AuditedChange:
    """One change that is stored: ``create``, ``update``, ``trash`` or ``delete`` of a record.

    Jobs of the service also ``publish``, and ``extend`` a series.
    """

    action: str
    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class Audit:
    """The audited changes of one request or job run, with its door and author.

    ``changes`` and ``passwords`` fill on the way; ``passwords`` has whether those of events that
    the request tried have opened one. Outside requests and jobs nobody reads them.
    """

    door: Door = Door.SERVICE
    author: Caller = ANYONE
    changes: list[AuditedChange] = field(default_factory=list)
    passwords: set[bool] = field(default_factory=set)


_audit: ContextVar[Audit | None] = ContextVar("audit", default=None)


def begin_audit(door: Door = Door.SERVICE) -> Audit:
    """Return the audit of the request, or of the job, that begins."""
    audit = Audit(door)
    _audit.set(audit)
    return audit


def current_audit() -> Audit:
    return _audit.get() or Audit()


def note_change(action: str, kind: Kind, record_id: int) -> None:
    """Note a change once its transaction is committed."""
    change = AuditedChange(action, kind.singular, record_id)
    on_commit(partial(current_audit().changes.append, change))


def note_password(*, opened: bool) -> bool:
    """Note whether a password opened an event; return it."""
    current_audit().passwords.add(opened)
    return opened


def enter_door(door: Door) -> None:
    """Say where the writes of this request come from."""
    _audit.set(replace(current_audit(), door=door))


@contextmanager
def through(door: Door) -> Iterator[None]:
    """Let the writes of the block come through a door."""
    with _noting(replace(current_audit(), door=door)):
        yield


@contextmanager
def written_by(caller: Caller) -> Iterator[None]:
    """Let the writes of the block be those of a caller."""
    with _noting(replace(current_audit(), author=caller)):
        yield


@contextmanager
def _noting(audit: Audit) -> Iterator[None]:
    token = _audit.set(audit)
    try:
        yield
    finally:
        _audit.reset(token)
