"""Which documents were written between two moments, as MongoDB's own log of writes tells.

A replica set has that log anyway, the oplog: https://www.mongodb.com/docs/manual/core/replica-set-oplog/
It needs no help from those who write, whoever they are.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from bson import Timestamp
from pymongo.database import Database
from pymongo.errors import OperationFailure
from pymongo.read_concern import ReadConcern

from calendar_app.domain.kind import Record
from calendar_app.storage.refusing import UNAUTHORIZED

Entry = Mapping[str, Any]
Written = frozenset[Hashable]

# More is not looked at: to count everything is then no slower.
_MOST = 1000
_PATIENCE = 50  # ms
_COMMITTED = ReadConcern("majority")
_TOLD = ("ns", "op", "o._id", "o2._id")
_FIELDS = ("ts", "prevOpTime.ts", "o.partialTxn", "o.prepare", *_TOLD)
_ONE, _NOTHING = frozenset("iud"), "n"
_ALONE = Timestamp(0, 0)


class WriteLog:
    """The log of the replica set, as far as the service may read it."""

    def __init__(self, database: Database[Record]) -> None:
        self._database = database
        self._closed = False

    def between(self, collection: str, before: Timestamp, after: Timestamp) -> Written | None:
        """Return the ids of what was written after one moment, up to another and with it.

        ``None`` where that is not known: there is too much, the log does not reach back that far,
        it tells of what is not about documents, or it may not be read.
        """
        if self._closed:
            return None
        try:
            entries = self._read(collection, before, after)
        except OperationFailure as error:
            # Anything else passes: the query took too long, or its place in the log was given up.
            self._closed = error.code == UNAUTHORIZED
            return None
        # Both moments are those of entries, so what lies between is whole if both are there.
        if not entries or (entries[0]["ts"], entries[-1]["ts"]) != (before, after):
            return None
        return _ids(entries[1:], self._database.name, collection)

    def _read(self, collection: str, before: Timestamp, after: Timestamp) -> list[Entry]:
        """Return the entries of both moments and, of those between, what may be about documents."""
        applied = (f"o.applyOps.{name}" for name in _TOLD)
        name = self._database.name
        places = [f"{name}.{collection}", f"{name}.$cmd", "admin.$cmd"]
        log = self._database.client["local"].get_collection("oplog.rs", read_concern=_COMMITTED)
        found = log.find(
            {
                "ts": {"$gte": before, "$lte": after},
                "$or": [{"ns": {"$in": places}}, {"ts": {"$in": [before, after]}}],
            },
            dict.fromkeys((*_FIELDS, *applied), 1),
        )
        return list(found.limit(_MOST).batch_size(_MOST).max_time_ms(_PATIENCE))


def _ids(entries: Iterable[Entry], database: str, collection: str) -> Written | None:
    """Return the ids of the documents of a collection that entries tell of, if they tell all."""
    ids: set[Hashable] = set()
    for entry in entries:
        writes = _writes(entry)
        if writes is None:
            return None
        for write in writes:
            place, _, name = write["ns"].partition(".")
            if place == database and write["op"] not in _ONE:
                return None
            if place == database and name == collection:
                ids.add(write.get("o2", write["o"])["_id"])
    return frozenset(ids) if len(ids) <= _MOST else None


def _writes(entry: Entry) -> Sequence[Entry] | None:
    """Return the writes of an entry, which may be those of a transaction; ``None`` if unknown."""
    if entry["op"] == _NOTHING:
        return []
    if not entry["ns"].startswith("admin."):
        return [entry]
    done = entry["o"]
    # A transaction that takes several entries began in one that may lie before.
    whole = entry.get("prevOpTime", {}).get("ts", _ALONE) == _ALONE
    if "applyOps" not in done or "partialTxn" in done or "prepare" in done or not whole:
        return None
    applied: Sequence[Entry] = done["applyOps"]
    return applied
