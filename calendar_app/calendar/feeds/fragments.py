"""Cache of rendered events of feeds, one per revision."""

from threading import Lock

from cachetools import LRUCache


class FragmentCache:
    """An LRU cache of rendered events, of at most ``room`` bytes.

    A key stands for all that a fragment shows, so that no fragment is ever out of date.
    """

    def __init__(self, room: int) -> None:
        self._fragments: LRUCache[bytes, bytes] = LRUCache(room, getsizeof=len)
        self._lock = Lock()

    def find(self, keys: list[bytes]) -> dict[bytes, bytes]:
        """Return the fragments under these keys that are kept."""
        with self._lock:
            return {key: self._fragments[key] for key in keys if key in self._fragments}

    def keep(self, key: bytes, fragment: bytes) -> None:
        """Keep a fragment, unless it is larger than all the room."""
        if len(fragment) <= self._fragments.maxsize:
            with self._lock:
                self._fragments[key] = fragment
