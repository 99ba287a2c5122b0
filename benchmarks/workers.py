"""The processes that answer: which one a connection has come to, and what memory each takes."""

import json
import time
from collections import Counter
from contextlib import ExitStack

from connection import Connection
from service import WORKERS

# One worker may be there before another one, and which one takes a connection is chance.
_PATIENCE = 20  # seconds
_PAUSE = 0.02  # seconds


def worker_of(connection: Connection) -> tuple[int, int]:
    """Return the process that answers on this connection, and its memory in bytes."""
    connection.answer(connection.request("GET", "/worker", {}))
    worker = json.loads(connection.body)
    return worker["pid"], worker["memory"]


def spread(port: int, number: int, stack: ExitStack) -> list[Connection]:
    """Return so many connections, as many to one worker as to another; ``stack`` closes them.

    Those that are too many stay open meanwhile: a worker that has more leaves the next to others.
    """
    connection_counts: Counter[int] = Counter()
    connections: list[Connection] = []
    surplus: list[Connection] = []
    until = time.monotonic() + _PATIENCE
    while len(connections) < number:
        connection = stack.enter_context(Connection(port))
        process, _memory = worker_of(connection)
        if connection_counts[process] < number // WORKERS:
            connection_counts[process] += 1
            connections.append(connection)
        elif time.monotonic() > until:
            raise RuntimeError("Not all workers take connections.")
        else:
            surplus.append(connection)
            time.sleep(_PAUSE)
    for connection in surplus:
        connection.close()
    return connections


def memory(port: int) -> int:
    """Return the memory of the largest worker, in bytes."""
    with ExitStack() as stack:
        return max(worker_of(each)[1] for each in spread(port, WORKERS, stack))
