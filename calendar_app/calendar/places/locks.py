"""Locks of venues: events that are written share one, a venue that moves takes it alone.

MongoDB locks documents, and never for several. So a lock is a row of documents: who shares it takes
any one of them, who takes it alone all. Two events at one venue seldom meet then; with a lock of
one document, four clients who created events there were little more than half as fast.
"""

from collections.abc import Collection
from random import randrange

from calendar_app.mongo.store import Store

_COLLECTION = "place_locks"
# Venues share the rows, so that nobody has to remove them.
_ROWS, _COLUMNS = 128, 16


class VenueLocks:
    """Takes locks that last until the current transaction ends."""

    def __init__(self, store: Store) -> None:
        self._documents = store[_COLLECTION]

    def share(self, venues: Collection[int]) -> None:
        """Keep these venues where they are; others may do so too."""
        column = randrange(_COLUMNS)  # noqa: S311 - nothing secret
        self._documents.lock_ids({_key(venue, column) for venue in venues})

    def take(self, venue: int) -> None:
        """Keep all others from placing events at a venue."""
        self._documents.lock_ids({_key(venue, column) for column in range(_COLUMNS)})


def _key(venue: int, column: int) -> int:
    return venue % _ROWS * _COLUMNS + column
