"""Reset a database to the start of a test; write only to changed collections."""

from hashlib import md5

from pymongo import WriteConcern

from calendar_app.storage.mongo.marks import OUTBOX, WRITERS, mark_everything

_UNJOURNALED = WriteConcern(w=1, j=False)
_EMPTY = md5(usedforsecurity=False).hexdigest()


def replace_all(database, documents):
    """Store these documents, lists by collection, and remove all others."""
    _replace(database, {*database.list_collection_names(), *documents}, documents)


class ChangedCollections:
    """Finds the changed collections of a MongoDB by their hashes, with one command."""

    def __init__(self, database):
        self._database = database
        self._hashes = {}
        self._emptied = self._last = {}

    def replace(self, documents):
        """Do as ``replace_all``; the same names always come with the same ``documents``."""
        self._replace(documents)
        self._database[WRITERS].delete_many({})
        mark_everything(self._database)

    def _replace(self, documents):
        key = frozenset(documents)
        hashes = self._compute_hashes()
        if key in self._hashes:
            _replace(self._database, _different(hashes, self._hashes[key]), documents)
        else:
            _replace(self._database, hashes.keys() | key, documents)
            self._hashes[key] = self._compute_hashes()
        self._emptied = self._last = self._hashes[key]

    def read_changed(self):
        """Return the documents of all collections that were written since ``replace``.

        The outbox belongs to writers that ``restore`` does not bring back.
        """
        self._last = self._compute_hashes()
        names = _different(self._last, self._emptied) - {OUTBOX}
        return {name: list(self._database[name].find()) for name in names}

    def restore(self, documents):
        """Store what ``read_changed`` returned."""
        _replace(self._database, documents.keys(), documents)
        mark_everything(self._database)
        self._last = self._compute_hashes()

    def require_unwritten(self):
        """Fail if anything was written since the last call of one of the others."""
        written = _different(self._compute_hashes(), self._last)
        assert not written, f"{written}: let the fixture that is kept come first"

    def _compute_hashes(self):
        hashes = self._database.command("dbHash")["collections"]
        return {name: digest for name, digest in hashes.items() if name != WRITERS}


def _different(hashes, expected):
    names = hashes.keys() | expected.keys()
    return {name for name in names if hashes.get(name, _EMPTY) != expected.get(name, _EMPTY)}


def _replace(database, names, documents):
    *earlier_names, last = [name for name in sorted(names) if not name.startswith("system.")] or [
        None
    ]
    for name in earlier_names:
        _refill(database.get_collection(name, write_concern=_UNJOURNALED), documents.get(name))
    if last:
        # This one waits for the journal, and so do those before it.
        _refill(database[last], documents.get(last))


def _refill(collection, documents):
    collection.delete_many({})
    if documents:
        collection.insert_many(documents)
