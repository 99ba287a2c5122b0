"""Reads from secondaries, at the cluster time of the primary.

A secondary that has come as far shows exactly what the primary does. One that has not, as while
somebody keeps it locked, is given a moment, and then passed over for a while.
https://www.mongodb.com/docs/manual/reference/read-concern-snapshot/
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from typing import TypeVar

from bson import Timestamp
from pymongo import timeout
from pymongo.database import Database
from pymongo.errors import OperationFailure
from pymongo.server_description import ServerDescription

from calendar_app.domain.kind import Record
from calendar_app.errors import Unavailable
from calendar_app.storage.mongo.transactions import (
    NO_SNAPSHOT,
    ServerAddress,
    current_member,
    reading_from,
)

Result = TypeVar("Result")
_PATIENCE = 0.5  # seconds in which a secondary may come as far as the primary
_REST = 10.0  # seconds in which one that did not is passed over


def keep_to_member(servers: Sequence[ServerDescription]) -> list[ServerDescription]:
    """Keep the secondary that the current work reads from, or else the primary.

    Where the primary alone may be asked, there is nothing else to choose from.
    """
    member = current_member()
    if member is None:
        return list(servers)
    chosen = [server for server in servers if server.address == member]
    return chosen or [server for server in servers if server.is_writable]


class Secondaries:
    """The secondaries of a replica set, which take turns; ``ask`` reads next to nothing."""

    def __init__(self, database: Database[Record], ask: Callable[[], object]) -> None:
        self._client = database.client
        self._ask = ask
        self._turns = count()
        self._reached: dict[ServerAddress, Timestamp] = {}
        self._resting: dict[ServerAddress, float] = {}

    def read(self, cluster_time: Timestamp, work: Callable[[], Result]) -> Result:
        """Return the result of ``work``, read from a secondary, or else from the primary."""
        member = next(filter(lambda each: self._reaches(each, cluster_time), self._in_turn()), None)
        if member is not None:
            # An error of the work itself recurs at the primary.
            with suppress(Unavailable), self._passing_over(member), reading_from(member):
                return work()
        return work()

    def _in_turn(self) -> list[ServerAddress]:
        members, now = sorted(self._client.secondaries), time.monotonic()
        turn = next(self._turns) % max(1, len(members))
        rotated = members[turn:] + members[:turn]
        return [member for member in rotated if self._resting.get(member, now) <= now]

    def _reaches(self, member: ServerAddress, cluster_time: Timestamp) -> bool:
        """Return whether a secondary has come to a cluster time, or comes to it soon."""
        if self._reached.get(member, Timestamp(0, 0)) >= cluster_time:
            return True
        with suppress(Unavailable), self._passing_over(member):
            with reading_from(member), timeout(_PATIENCE):
                self._ask()
            self._reached[member] = cluster_time
            return True
        return False

    @contextmanager
    def _passing_over(self, member: ServerAddress) -> Iterator[None]:
        """Pass a secondary over for a while that cannot read in the block."""
        try:
            yield
        except (Unavailable, OperationFailure) as error:
            if isinstance(error, OperationFailure) and error.code not in NO_SNAPSHOT:
                raise
            self._resting[member] = time.monotonic() + _REST
            raise Unavailable from error
