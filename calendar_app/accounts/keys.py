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
        wanted = equals("_id", name)
        found = self._keys.first(wanted)
        if found is None:
            found = self._keys.upsert(wanted, {"$setOnInsert": {"key": make()}})
        key: str = found["key"]
        return key
