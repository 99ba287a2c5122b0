"""Says in our own words what MongoDB refuses."""

from collections.abc import Iterator
from contextlib import contextmanager

from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    DuplicateKeyError,
    ExecutionTimeout,
    NetworkTimeout,
    PyMongoError,
    ServerSelectionTimeoutError,
    WTimeoutError,
)

from calendar_app.errors import DuplicateKey, Message, Unavailable

_AWAY = (AutoReconnect, NetworkTimeout, ServerSelectionTimeoutError)
_SLOW = (ExecutionTimeout, WTimeoutError)
DUPLICATE_KEY = 11000
_TRANSIENT = "TransientTransactionError"
# Codes of a server that is there, but can neither read nor write at the moment.
_NOT_NOW = frozenset({91, 189, 10107, 11600, 11602, 13435, 13436})


@contextmanager
def refusing(*, in_transaction: bool = False) -> Iterator[None]:
    """Turn errors of pymongo into refusals.

    A transient error inside a transaction passes, since it makes the transaction run again.
    """
    try:
        yield
    except PyMongoError as error:
        if in_transaction and error.has_error_label(_TRANSIENT):
            raise
        raise _refusal(error) from error


def _refusal(error: PyMongoError) -> Exception:
    if isinstance(error, DuplicateKeyError) or _repeats_a_key(error):
        return DuplicateKey(str(error))
    if isinstance(error, _SLOW):
        return Unavailable(Message("The database takes too long."))
    if isinstance(error, _AWAY) or getattr(error, "code", None) in _NOT_NOW:
        return Unavailable()
    if error.has_error_label(_TRANSIENT):
        return Unavailable(Message("The database is busy."), retry_after=1)
    return error


def _repeats_a_key(error: PyMongoError) -> bool:
    """Say whether one of many documents was refused for a unique value."""
    if not isinstance(error, BulkWriteError):
        return False
    return any(refused["code"] == DUPLICATE_KEY for refused in error.details["writeErrors"])
