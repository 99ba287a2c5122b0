"""Sends one request again and again over several connections, and times it."""

import selectors
import statistics
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from threading import Event

from calls import NUMBER, Beside, Call
from connection import Connection
from workers import spread

CONNECTIONS = 4
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Load:
    """How many requests a second were answered, and how many seconds answers took.

    ``size`` is what a whole one has in bytes, without its head; a 304 stands for as many.
    """

    rate: float
    median: float
    percentile_99: float
    size: int


def load(port: int, call: Call, seconds: float) -> Load:
    """Send ``call`` for so long, each time as soon as the answer before is there.

    Raises ``RuntimeError`` where an answer has another status than it should.
    """
    with ExitStack() as stack:
        connections = spread(port, CONNECTIONS, stack)
        connections[0].answer(_request(connections[0], call))
        whole = len(connections[0].body)
        if call.conditional:
            tag = {"If-None-Match": connections[0].header("etag")}
            call = replace(call, headers={**call.headers, **tag})
        if call.beside:
            stack.enter_context(_beside(port, call.beside))
        begun = time.perf_counter()
        took = list(_sent(call, connections, begun + seconds))
        rate = len(took) / (time.perf_counter() - begun)
    percentiles = statistics.quantiles(took, n=100, method="inclusive")
    return Load(rate, percentiles[49], percentiles[98], whole)


def _sent(call: Call, connections: Iterable[Connection], until: float) -> Iterator[float]:
    """Yield the seconds that each answer took; all that were asked for are waited for."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ, connection)
            connection.send(_request(connection, call))
        while selector.get_map():
            for key, _ in selector.select():
                connection = key.data
                if not connection.receive():
                    continue
                yield connection.took
                _require(connection, call)
                if time.perf_counter() < until:
                    connection.send(_request(connection, call))
                else:
                    selector.unregister(connection)


@contextmanager
def _beside(port: int, beside: Beside) -> Iterator[None]:
    """Send calls again and again as long as the context lasts."""
    over = Event()

    def work() -> None:
        with Connection(port) as connection:
            while not over.wait(beside.pause):
                connection.answer(_request(connection, beside.call))
                _require(connection, beside.call)

    with ThreadPoolExecutor(beside.clients) as pool:
        sent = [pool.submit(work) for _ in range(beside.clients)]
        try:
            yield
        finally:
            over.set()
            for each in sent:
                each.result()


def _request(connection: Connection, call: Call) -> bytes:
    body = call.body.replace(NUMBER, str(next(_numbers))) if call.body else ""
    return connection.request(call.method, call.path, call.headers, body)


def _require(connection: Connection, call: Call) -> None:
    if connection.status != call.status:
        raise RuntimeError(f"{call.name}: {connection.status} {connection.body[:500]!r}")
