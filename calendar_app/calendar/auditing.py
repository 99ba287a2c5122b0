"""Notes which records a request changes, for the audit lines of the log."""

from contextvars import ContextVar
from dataclasses import dataclass

from calendar_app.domain.kind import Kind
from calendar_app.mongo.transactions import on_commit


@dataclass(frozen=True, slots=True)
class Change:
    """One change that is stored: ``create``, ``update``, ``trash`` or ``delete`` of a record."""

    action: str
    kind: str
    id: int


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
