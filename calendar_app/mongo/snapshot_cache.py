"""Values that were read at one cluster time, kept while that is the latest.

MongoDB gives snapshot reads the same cluster time until the next write, in whatever process. So a
value that is cached for the latest cluster time is never stale.
"""

from collections.abc import Hashable, MutableMapping
from threading import Lock
from typing import Any

from bson import Timestamp

CachedValues = MutableMapping[Hashable, Any]


class SnapshotCache:
    """At most ``limit`` values, all of the latest cluster time that was seen."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cluster_time = Timestamp(0, 0)
        self._values: CachedValues = {}
        self._lock = Lock()

    @property
    def cluster_time(self) -> Timestamp:
        """The latest cluster time that was seen."""
        return self._cluster_time

    def at(self, cluster_time: Timestamp | None) -> CachedValues:
        """Return the values of a cluster time, to read and to add to.

        Values of an earlier cluster time, or of ``None``, are not kept.
        """
        if cluster_time is None:
            return {}
        with self._lock:
            if cluster_time > self._cluster_time or len(self._values) >= self._limit:
                self._cluster_time, self._values = cluster_time, {}
            return self._values if cluster_time == self._cluster_time else {}
