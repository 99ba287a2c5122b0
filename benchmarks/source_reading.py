"""How long answers take while a source is read: the last part of ``make bench-feeds``."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import Any

from calls import BASE, signed
from connection import Connection
from series import Row
from service import WORKERS
from small_calendar import SampleCalendar
from workers import spread

# The settings under which a source on this machine may be read.
ALLOWING = {"CALENDAR_SOURCE_NETWORKS": "127.0.0.0/8"}
_EVENTS, _FEW_EVENTS = 5000, 100
_PAUSE = 0.02  # seconds between two requests
_LIMIT = 2.0
_PATIENCE = 300  # seconds until a reading has stopped
_NOTHING: Mapping[str, str] = {}
_SOURCES = f"{BASE}/sources"
# Pages of the worker that reads, and of the others.
Times = Mapping[str, Sequence[Sequence[float]]]


def beside_reading(
    port: int, calendar: SampleCalendar, seconds: float, *, quick: bool
) -> Sequence[Row]:
    """Return for a page and an event how long they take in the worker that is slowest.

    A first reading is measured for so many seconds, and then stopped.
    """
    paths = {
        "page: list of 12 events": "/events/list/?per_page=12",
        "one event": f"{BASE}/events/{calendar.events[0]}",
    }
    number = _FEW_EVENTS if quick else _EVENTS
    with ExitStack() as stack:
        connections = spread(port, WORKERS, stack)
        _times(connections, paths, 0)  # The first answers fill caches.
        usual = _times(connections, paths, seconds / 3)
        stack.enter_context(_source_read(port, calendar, number))
        beside = _times(connections, paths, seconds)
    rows = []
    for name in paths:
        alone = max(map(median, usual[name]))
        took = max(map(median, beside[name]))
        name_of_row = f"{name}, a source of {number:,} events is read"
        rows.append(Row(name_of_row, 1000 * took, took / alone, _LIMIT))
    return rows


def _times(connections: Sequence[Connection], paths: Mapping[str, str], seconds: float) -> Times:
    """Return for each path the times in seconds, by connection: there is one to each worker."""
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


@contextmanager
def _source_read(port: int, calendar: SampleCalendar, number: int) -> Iterator[None]:
    """Let a worker read a source with so many new events as long as the context lasts."""
    send = partial(_send, port, signed(calendar))
    with (
        _offered(_calendar_text(calendar.words, number)) as address,
        ThreadPoolExecutor(1) as pool,
    ):
        source = send("POST", _SOURCES, {"name": "Benchmark", "kind": "ics", "address": address})
        path = f"{_SOURCES}/{source['id']}/read"
        reading = pool.submit(send, "POST", path)
        try:
            yield
        finally:
            send("DELETE", path)
            reading.result()


def _send(
    port: int,
    headers: Mapping[str, str],
    method: str,
    path: str,
    body: Mapping[str, str] = _NOTHING,
) -> Any:
    """Send a write of an editor, and return the answer; raise ``RuntimeError`` for a refusal."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)) as connection:
        connection.request(method, path, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status not in (HTTPStatus.OK, HTTPStatus.CREATED):
        raise RuntimeError(f"{path}: {answer.status} {content[:500]!r}")
    return json.loads(content)


@contextmanager
def _offered(content: bytes) -> Iterator[str]:
    """Offer a calendar on this machine; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/calendar")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing beside the figures."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server, ThreadPoolExecutor(1) as pool:
        serving = pool.submit(server.serve_forever)
        try:
            yield f"http://127.0.0.1:{server.server_port}/calendar.ics"
        finally:
            server.shutdown()
            serving.result()


def _calendar_text(words: Sequence[str], number: int) -> bytes:
    """Return a calendar with so many coming events."""
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
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
