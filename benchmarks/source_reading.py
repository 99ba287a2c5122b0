"""How long answers take while a source is read: the last part of ``make bench-feeds``."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from itertools import cycle
from statistics import median
from threading import Event
from typing import Any

from calls import BASE, signed
from connection import Connection
from loopback import listening
from meanwhile import going_on
from series import Row
from service import WORKERS
from small_calendar import SampleCalendar
from workers import spread

# The settings under which a source on this machine may be read, and may change as a whole.
ALLOWING = {"CALENDAR_SOURCE_NETWORKS": "127.0.0.0/8", "CALENDAR_SOURCE_GUARD": "100"}
_EVENTS, _FEW_EVENTS = 5000, 100
_PAUSE = 0.02  # seconds between two requests
_LIMIT = 2.0
_PATIENCE = 300  # seconds until a reading has stopped
_POLL = 0.2  # seconds
_NOTHING: Mapping[str, object] = {}
_SOURCES = f"{BASE}/sources"
# Pages of the worker that reads, and of the others.
Times = Mapping[str, Sequence[Sequence[float]]]


def beside_reading(
    port: int, calendar: SampleCalendar, seconds: float, *, quick: bool
) -> Sequence[Row]:
    """Return for a page and an event how long they take in the worker that is slowest.

    A source is read again and again for so many seconds: first all of its events are new or have
    changed, and then none.
    """
    paths = {
        "page: list of 12 events": "/events/list/?per_page=12",
        "one event": f"{BASE}/events/{calendar.events[0]}",
    }
    number = _FEW_EVENTS if quick else _EVENTS
    first, changed = calendar_texts(calendar.words, quick=quick)
    unchanged = b"%b\r\n" % first
    answer_times(port, paths, 0)  # The first answers fill caches.
    usual = answer_times(port, paths, seconds / 3)
    with offered_source(port, calendar) as source:
        with source.read_again_and_again([first, changed]):
            all_changed = answer_times(port, paths, seconds)
        source.read(first)
        with source.read_again_and_again([unchanged, first]):
            none_changed = answer_times(port, paths, seconds)
    return [
        *_rows(usual, all_changed, f"a source of {number:,} events changes"),
        *_rows(usual, none_changed, f"none of its {number:,} events changes"),
    ]


def _rows(usual: Times, beside: Times, case: str) -> Iterator[Row]:
    for name in usual:
        alone, took = (max(map(median, times[name])) for times in (usual, beside))
        yield Row(f"{name}, {case}", 1000 * took, took / alone, _LIMIT)


def answer_times(port: int, paths: Mapping[str, str], seconds: float) -> Times:
    """Return for each path the times in seconds, by connection: there is one to each worker."""
    with ExitStack() as stack:
        connections = spread(port, WORKERS, stack)
        times: dict[str, list[list[float]]] = {name: [[] for _ in connections] for name in paths}
        until = time.perf_counter() + seconds
        while not all(map(all, times.values())) or time.perf_counter() < until:
            for name, path in paths.items():
                for connection, own in zip(connections, times[name], strict=True):
                    own.append(_took(connection, path))
                    time.sleep(_PAUSE)
    return times


def _took(connection: Connection, path: str) -> float:
    """Return how many seconds an answer took; raise ``RuntimeError`` where it is no good one."""
    connection.answer(connection.request("GET", path, {}))
    if connection.status != HTTPStatus.OK:
        raise RuntimeError(f"{path}: {connection.status} {connection.body[:500]!r}")
    return connection.took


class _Source:
    """A source on this machine, and how an editor lets the service read it."""

    def __init__(self, port: int, calendar: SampleCalendar) -> None:
        self.content = b""
        self._send = partial(send, port, signed(calendar))
        self._path = ""

    def add(self, address: str, status: str) -> None:
        source = self._send(
            "POST",
            _SOURCES,
            {"name": "Benchmark", "kind": "ics", "address": address, "status": status},
        )
        self._path = f"{_SOURCES}/{source['id']}"

    def read(self, content: bytes) -> None:
        self.content = content
        self._send("POST", f"{self._path}/read")

    def read_again_and_again(self, contents: Sequence[bytes]) -> AbstractContextManager[None]:
        """Let a worker read one content after another as long as the context lasts."""

        def work(over: Event) -> None:
            for content in cycle(contents):
                if over.is_set():
                    return
                self.read(content)

        return going_on(work, lambda: self._send("DELETE", f"{self._path}/read"))

    def read_on_schedule(self, contents: Sequence[bytes]) -> AbstractContextManager[None]:
        """Let the process for jobs read one content after another, as long as the context lasts.

        It has been read before: then it is due at once when its settings change.
        """

        def work(over: Event) -> None:
            for number, content in enumerate(cycle(contents)):
                self.content, before = content, self._last_reading()
                self._send("PATCH", self._path, {"name": f"Benchmark {number}", "every": 60})
                while self._last_reading() == before:
                    if over.wait(_POLL):
                        return

        return going_on(work)

    def _last_reading(self) -> str:
        """Return when the source was read; the time changes as soon as a reading has ended."""
        return str(self._send("GET", self._path)["attempted"])


@contextmanager
def offered_source(
    port: int, calendar: SampleCalendar, status: str = "pending"
) -> Iterator[_Source]:
    """Offer a calendar on this machine, and let the service know it as a source.

    New events of it have ``status``.
    """
    source = _Source(port, calendar)

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(HTTPStatus.OK)
        request.send_header("Content-Type", "text/calendar")
        request.send_header("Content-Length", str(len(source.content)))
        request.end_headers()
        request.wfile.write(source.content)

    with listening(answer) as address:
        source.add(f"{address}/calendar.ics", status)
        yield source


def send(
    port: int,
    headers: Mapping[str, str],
    method: str,
    path: str,
    body: Mapping[str, object] = _NOTHING,
) -> Any:
    """Send a write of an editor, and return the answer; raise ``RuntimeError`` for a refusal."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)) as connection:
        connection.request(method, path, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status not in (HTTPStatus.OK, HTTPStatus.CREATED):
        raise RuntimeError(f"{path}: {answer.status} {content[:500]!r}")
    return json.loads(content)


def calendar_texts(words: Sequence[str], *, quick: bool) -> tuple[bytes, bytes]:
    """Return a calendar of coming events, and the same with other titles."""
    number = _FEW_EVENTS if quick else _EVENTS
    first = datetime.now(UTC).replace(minute=0, second=0) + timedelta(days=1)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//benchmark//EN"]
    for each in range(number):
        title, text = words[each % len(words)], " ".join(words[each % 50 : each % 50 + 40])
        start = first + timedelta(hours=each)
        lines += [
            *("BEGIN:VEVENT", f"UID:{each}@benchmark", "DTSTAMP:20260101T000000Z"),
            *(f"DTSTART:{start:%Y%m%dT%H%M%SZ}", "DURATION:PT1H"),
            *(f"SUMMARY:{title} {each}", f"DESCRIPTION:{text[:60]}", "END:VEVENT"),
        ]
    content = "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
    return content, content.replace(b"SUMMARY:", b"SUMMARY:New: ")
