"""What was read at one moment of the database, for as long as that is its latest.

MongoDB gives out the same moment until the next write, so what is kept here is never old:
whatever was written since, and be it elsewhere, has made another moment.
"""

from collections.abc import Hashable, MutableMapping
from threading import Lock
from typing import Any

from bson import Timestamp

Known = MutableMapping[Hashable, Any]


class Remembered:
    """Values that hold at the latest moment that was seen; ``most`` of them at once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._moment = Timestamp(0, 0)
        self._known: Known = {}
        self._lock = Lock()

    @property
    def moment(self) -> Timestamp:
        """The latest moment that was seen."""
        return self._moment

    def at(self, moment: Timestamp | None) -> Known:
        """Return what is known of ``moment``, to read and to add to.

        Nothing is kept of a moment that is past, or that is not known.
        """
        if moment is None:
            return {}
        with self._lock:
            if moment > self._moment or len(self._known) >= self._most:
                self._moment, self._known = moment, {}
            return self._known if moment == self._moment else {}
