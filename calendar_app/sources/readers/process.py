"""The process that fetches and reads the sources of a service, one order after the other.

It knows nothing of the application and of the database. Started as
``python -m calendar_app.sources.readers.process``, it takes its orders from standard input.
"""

import os
import pickle
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calendar_app.calendar.pace import Pace
from calendar_app.errors import CalendarError
from calendar_app.sources.readers.frames import (
    CONTENT,
    DEFECT,
    DONE,
    EVENT,
    NO_MEMORY,
    REFUSED,
    Channel,
    Ended,
    Late,
)
from calendar_app.sources.readers.orders import Bounds, ReadingOrder, fetched_as_json, rest_as_json

# For how many seconds it waits for its next order.
PATIENCE = 600
_MEGABYTE = 1 << 20
_UNBOUNDED = resource.RLIM_INFINITY


def main() -> None:
    """Carry out orders until none comes any more, or one takes too much memory."""
    channel = _channel()
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with Pace.without_pauses():  # no other thread waits for a turn
        while _take_order(channel):
            pass


def _channel() -> Channel:
    """Return the channel to the service; whatever is printed goes to standard error."""
    incoming, outgoing = os.dup(0), os.dup(1)
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return Channel(incoming, outgoing)


def _take_order(channel: Channel) -> bool:
    """Carry out the next order; say whether others may follow."""
    try:
        order: ReadingOrder = pickle.loads(  # noqa: S301  # the service has made it
            channel.receive(time.monotonic() + PATIENCE).content
        )
        content = channel.receive().content
        try:
            with _within(order.bounds):
                _carry_out(order, content, channel)
        except MemoryError:
            channel.send(NO_MEMORY, b"")
            return False  # which gives back all of it
    except (Ended, Late):
        return False
    return True


def _carry_out(order: ReadingOrder, content: bytes, channel: Channel) -> None:
    """Carry out an order, and send its result or the reason of its failure."""
    try:
        if order.validators is not None:
            with channel.ended_by_hangup():
                fetched = order.readers.fetch(order.source, order.validators)
            channel.send(CONTENT, fetched.content if fetched else b"")
            channel.send(DONE, fetched_as_json(fetched))
            return
        with channel.ended_by_hangup():
            calendar = order.readers.read(content, order.source, order.texts)
        for octets in calendar.events.packed():
            channel.send(EVENT, octets)
        channel.send(DONE, rest_as_json(calendar))
    except (Ended, MemoryError):
        raise
    except CalendarError as error:
        channel.send(REFUSED, str(error).encode("utf-8", "replace"))
    except Exception:  # noqa: BLE001  # the service reports it
        channel.send(DEFECT, traceback.format_exc().encode("utf-8", "replace"))


@contextmanager
def _within(bounds: Bounds) -> Iterator[None]:
    """Let the system end this process, or refuse memory, where an order takes too much."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    computing = int(used.ru_utime + used.ru_stime) + 1 + bounds.computing
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    memory = pages * resource.getpagesize() + bounds.memory * _MEGABYTE
    _bound(resource.RLIMIT_CPU, computing)
    _bound(resource.RLIMIT_AS, memory)
    try:
        yield
    finally:
        _bound(resource.RLIMIT_CPU, _UNBOUNDED)
        _bound(resource.RLIMIT_AS, _UNBOUNDED)


def _bound(kind: int, soft: int) -> None:
    """Set a soft resource limit, bounded by the hard limit of the service."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (soft if hard == _UNBOUNDED else min(soft % 2**63, hard), hard))


if __name__ == "__main__":
    main()
