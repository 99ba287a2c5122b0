"""The processes that answer: which one a connection has come to, and what memory each takes."""

import json
from collections import Counter
from contextlib import ExitStack

from connection import Connection
from service import WORKERS

# Which worker takes a new connection is chance; so many tries find all of them.
_TRIES = 200


def worker_of(connection: Connection) -> tuple[int, int]:
    """Return the process that answers on this connection, and its peak memory in bytes."""
    connection.send("GET", "/worker", {}, "")
    while not connection.receive():
        pass
    told = json.loads(connection.body)
    return told["pid"], told["memory"]


def spread(port: int, number: int, stack: ExitStack) -> list[Connection]:
    """Return so many connections, as many to one worker as to another; ``stack`` closes them."""
    found: Counter[int] = Counter()
    connections: list[Connection] = []
    for _ in range(_TRIES):
        connection = stack.enter_context(Connection(port))
        process, _memory = worker_of(connection)
        if found[process] < number // WORKERS:
            found[process] += 1
            connections.append(connection)
        if len(connections) == number:
            return connections
    raise RuntimeError("Not all workers take connections.")


def memory(port: int) -> int:
    """Return the most memory that one of the workers ever took, in bytes."""
    with ExitStack() as stack:
        return max(worker_of(each)[1] for each in spread(port, WORKERS, stack))
