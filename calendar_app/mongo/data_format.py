"""The mark of the data format: older code refuses a database that newer code has written."""

from calendar_app.errors import ConfigurationError
from calendar_app.mongo.connection import Database
from calendar_app.mongo.error_translation import translate_errors

# Raised by a version whose documents earlier ones would read wrongly, and which says so in
# CHANGELOG.md.
FORMAT = 1
MARKS = "data_format"
# Version 0.1.0 left no mark.
_FIRST = 1
_ID = "data"


def stored_format(database: Database) -> int:
    """Return the format of what the database holds."""
    with translate_errors():
        mark = database[MARKS].find_one({"_id": _ID})
    return int(mark["format"]) if mark else _FIRST


def require_known_format(database: Database) -> None:
    """Raise ``ConfigurationError`` where a later version has written the database."""
    stored = stored_format(database)
    if stored > FORMAT:
        raise ConfigurationError(
            f"The database has data of format {stored}, which a later version wrote; this version "
            f"knows formats up to {FORMAT}. Install that version, or restore an earlier backup."
        )


def mark_format(database: Database) -> None:
    """Mark the database with the present format, unless it is; that needs no right then."""
    with translate_errors():
        if database[MARKS].find_one({"_id": _ID, "format": {"$gte": FORMAT}}) is None:
            database[MARKS].update_one({"_id": _ID}, {"$max": {"format": FORMAT}}, upsert=True)
