"""The times of change of feeds, for ``If-Modified-Since``.

The time is that of this process: it has seen the feed so since then. The last change of an event
would not do, as an event that leaves a feed leaves no time in it.
"""

from collections.abc import Hashable
from datetime import datetime, timedelta
from threading import Lock

from cachetools import LRUCache

_MOST = 1000
# HTTP tells no smaller parts of time.
_SECOND = timedelta(seconds=1)


class Versions:
    """The last version of feeds that this process has answered."""

    def __init__(self) -> None:
        self._seen: LRUCache[Hashable, tuple[str, datetime]] = LRUCache(_MOST)
        self._lock = Lock()

    def since(self, feed: Hashable, entity_tag: str, now: datetime) -> datetime:
        """Return since when a feed has this entity tag; later than any version before it."""
        with self._lock:
            former = self._seen.get(feed)
            if former and former[0] == entity_tag:
                return former[1]
            moment = now.replace(microsecond=0)
            moment = max(moment, former[1] + _SECOND) if former else moment
            self._seen[feed] = entity_tag, moment
            return moment
