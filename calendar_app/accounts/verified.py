"""Spares the hashing of a secret that was verified a moment ago."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock

from calendar_app.accounts.caller import Caller

_SIZE = 1024


class Verified:
    """Callers by their credentials, in this process, for ``seconds``.

    Only right credentials come in, so a wrong one is never taken for right. They are kept as keyed
    digests: what is in memory is of no use elsewhere.
    """

    def __init__(self, seconds: int, size: int = _SIZE) -> None:
        self._life = timedelta(seconds=seconds)
        self._size = size
        self._key = secrets.token_bytes(32)
        self._callers: OrderedDict[bytes, tuple[Caller, datetime]] = OrderedDict()
        self._lock = Lock()

    def find(self, credentials: Sequence[str], now: datetime) -> Caller | None:
        with self._lock:
            caller, until = self._callers.get(self._digest(credentials), (None, now))
            return caller if until > now else None

    def keep(self, credentials: Sequence[str], caller: Caller, now: datetime) -> None:
        digest = self._digest(credentials)
        with self._lock:
            self._callers[digest] = (caller, now + self._life)
            self._callers.move_to_end(digest)
            while len(self._callers) > self._size:
                self._callers.popitem(last=False)

    def forget(self) -> None:
        """Drop all cached callers after a secret has changed."""
        with self._lock:
            self._callers.clear()

    def _digest(self, credentials: Sequence[str]) -> bytes:
        # The notation of a tuple keeps its members apart, whatever is in them.
        return hmac.digest(self._key, repr(tuple(credentials)).encode(), "sha256")
