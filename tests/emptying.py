"""Reset a database to the start of a test; write only documents that were written since."""

import itertools

import bson

from calendar_app.storage.mongo.marks import LAST, OUTBOX, WRITERS, mark_everything

# Of an entry of the oplog what names the written documents; a transaction holds several entries.
_NAMING = [
    *("ts", "op", "ns", "o._id", "o2._id", "o.drop", "o.renameCollection", "o.dropDatabase"),
    *("o.applyOps.op", "o.applyOps.ns", "o.applyOps.o._id", "o.applyOps.o2._id"),
]
_OF_DOCUMENTS = ("i", "u", "d")
_AT_ONCE = 1000


def replace_all(database, documents):
    """Store these documents, lists by collection, and remove all others."""
    for name in {*database.list_collection_names(), *documents}:
        if not name.startswith("system."):
            database[name].delete_many({})
            if documents.get(name):
                database[name].insert_many(documents[name])


class WrittenDocuments:
    """Restores a MongoDB to an earlier state by the document ids in its oplog."""

    def __init__(self, database):
        self._database = database
        self._oplog = database.client.local["oplog.rs"]
        self._since = None
        self._stored = {}
        self._written = {}
        # Collections that are there; asking for them takes a tenth of a restoration.
        self._present = set()

    def replace(self, documents):
        """Do as ``replace_all``; the same names always come with the same ``documents``."""
        stored = {name: _by_id(rows) for name, rows in documents.items()}
        if self._read_oplog() is None:
            replace_all(self._database, documents)
            self._present.clear()
            self._since = self._database.command("ping")["operationTime"]
        else:
            ids = self._written
            if stored.keys() != self._stored.keys():
                ids = _united(ids, _united(stored, self._stored))
            self._store(ids, stored)
        self._written, self._stored = {}, stored
        mark_everything(self._database)

    def read_changed(self):
        """Return the documents of all collections that were written since ``replace``.

        The outbox belongs to writers that ``restore`` does not bring back.
        """
        self._read_oplog()
        names = self._written.keys() - {WRITERS, OUTBOX}
        return {name: list(self._database[name].find()) for name in names}

    def restore(self, documents):
        """Restore the documents from ``read_changed``."""
        restored = {name: _by_id(rows) for name, rows in documents.items()}
        present = {name: self._stored.get(name, {}) for name in documents}
        self._written = _united(self._written, _united(restored, present))
        self._store({name: self._written[name] for name in documents}, restored)
        mark_everything(self._database)

    def require_unwritten(self):
        """Fail if anything was written since the last call of one of the others."""
        written = self._read_oplog()
        assert written == set(), f"{written}: let the fixture that is kept come first"

    def _read_oplog(self):
        """Note what was written since the last time, and return the names of the collections.

        ``None`` if documents may have been written that are not named.
        """
        if self._since is None:
            return None
        query = {"ts": {"$gte": self._since}}
        former, *entries = self._oplog.find(query, dict.fromkeys(_NAMING, True))
        if former["ts"] != self._since:
            return None
        names = set()
        for entry in itertools.chain.from_iterable(map(_flat, entries)):
            database, _, name = entry["ns"].partition(".")
            if entry["op"] in _OF_DOCUMENTS and database == self._database.name:
                number = entry.get("o2", entry["o"])["_id"]
                if (name, number) != (WRITERS, LAST) and not name.startswith("system."):
                    self._written.setdefault(name, {})[_key(number)] = {"_id": number}
                    names.add(name)
            elif entry["o"].keys() & {"drop", "renameCollection", "dropDatabase"}:
                return None
        self._since = entries[-1]["ts"] if entries else self._since
        return names - {WRITERS}

    def _store(self, ids, documents):
        """Let the collections hold these documents, and none of the others of these ids."""
        operations = []
        # ``applyOps`` makes no collections, and the start of a test may lack some.
        if ids.keys() - self._present:
            self._present |= {*self._database.list_collection_names()}
        for name in ids.keys() - self._present:
            self._database.create_collection(name)
            self._present.add(name)
        for name, named in ids.items():
            space = f"{self._database.name}.{name}"
            for key, each in named.items():
                operations.append({"op": "d", "ns": space, "o": {"_id": each["_id"]}})
                if key in documents.get(name, {}):
                    operations.append({"op": "i", "ns": space, "o": documents[name][key]})
        for start in range(0, len(operations), _AT_ONCE):
            part = operations[start : start + _AT_ONCE]
            answer = self._database.client.admin.command("applyOps", part, allowAtomic=False)
            self._since = answer["operationTime"]


def _flat(entry):
    return entry.get("o", {}).get("applyOps") or [entry]


def _key(number):
    """Return an id as something that can be hashed."""
    return bson.encode({"_id": number})


def _by_id(rows):
    return {_key(row["_id"]): row for row in rows}


def _united(some, others):
    return {name: some.get(name, {}) | others.get(name, {}) for name in {**some, **others}}
