"""Readiness of the database: one ping, and an examination in the background."""

import threading
import time
from collections.abc import Mapping, Sequence

from calendar_app.domain.kind import Index
from calendar_app.errors import CalendarError, Message, Unavailable
from calendar_app.storage.mongo.connection import watching
from calendar_app.storage.mongo.error_translation import TOO_LONG, translate_errors
from calendar_app.storage.mongo.formats import EARLIER, FORMATS, LATER, is_outdated, stored_mark
from calendar_app.storage.mongo.indexes import missing_indexes
from calendar_app.storage.mongo.restoring import is_half_restored
from calendar_app.storage.mongo.store import Store

_FRESH = 60.0  # seconds after which the database is examined again
_RETRY = 1.0  # seconds, where something is missing
_FIRST_WITHIN = 1.0  # seconds for the first examination


class Readiness:
    """The readiness of one database.

    Looking up all indexes takes a question for each collection. So that is done by a thread, and
    a request waits only for its first result.
    """

    def __init__(self, store: Store, indexes: Mapping[str, Sequence[Index]]) -> None:
        self._store = store
        self._indexes = indexes
        self._lacking = ""
        self._next = 0.0
        self._examined = threading.Event()
        self._turn = threading.Lock()

    def lacking(self) -> str:
        """Return the reason why the database is not ready; empty if it is.

        Raises ``Unavailable`` if the database cannot be reached, or takes too long.
        """
        with watching(), translate_errors():
            self._store.database.command("ping")
        if time.monotonic() >= self._next and self._turn.acquire(blocking=False):
            threading.Thread(target=self._examine, name="readiness", daemon=True).start()
        if not self._examined.wait(_FIRST_WITHIN):
            raise Unavailable(TOO_LONG)
        # Each process looks at the mark of the format more often.
        return LATER if is_outdated(self._store.database) else self._lacking

    def _examine(self) -> None:
        try:
            self._lacking = self._missing_part()
            self._next = time.monotonic() + (_RETRY if self._lacking else _FRESH)
            self._examined.set()
        except CalendarError:
            self._next = time.monotonic() + _RETRY  # the next ping says more
        finally:
            self._turn.release()

    def _missing_part(self) -> str:
        if is_half_restored(self._store.database):
            return Message("A restore of the database was interrupted.")
        with translate_errors():
            mark = stored_mark(self._store.database)
        if mark.next > FORMATS.newest:
            return LATER
        if mark.format < FORMATS.oldest:
            return EARLIER
        missing = missing_indexes(self._store, self._indexes)
        return Message("The index {index} is missing.", index=missing[0]) if missing else ""
