"""Translates errors of pymongo into refusals of the calendar."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pymongo.errors import (
    BulkWriteError,
    ConnectionFailure,
    DocumentTooLarge,
    DuplicateKeyError,
    ExecutionTimeout,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    WaitQueueTimeoutError,
    WTimeoutError,
)

from calendar_app.errors import (
    CalendarError,
    DatabaseDenies,
    DuplicateKey,
    Locked,
    Message,
    RecordTooLarge,
    TookTooLong,
    Unavailable,
    UnknownCommit,
)

# Of a server that was reached; one that cannot be is a ServerSelectionTimeoutError.
_SLOW = (ExecutionTimeout, NetworkTimeout, WaitQueueTimeoutError, WTimeoutError)
DUPLICATE_KEY = 11000
BAD_VALUE = 2
WRITE_CONFLICT = 112
TRANSIENT = "TransientTransactionError"
_UNKNOWN_COMMIT = "UnknownTransactionCommitResult"
TOO_LONG = Message("The database takes too long.")
# MongoDB ends a transaction after transactionLifetimeLimitSeconds, without the transient label.
_TRANSACTION_TOO_LONG = 290
# No member is left where each host that was asked belongs to another set.
_OF_ANOTHER_SET = re.compile(
    r'No replica set members available for replica set name "(.+?)"'
    r"|configured to connect to a replica set named '(.+?)' but"
)
# Codes of a server that is there, but can neither read nor write at the moment.
_NOT_NOW = frozenset({91, 189, 10107, 11600, 11602, 13435, 13436})
_AUTHENTICATION_FAILED = 18
# Under one code Atlas refuses a name or a password, and much else: what it does not support, say.
_ATLAS_ERROR = 8000
_OF_AUTHENTICATION = re.compile(r"\bauth(entication)?\b", re.IGNORECASE)
UNAUTHORIZED = 13
# How MongoDB names the command then, whether the user lacks the right or there is no user.
_DENIED = re.compile(r"execute command { (\w+):|[Cc]ommand (\w+) requires authentication")
# A document is too large, as it was sent or as an update would leave it.
_TOO_LARGE = frozenset({10334, 17419, 17420})
_OUT_OF_DISK_SPACE = 14031
# What the system says of it, where that comes up under a code for many errors.
_FULL = "No space left on device"
_UNSPECIFIC = frozenset({1, 8})


@contextmanager
def translate_errors(*, in_transaction: bool = False) -> Iterator[None]:
    """Turn errors of pymongo into refusals.

    A transient error inside a transaction passes, since it makes the transaction run again.
    """
    try:
        yield
    except DocumentTooLarge as error:
        raise _too_large() from error
    except PyMongoError as error:
        if in_transaction and error.has_error_label(TRANSIENT):
            raise
        raise _refusal(error) from error


@contextmanager
def before_any_write() -> Iterator[None]:
    """Turn an unknown commit into ``Unavailable``; of the work nothing was written so far."""
    try:
        yield
    except PyMongoError as error:
        if error.has_error_label(_UNKNOWN_COMMIT):
            raise Unavailable from error
        raise


@contextmanager
def locking() -> Iterator[None]:
    """Turn a write conflict into ``Locked``, so that the transaction does not run again."""
    try:
        yield
    except OperationFailure as error:
        if error.code == WRITE_CONFLICT:
            raise Locked from error
        raise


def _refusal(error: PyMongoError) -> Exception:
    if isinstance(error, DuplicateKeyError) or _repeats_a_key(error):
        return DuplicateKey(str(error))
    is_unknown = error.has_error_label(_UNKNOWN_COMMIT)
    refusal = UnknownCommit if is_unknown else Unavailable
    code = getattr(error, "code", None)
    if isinstance(error, _SLOW) or code == _TRANSACTION_TOO_LONG:
        return UnknownCommit(TOO_LONG) if is_unknown else TookTooLong(TOO_LONG)
    is_away = isinstance(error, ConnectionFailure) or code in _NOT_NOW
    if is_away or is_unknown:
        return refusal(_why_away(error))
    if error.has_error_label(TRANSIENT):
        return Unavailable(Message("The database is busy."), retry_after=1)
    if isinstance(error, OperationFailure):
        return _lasting_refusal(error) or error
    return error


def _why_away(error: PyMongoError) -> Message:
    other_set = _OF_ANOTHER_SET.search(str(error))
    if other_set is None:
        return Message("The database cannot be reached.")
    return Message(
        "The hosts of mongodb_uri belong to another replica set than {name}, "
        "which its option replicaSet names.",
        name=other_set[1] or other_set[2],
    )


def _lasting_refusal(error: OperationFailure) -> CalendarError | None:
    """Return the refusal of an error that lasts until an operator mends it."""
    if _tells_of_wrong_credentials(error):
        return DatabaseDenies(Message("The database refuses the name or the password of its user."))
    if error.code == UNAUTHORIZED:
        match = _DENIED.search(str(error))
        command = (match[1] or match[2]) if match else "?"
        return DatabaseDenies(
            Message("The database denies its user this command: {command}.", command=command)
        )
    if any(_tells_of_a_full_disk(part) for part in _parts(error)):
        return Unavailable(Message("The disk of the database is full."))
    if any(part.get("code") in _TOO_LARGE for part in _parts(error)):
        return _too_large()
    return None


def _too_large() -> RecordTooLarge:
    return RecordTooLarge("A record is larger than the database can store.")


def _tells_of_wrong_credentials(error: OperationFailure) -> bool:
    if error.code == _ATLAS_ERROR:
        return _OF_AUTHENTICATION.search(str(error)) is not None
    return error.code == _AUTHENTICATION_FAILED


def _parts(error: OperationFailure) -> Iterator[Mapping[str, Any]]:
    """Yield the details of an error, and of each write that it refused."""
    details = error.details or {}
    yield {"code": error.code, "errmsg": str(error), **details}
    yield from details.get("writeErrors", ())


def _tells_of_a_full_disk(details: Mapping[str, Any]) -> bool:
    return details.get("code") == _OUT_OF_DISK_SPACE or (
        details.get("code") in _UNSPECIFIC and _FULL in details.get("errmsg", "")
    )


def _repeats_a_key(error: PyMongoError) -> bool:
    """Return whether one of many documents was refused for a unique value."""
    if not isinstance(error, BulkWriteError):
        return False
    return any(refused["code"] == DUPLICATE_KEY for refused in error.details["writeErrors"])
