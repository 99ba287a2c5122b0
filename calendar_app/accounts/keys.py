"""Random keys that belong to one site, which all its workers share."""

from collections.abc import Callable

from calendar_app.mongo.store import Store
from calendar_app.query.clauses import equals

_KEYS = "keys"


class Keys:
    """The keys of a site, by name.

    A key is read each time, since a database can be replaced under a service that runs.
    """

    def __init__(self, store: Store) -> None:
        self._keys = store[_KEYS]

    def key(self, name: str, make: Callable[[], str]) -> str:
        """Return a key; the first who asks for it makes it."""
        by_name = equals("_id", name)
        document = self._keys.first(by_name)
        if document is None:
            document = self._keys.upsert(by_name, {"$setOnInsert": {"key": make()}})
        key: str = document["key"]
        return key
