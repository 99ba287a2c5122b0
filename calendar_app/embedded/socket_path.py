"""Where the socket of our own mongod lies: in its directory, or in a short private one."""

import hashlib
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from calendar_app.errors import ConfigurationError

_LONGEST = 107  # bytes
# pymongo lowers the case of the hosts that a replica set names, and splits them at a colon.
_PLAIN = re.compile(r"[a-z0-9/._-]+")
_SHORT = "/tmp"  # noqa: S108 - the directory made there is private
_PRIVATE = "calendar-mongod-"


def socket_path(directory: Path) -> str:
    """Return the path of the socket of the mongod on ``directory``, always the same one."""
    near = str(directory / "mongod.sock")
    if _fits(near):
        return near
    name = _PRIVATE + hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    private = f"{tempfile.gettempdir()}/{name}/mongod.sock"
    return private if _fits(private) else f"{_SHORT}/{name}/mongod.sock"


def make_room(path: str) -> None:
    """Make the private directory of the socket at ``path``, if it needs one."""
    parent = Path(path).parent
    if not parent.name.startswith(_PRIVATE):
        return
    with suppress(FileExistsError):
        parent.mkdir(mode=0o700)
    status = parent.lstat()
    if parent.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise ConfigurationError(
            f"{parent} belongs to somebody else; remove it, "
            "or name a directory with a shorter path in CALENDAR_DATA."
        )


def remove(path: str) -> None:
    """Remove the private directory of the socket at ``path``, if it has one."""
    parent = Path(path).parent
    if parent.name.startswith(_PRIVATE):
        with suppress(OSError):
            Path(path).unlink(missing_ok=True)
            parent.rmdir()


def _fits(path: str) -> bool:
    return len(os.fsencode(path)) <= _LONGEST and _PLAIN.fullmatch(path) is not None
