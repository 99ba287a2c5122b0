"""Fetches and reads sources in a process of its own, which is replaced where it takes too much.

No content of a stranger is looked at in the processes that answer requests. Whichever process of
the service reads a source keeps one reading process for that, from the first source on: so it ends
with the process that needs it, under every server and for commands too. While it is busy with a
slow site, other sources are read by further ones, which end with their reading.
"""

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache

import structlog

from calendar_app.errors import Message
from calendar_app.sources.parsed import (
    Fetched,
    ParsedCalendar,
    ReadingInterrupted,
    SourceError,
    Validators,
)
from calendar_app.sources.readers.frames import (
    CONTENT,
    DEFECT,
    EVENT,
    LAST,
    NO_MEMORY,
    ORDER,
    REFUSED,
    Channel,
    Ended,
    Frame,
    Late,
)
from calendar_app.sources.readers.orders import (
    Bounds,
    ReadingOrder,
    SourceSettings,
    complete,
    fetched_of,
)
from calendar_app.sources.readers.process import PATIENCE
from calendar_app.sources.readers.records import ReadableSource
from calendar_app.sources.readers.registry import NO_TEXTS, Readers

TOO_LONG = Message("The source took more than {number} s to read.")
TOO_COSTLY = Message("The source took more than {number} s of computing to read.")
TOO_LARGE = Message("The source took more than {number} MB of memory to read.")
# Reasons with a number.
_KILLED = Message("The process that reads sources was ended in the middle.")

_COMMAND = (sys.executable, "-m", "calendar_app.sources.readers.process")
_AT_ONCE = 4
# One that waits has this many seconds left at least, before it ends by itself.
_MARGIN = 30
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReadingService:
    """Runs ``readers`` in a separate process, within ``bounds``."""

    readers: Readers
    bounds: Bounds = field(default_factory=Bounds)

    def fetch(self, source: ReadableSource, validators: Validators | None = None) -> Fetched | None:
        """Return the content of a source, or ``None``; see ``Readers.fetch``."""
        limits = self.readers.limits
        seconds = int(limits.whole + limits.seconds)
        order = self._order(source, replace(self.bounds, seconds=seconds))
        content, text = b"", b""
        for letter, words in self._answers(replace(order, validators=validators or Validators())):
            if letter == CONTENT:
                content = words
            else:
                text = words
        return fetched_of(text, content)

    def read(
        self, content: bytes, source: ReadableSource, texts: Mapping[str, str] = NO_TEXTS
    ) -> ParsedCalendar:
        """Return the events in a content; see ``Readers.read``."""
        order = replace(self._order(source, self.bounds), texts=dict(texts))
        calendar = ParsedCalendar()
        for letter, words in self._answers(order, content):
            if letter == EVENT:
                calendar.events.append_packed(words)
            else:
                complete(calendar, words)
        return calendar

    def _order(self, source: ReadableSource, bounds: Bounds) -> ReadingOrder:
        settings = SourceSettings(
            source.kind, source.address, source.language, source.timezone, dict(source.columns)
        )
        # The process loads no other kinds than this one.
        kinds = {source.kind: self.readers.kind_of(source)}
        return ReadingOrder(replace(self.readers, kinds=kinds), settings, bounds)

    def _answers(self, order: ReadingOrder, content: bytes = b"") -> Iterator[Frame]:
        """Yield the frames of a good answer; raise ``SourceError`` with the reason of any other."""
        bounds = order.bounds
        answers = _processes().answers(_packed(order), content, bounds.seconds)
        try:
            with closing(answers):
                for frame in answers:
                    _require_good(frame, order)
                    yield frame
        except Late as error:
            words = Message(TOO_LONG.pattern, number=bounds.seconds)
            raise ReadingInterrupted(words) from error
        except _Killed as error:
            if error.number != signal.SIGXCPU:
                raise ReadingInterrupted(_KILLED) from error
            raise SourceError(Message(TOO_COSTLY.pattern, number=bounds.computing)) from error


def _require_good(frame: Frame, order: ReadingOrder) -> None:
    """Raise ``SourceError`` where a frame says why there is no good answer."""
    words = frame.content.decode() if frame.letter in (REFUSED, DEFECT) else ""
    if frame.letter == REFUSED:
        raise SourceError(words)
    if frame.letter == NO_MEMORY:
        raise SourceError(Message(TOO_LARGE.pattern, number=order.bounds.memory))
    if frame.letter == DEFECT:
        _log.error("source cannot be read", kind=order.source.kind, traceback=words)
        raise SourceError(
            Message("It cannot be read: {reason}", reason=words.strip().splitlines()[-1])
        )


def _packed(order: ReadingOrder) -> bytes:
    try:
        return pickle.dumps(order)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        words = Message(
            "It cannot be read in another process. "
            "Functions of the kind {name} have to be found by their names.",
            name=order.source.kind,
        )
        raise SourceError(words) from error


class _Killed(Exception):
    """The process has ended; ``number`` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class _Process:
    """A reading process; ``is_free`` once it has carried out its order."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603  # the program is our own
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for whoever waits for it
        )
        if self.process.stdin is None or self.process.stdout is None:
            raise OSError
        self._channel = Channel(self.process.stdout.fileno(), self.process.stdin.fileno())
        self.owner = os.getpid()
        self.is_free = True
        self.since = time.monotonic()

    @property
    def can_be_asked(self) -> bool:
        """Say whether it waits for an order, and will do so for a while."""
        is_patient = time.monotonic() < self.since + PATIENCE - _MARGIN
        return self.owner == os.getpid() and is_patient and self.process.poll() is None

    def answers(self, order: bytes, content: bytes, seconds: float) -> Iterator[Frame]:
        """Yield the frames of its answer; raise ``Late`` or ``Ended``."""
        self.is_free = False
        deadline = time.monotonic() + seconds
        self._channel.send(ORDER, order, deadline)
        self._channel.send(CONTENT, content, deadline)
        while True:
            frame = self._channel.receive(deadline)
            if frame.letter in LAST:
                self.is_free = frame.letter != NO_MEMORY
                self.since = time.monotonic()
                yield frame
                return
            yield frame

    def end(self) -> int:
        """Kill it; return the number of the signal by which it has ended, 0 for none."""
        if self.owner != os.getpid():
            return 0
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
        return max(0, -self.process.returncode)


class _Processes:
    """The reading processes of this process: one that waits, and at most some that work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(_AT_ONCE)
        self._waiting: _Process | None = None
        self._working: set[_Process] = set()
        atexit.register(self.end)

    def answers(self, order: bytes, content: bytes, seconds: float) -> Generator[Frame, None, None]:
        """Yield the answer to an order; raise ``Late`` or ``_Killed`` where it is not whole."""
        with self._turns:
            process = self._taken()
            try:
                yield from process.answers(order, content, seconds)
            except Ended as error:
                # It has ended by itself, and says by which signal once it is waited for.
                process.process.wait()
                raise _Killed(process.end()) from error
            finally:
                self._give_back(process)

    def end(self) -> None:
        """End all of them with this process."""
        with self._lock:
            for process in (*self._working, self._waiting):
                if process:
                    process.end()
            self._waiting = None

    def _taken(self) -> _Process:
        with self._lock:
            process, self._waiting = self._waiting, None
            if process and not process.can_be_asked:
                process.end()
                process = None
            process = process or _Process()
            self._working.add(process)
            return process

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            self._working.discard(process)
            if process.is_free and self._waiting is None:
                self._waiting = process
            else:
                process.end()


@cache
def _processes() -> _Processes:
    return _Processes()
