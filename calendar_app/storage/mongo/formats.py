"""Data formats: which one the database has, and which ones this version reads and writes.

A version reads the present format and, where it brings another one, the next. It writes the format
of the mark in the database. So several versions work side by side until the mark is raised; from
then on those that do not know the new format write nothing.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pymongo.client_session import ClientSession
from pymongo.database import Database
from pymongo.errors import OperationFailure

from calendar_app.domain.kind import Record
from calendar_app.errors import ConfigurationError, Message, Unavailable
from calendar_app.storage.mongo.error_translation import TRANSIENT, WRITE_CONFLICT, translate_errors

MARKS = "data_format"
MARK = {"_id": "data"}
LATER = Message("A later version of the service has written the database.")
EARLIER = Message("The data have an earlier format; run calendar-app migrate.")
_OUTDATED = Message("A later version has raised the data format, so this one only reads.")
# Version 0.1.0 left no mark.
FIRST = 1


@dataclass(frozen=True, slots=True)
class Formats:
    """The data formats of a version: it reads all of them, and writes the one of the mark."""

    oldest: int
    newest: int


# A version whose documents earlier ones would read wrongly raises ``newest``.
# The one after it raises ``oldest``.
FORMATS = Formats(oldest=1, newest=2)


class Mark(NamedTuple):
    """The ``format`` in which documents are written; ``next`` is another one while it is raised."""

    format: int = FIRST
    next: int = FIRST


# The mark of each database as this process has last seen it.
_last_marks: dict[Database[Record], Mark] = {}


def stored_mark(database: Database[Record], session: ClientSession | None = None) -> Mark:
    """Return the mark of a database."""
    mark = database[MARKS].find_one(MARK, session=session)
    if mark is None:
        return Mark()
    data_format = int(mark["format"])
    return Mark(data_format, int(mark.get("next", data_format)))


def look_at_mark(database: Database[Record]) -> Mark:
    """Return the mark, which this process follows from now on."""
    with translate_errors():
        _last_marks[database] = stored_mark(database)
    return _last_marks[database]


def written_format(database: Database[Record]) -> int:
    """Return the format in which this process writes documents."""
    return _last_marks.get(database, Mark()).format


def is_outdated(database: Database[Record]) -> bool:
    """Say whether the last mark that this process read needs a later version."""
    return _last_marks.get(database, Mark()).next > FORMATS.newest


def require_known_format(database: Database[Record], *, to_migrate: bool = False) -> None:
    """Raise ``ConfigurationError`` where this version does not read the stored documents."""
    with translate_errors():
        mark = stored_mark(database)
    if mark.next > FORMATS.newest:
        raise ConfigurationError(
            f"The database has data of format {mark.next}, which a later version wrote; this "
            f"version knows formats up to {FORMATS.newest}. Install that version, or restore an "
            "earlier backup."
        )
    if mark.format < FORMATS.oldest and not to_migrate:
        raise ConfigurationError(EARLIER)
    _last_marks[database] = mark


def require_writable(database: Database[Record]) -> None:
    """Raise ``Unavailable`` where this version only reads."""
    if is_outdated(database):
        raise Unavailable(_OUTDATED)


def follow_mark(database: Database[Record], session: ClientSession) -> None:
    """Let a transaction write in the format of the mark, or not at all.

    Where the mark was raised since the process has looked, the transaction runs again.
    """
    former = _last_marks.get(database)
    _last_marks[database] = mark = stored_mark(database, session)
    require_writable(database)
    if former and former.format != mark.format:
        raise OperationFailure(
            "The data format was raised.", WRITE_CONFLICT, {"errorLabels": [TRANSIENT]}
        )
