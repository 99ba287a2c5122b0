"""A lock that many may share, in which those who share it do not meet.

A document that all of them write to would do, but then each would wait for the others. So a lock
is a row of gates, each a document ``{_id, passed, seal}``. Who shares the lock passes one gate, who
wants it alone passes all of them. Two transactions that pass the same gate meet: the database lets
one of them begin again, and it then sees what the other one did.

Whoever closes the gates puts a new seal on them, one that never was. So who passes a gate and
finds a seal that it has seen before knows that nobody had the lock alone since.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import uuid4

from calendar_app.query.clauses import EVERYTHING, one_of
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

    def share_one(self, lock: int, turn: int) -> str:
        """Do as ``share`` with one lock, and return the seal."""
        gate = {"_id": _gate(lock, turn)}
        passed = {"$add": [{"$ifNull": ["$passed", 0]}, 1]}
        sealed = {"$ifNull": ["$seal", _new_seal()]}
        seal: str = self._gates.upsert(gate, [{"$set": {"passed": passed, "seal": sealed}}])["seal"]
        return seal

    def share(self, locks: Iterable[int], turn: int) -> None:
        """Keep out who wants one of these locks alone, until the transaction ends.

        Those who come with turns that follow each other do not meet.
        """
        self._pass({_gate(lock, turn) for lock in locks}, {"$inc": {"passed": 1}})

    def seals(self, locks: Collection[int], turn: int) -> dict[int, str]:
        """Return the seal that stands for each of the locks, which are shared at that turn."""
        gates = {_gate(lock, turn) for lock in locks}
        found = self._gates.find(one_of("_id", gates), fields=["seal"])
        seals = {gate["_id"]: gate["seal"] for gate in found}
        return {lock: seals[_gate(lock, turn)] for lock in locks}

    def close(self, lock: int) -> None:
        """Keep out everybody else, until the transaction ends."""
        row = set(range(_first(lock), _first(lock) + _IN_A_ROW))
        self._pass(row, {"$inc": {"passed": 1}, "$set": {"seal": _new_seal()}})

    def close_all(self) -> None:
        """Do as ``close`` with every lock that anybody has shared."""
        self._gates.change_all(EVERYTHING, {"$set": {"seal": _new_seal()}})

    def _pass(self, gates: set[int], passing: Mapping[str, Any]) -> None:
        wanted = one_of("_id", sorted(gates))
        if self._gates.change_all(wanted, passing) < len(gates):
            there = {gate["_id"] for gate in self._gates.find(wanted, fields=["_id"])}
            seal = passing.get("$set") or {"seal": _new_seal()}
            self._gates.insert_many([{"_id": gate, "passed": 1} | seal for gate in gates - there])


def _new_seal() -> str:
    return uuid4().hex


def _gate(lock: int, turn: int) -> int:
    return _first(lock) + turn % _IN_A_ROW


def _first(lock: int) -> int:
    return lock % _ROWS * _IN_A_ROW
