"""Outcomes of the event passwords that a request has tried."""

from contextvars import ContextVar

# A mutable set, since feeds are made when the request's own code has returned.
_outcomes: ContextVar[set[bool] | None] = ContextVar("password_outcomes", default=None)


def begin_tries() -> set[bool]:
    """Return the outcomes of the tries of this request, empty so far."""
    outcomes: set[bool] = set()
    _outcomes.set(outcomes)
    return outcomes


def end_tries() -> None:
    """Note no more tries."""
    _outcomes.set(None)


def note_try(*, opened: bool) -> bool:
    """Note whether a password opened an event; return it."""
    outcomes = _outcomes.get()
    if outcomes is not None:
        outcomes.add(opened)
    return opened
