"""``make bench-busy``: how long a list takes while everything else goes on too.

Starts the service with its own mongod in a directory of its own, and removes all of it at the end.
Prints the median and the p99 of a list alone. Then the process for jobs reads a source of 5,000
changed events again and again, two clients read a feed without a pause, and receivers of webhooks
are told of each change.
"""

import argparse
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from itertools import chain
from pathlib import Path

from calls import BASE, signed
from feed_readers import reading_feeds
from loopback import listening
from series import Row
from service import environment, scratch, serving
from small_calendar import SampleCalendar, fill
from source_reading import (
    ALLOWING,
    answer_times,
    calendar_texts,
    offered_source,
    send,
)

from calendar_app.accounts.callers import ADMINISTRATOR
from calendar_app.assembly.services import build_services
from calendar_app.cli.database import opened_store
from calendar_app.settings import Settings

_EVENTS, _FEW_EVENTS = 10_000, 50
_READERS = 2
_WEBHOOKS = 2
_SECONDS = 60.0
_LIST = {"list of 12 events": f"{BASE}/events?per_page=12"}
_LIMIT = 1.3
_TELLING = {
    "CALENDAR_WEBHOOK_NETWORKS": "127.0.0.0/8",
    "CALENDAR_SITE_URL": "http://127.0.0.1",
}
# Seconds between two looks at what is due.
_OFTEN = {"CALENDAR_PUBLISH_INTERVAL": "1"}


@dataclass(slots=True)
class Receiver:
    """Takes the messages of webhooks, and counts them."""

    address: str
    deliveries: int = 0


def main() -> None:
    """Print the times of a list, alone and beside all the rest."""
    parser = argparse.ArgumentParser(description="Measure a list beside everything else.")
    parser.add_argument("--seconds", type=float, default=_SECONDS)
    parser.add_argument("--quick", action="store_true", help="with few events")
    options = parser.parse_args()
    with scratch() as directory, serving(directory, **ALLOWING, **_TELLING, **_OFTEN) as port:
        calendar = fill(directory, _FEW_EVENTS if options.quick else _EVENTS)
        calendar = _as_administrator(calendar, directory)
        print(*_rows(port, calendar, options.seconds, quick=options.quick), sep="\n")


def _rows(port: int, calendar: SampleCalendar, seconds: float, *, quick: bool) -> Iterator[Row]:
    first, changed = calendar_texts(calendar.words, quick=quick)
    answer_times(port, _LIST, 0)  # The first answers fill caches.
    alone = _figures(port, seconds)
    with _receiver() as receiver, offered_source(port, calendar, "publish") as source:
        for webhook in range(_WEBHOOKS):
            hook = {"name": f"Benchmark {webhook}", "address": receiver.address}
            send(port, signed(calendar), "POST", f"{BASE}/webhooks", hook)
        source.read(first)
        with (
            source.read_on_schedule([changed, first]),
            reading_feeds(port, _READERS, ("ics",)),
        ):
            beside = _figures(port, seconds)
    for name, before, now in zip(("p50", "p99"), alone, beside, strict=True):
        yield Row(f"{name} of a list of 12 events, alone", 1000 * before)
        limit = _LIMIT if name == "p99" else 0
        yield Row(f"{name} of the same, beside all the rest", 1000 * now, now / before, limit)
    yield Row(f"{receiver.deliveries:,} deliveries of webhooks, in", 1000 * seconds)


def _figures(port: int, seconds: float) -> Sequence[float]:
    """Return the median and the p99 in seconds, over all workers."""
    every = list(chain.from_iterable(*answer_times(port, _LIST, seconds).values()))
    return statistics.median(every), statistics.quantiles(every, n=100, method="inclusive")[98]


def _as_administrator(calendar: SampleCalendar, directory: Path) -> SampleCalendar:
    """Return the calendar with the credentials of a user who may add webhooks."""
    settings = Settings.load(environment=environment(directory))
    with opened_store(settings) as store:
        services = build_services(settings, store, lambda: datetime.now(UTC))
        secret = services.accounts.add("administrator", ADMINISTRATOR)
    return replace(calendar, user="administrator", secret=secret)


@contextmanager
def _receiver() -> Iterator[Receiver]:
    """Take messages on this machine as long as the context lasts."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.rfile.read(int(request.headers["Content-Length"]))
        receiver.deliveries += 1
        request.send_response(HTTPStatus.NO_CONTENT)
        request.end_headers()

    with listening(answer) as address:
        receiver = Receiver(address)
        yield receiver


if __name__ == "__main__":
    main()
