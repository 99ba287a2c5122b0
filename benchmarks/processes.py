"""CPU time and memory of processes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
# Fields of /proc/PID/stat behind the name of the process.
_USER, _SYSTEM, _RESIDENT = 11, 12, 21


def seconds(process: int) -> float:
    """Return the time that processors have spent on a process."""
    fields = _stat_fields(process)
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS


def memory(process: int) -> int:
    """Return the bytes of a process and all that it has started; 0 where it has ended."""
    return sum(_resident(each) for each in _family(process))


def child_named(name: str) -> int:
    """Return the process of this name that this one has started.

    Looks at all processes, since the list of children may lack some while others end: proc(5).
    """
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            own, _, fields = file.read_text().rpartition(")")
            process, _, its_name = own.partition(" (")
            if its_name == name and int(fields.split()[1]) == os.getpid():
                return int(process)
    raise LookupError(name)


def _family(process: int) -> Iterator[int]:
    yield process
    for child in _children(process):
        yield from _family(child)


def _children(process: int) -> list[int]:
    try:
        listed = [each.read_text() for each in Path(f"/proc/{process}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for line in listed for child in line.split()]


def _resident(process: int) -> int:
    try:
        return int(_stat_fields(process)[_RESIDENT]) * _PAGE
    except OSError:
        return 0


def _stat_fields(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
