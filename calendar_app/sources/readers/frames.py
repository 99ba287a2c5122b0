"""Frames between a service and its reading process, each with a one-letter type.

Both ends wait for each other no longer than until a deadline.
"""

import fcntl
import os
import select
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

# To the process: what to do, and with which content.
ORDER, CONTENT = b"o", b"c"
# From it: an event, and how it has ended: well, refused, short of memory, or by a defect.
EVENT, DONE, REFUSED, NO_MEMORY, DEFECT = b"e", b"d", b"r", b"m", b"x"
LAST = frozenset({DONE, REFUSED, NO_MEMORY, DEFECT})

_HEAD = struct.Struct("!cQ")
_PIECE = 1 << 20  # bytes


class Ended(Exception):
    """The other end is closed."""


class Late(Exception):
    """The deadline is over."""


class Frame(NamedTuple):
    """A message: its type as one letter, and its content."""

    letter: bytes
    content: bytes


class Channel:
    """Two pipes to another process, one for each direction."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        os.set_blocking(incoming, False)
        os.set_blocking(outgoing, False)
        self._arriving = bytearray()

    def send(self, letter: bytes, content: bytes, deadline: float | None = None) -> None:
        """Send a frame; raise ``Ended`` or ``Late``."""
        for part in (_HEAD.pack(letter, len(content)), content):
            rest = memoryview(part)
            while rest:
                _wait(self._outgoing, select.POLLOUT, deadline)
                try:
                    rest = rest[os.write(self._outgoing, rest[:_PIECE]) :]
                except BlockingIOError:
                    continue
                except OSError as error:
                    raise Ended from error

    def receive(self, deadline: float | None = None) -> Frame:
        """Return the next frame; raise ``Ended`` or ``Late``."""
        letter, size = _HEAD.unpack(self._taken(_HEAD.size, deadline))
        return Frame(letter, self._taken(size, deadline))

    @contextmanager
    def ended_by_hangup(self) -> Iterator[None]:
        """Let the system end this process when the other end is closed, whatever it is doing.

        Nothing may be sent from there meanwhile: the signal is the same, SIGIO.
        """
        fcntl.fcntl(self._incoming, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(self._incoming, fcntl.F_GETFL)
        fcntl.fcntl(self._incoming, fcntl.F_SETFL, flags | os.O_ASYNC)
        try:
            yield
        finally:
            fcntl.fcntl(self._incoming, fcntl.F_SETFL, flags)

    def _taken(self, size: int, deadline: float | None) -> bytes:
        while len(self._arriving) < size:
            _wait(self._incoming, select.POLLIN, deadline)
            try:
                piece = os.read(self._incoming, _PIECE)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Ended from error
            if not piece:
                raise Ended
            self._arriving += piece
        part = bytes(memoryview(self._arriving)[:size])
        del self._arriving[:size]
        return part


def _wait(number: int, event: int, deadline: float | None) -> None:
    """Wait until a pipe can be read or written, or is closed; raise ``Late``."""
    poll = select.poll()
    poll.register(number, event)
    seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
    if not poll.poll(None if seconds is None else int(seconds * 1000) + 1):
        raise Late
