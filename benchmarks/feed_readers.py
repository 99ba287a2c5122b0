"""``make bench-feeds``: how long answers take beside clients that read feeds, and beside a reading.

Starts the service with its own mongod in a directory of its own, and removes all of it at the end.
Prints, for a calendar that rests and for one that changes twice a second, how long one event takes
alone and beside the readers, and how long a feed takes. Then a source is read, and a page and an
event are compared with the same without a reading.
"""

import argparse
import statistics
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import count
from multiprocessing import Event, synchronize

from calls import signed
from meanwhile import going_on
from service import scratch, serving
from small_calendar import SampleCalendar, fill
from source_reading import ALLOWING, beside_reading

_EVENTS, _FEW_EVENTS = 2000, 50
_READERS = 8
_SECONDS = 15.0
_PAUSE = 0.02  # seconds between two requests for one event
_BETWEEN_WRITES = 0.5  # seconds
_BASE = "/calendar/events/v1"
_FEEDS = ("ics", "atom", "geojson", "csv")
_NO_HEADERS: Mapping[str, str] = {}
_PATIENCE = 120  # seconds

_over: synchronize.Event


class BusyError(Exception):
    """The service asks to come again after so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"The service is busy for {seconds} seconds.")
        self.seconds = seconds


def main() -> None:
    """Print the times of an event and of a feed."""
    parser = argparse.ArgumentParser(description="Measure one event beside readers of feeds.")
    parser.add_argument("--readers", type=int, default=_READERS)
    parser.add_argument("--seconds", type=float, default=_SECONDS)
    parser.add_argument("--quick", action="store_true", help="with few events")
    parser.add_argument("--several", action="store_true", help="read feeds of all formats")
    options = parser.parse_args()
    suffixes = _FEEDS if options.several else _FEEDS[:1]
    with scratch() as directory, serving(directory, **ALLOWING) as port:
        calendar = fill(directory, _FEW_EVENTS if options.quick else _EVENTS)
        _print("one event, alone", _events(port, calendar, options.seconds / 3))
        for case, pause in (("at rest", 0.0), ("changing", _BETWEEN_WRITES)):
            with (
                reading_feeds(port, options.readers, suffixes) as feeds,
                _writing(port, calendar, pause),
            ):
                events = _events(port, calendar, options.seconds)
            _print(f"one event, {case}", events)
            _print(f"a feed, {case}", feeds)
        print(*beside_reading(port, calendar, options.seconds, quick=options.quick), sep="\n")


def _print(name: str, durations: Iterable[float]) -> None:
    times = [1000 * seconds for seconds in durations]
    shares = statistics.quantiles(times, n=20, method="inclusive")
    figures = f"p50 {shares[9]:8.1f} ms   p95 {shares[18]:8.1f} ms   most {max(times):8.1f} ms"
    print(f"{name:<22}{len(times):>7} answers   {figures}", flush=True)


def _events(port: int, calendar: SampleCalendar, seconds: float) -> list[float]:
    """Read one event after another, each by a connection of its own."""
    until = time.perf_counter() + seconds
    durations: list[float] = []
    while time.perf_counter() < until:
        number = calendar.events[len(durations) % len(calendar.events)]
        durations.append(_took(port, f"{_BASE}/events/{number}"))
        time.sleep(_PAUSE)
    return durations


@contextmanager
def reading_feeds(port: int, readers: int, suffixes: Iterable[str]) -> Iterator[list[float]]:
    """Read feeds as long as the context lasts, in another process; fill a list with the times."""
    paths = [f"{_BASE}/events.{suffix}" for suffix in suffixes]
    over, durations = Event(), list[float]()
    with ProcessPoolExecutor(1, initializer=_share, initargs=(over,)) as pool:
        readings = pool.submit(_read_all, port, readers, paths)
        try:
            yield durations
        finally:
            over.set()
        durations += readings.result()


def _share(over: synchronize.Event) -> None:
    global _over  # noqa: PLW0603 - how a process is lent an event
    _over = over


def _read_all(port: int, readers: int, paths: list[str]) -> list[float]:
    with ThreadPoolExecutor(readers) as pool:
        readings = [pool.submit(_read, port, paths[n % len(paths)]) for n in range(readers)]
    return [seconds for reader in readings for seconds in reader.result()]


def _read(port: int, path: str) -> list[float]:
    durations: list[float] = []
    while not _over.is_set():
        try:
            durations.append(_took(port, path))
        except BusyError as busy:
            _over.wait(busy.seconds)
    return durations


def _writing(port: int, calendar: SampleCalendar, pause: float) -> AbstractContextManager[None]:
    """Change an event now and then as long as the context lasts; without a pause none."""

    def work(over: threading.Event) -> None:
        headers = signed(calendar)
        for number in count():
            if not pause or over.wait(pause):
                return
            path = f"{_BASE}/events/{calendar.events[number % len(calendar.events)]}"
            _answer(port, "PATCH", path, f'{{"title": "Changed {number}"}}', headers)

    return going_on(work)


def _took(port: int, path: str) -> float:
    begun = time.perf_counter()
    _answer(port, "GET", path)
    return time.perf_counter() - begun


def _answer(
    port: int, method: str, path: str, body: str = "", headers: Mapping[str, str] = _NO_HEADERS
) -> None:
    """Read an answer to its end; raise ``BusyError``, or ``RuntimeError`` for no good one."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)) as connection:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status == HTTPStatus.SERVICE_UNAVAILABLE:
        raise BusyError(int(answer.getheader("Retry-After", "1")))
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{path}: {answer.status} {content[:500]!r}")


if __name__ == "__main__":
    main()
