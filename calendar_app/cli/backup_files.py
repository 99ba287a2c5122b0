"""The files of backups: each is written whole or not at all, and removed after some days."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from calendar_app.errors import ConfigurationError

_OWNER_ONLY = 0o600
_PARTIAL = ".partial"

# In a directory of backups, names in alphabetical order are in the order of time.
_NAME = "calendar-%Y-%m-%dT%H%M%SZ.backup"
_DATED = re.compile(r"(?P<day>calendar-\d{4}-\d\d-\d\d)T\d{6}Z\.backup(?P<partial>\.partial)?")


@contextmanager
def complete_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write, which gets its name once all of it is on the disk."""
    if path.exists():
        raise ConfigurationError(f"The file {path} exists; name another one.")
    partial = path.with_name(path.name + _PARTIAL)
    partial.unlink(missing_ok=True)
    try:
        with os.fdopen(
            os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY), "wb"
        ) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise


def dated_file(directory: Path) -> Path:
    """Return where a backup of this moment goes in a directory of backups."""
    return directory / datetime.now(UTC).strftime(_NAME)


def superfluous(names: Iterable[str], days: int) -> list[str]:
    """Return which files of a directory of backups are superfluous.

    Of each day the last backup is kept, on the last ``days`` days that have one: a night without a
    backup costs no older one. What an interrupted backup left over goes on a later day. Files of
    other names are never superfluous.
    """
    dated = {name: match for name in sorted(names) if (match := _DATED.fullmatch(name))}
    last_of_day = {match["day"]: name for name, match in dated.items() if not match["partial"]}
    to_keep = set(list(last_of_day.values())[-days:])
    today = max(last_of_day, default="")
    return [
        name
        for name, match in dated.items()
        if name not in to_keep and not (match["partial"] and match["day"] >= today)
    ]


def remove_superfluous(target: Path, days: int) -> list[str]:
    """Remove the files beside ``target`` that it makes superfluous, and return their names.

    A file with a later date is of a clock that was wrong: it counts for no day, and stays.
    """
    directory = target.parent
    names = (path.name for path in directory.iterdir() if path.is_file())
    removed = superfluous((name for name in names if name <= target.name), days)
    for name in removed:
        (directory / name).unlink(missing_ok=True)
    return removed
