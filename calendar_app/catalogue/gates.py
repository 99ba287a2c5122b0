"""A lock that many may share, in which those who share it do not meet.

A document that all of them write to would do, but then each would wait for the others. So a lock
is a row of gates, each a document ``{_id, passed}``. Who shares the lock passes one gate, who
wants it alone passes all of them. Two transactions that pass the same gate meet: the database lets
one of them begin again, and it then sees what the other one did.
"""

from collections.abc import Iterable

from calendar_app.query.clauses import one_of
from calendar_app.storage.store import Store

_GATES = "gates"
# So many may share a lock before two of them meet; those who write at once are fewer.
_IN_A_ROW = 16
# Locks with the same row are one more than need be, which does no harm.
_ROWS = 64


class Gates:
    """The locks of records, by id; inside a transaction alone do they hold."""

    def __init__(self, store: Store) -> None:
        self._gates = store[_GATES]

    def share(self, locks: Iterable[int], turn: int) -> None:
        """Keep out who wants one of these locks alone, until the transaction ends.

        Those who come with turns that follow each other do not meet.
        """
        self._pass({_first(lock) + turn % _IN_A_ROW for lock in locks})

    def close(self, lock: int) -> None:
        """Keep out everybody else, until the transaction ends."""
        self._pass(set(range(_first(lock), _first(lock) + _IN_A_ROW)))

    def _pass(self, gates: set[int]) -> None:
        wanted = one_of("_id", sorted(gates))
        if self._gates.change_all(wanted, {"$inc": {"passed": 1}}) < len(gates):
            there = {gate["_id"] for gate in self._gates.find(wanted, fields=["_id"])}
            self._gates.insert_many([{"_id": gate, "passed": 1} for gate in gates - there])


def _first(lock: int) -> int:
    return lock % _ROWS * _IN_A_ROW
