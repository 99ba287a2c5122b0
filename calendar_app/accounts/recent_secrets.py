"""Remembers secrets of the last moments, right ones or wrong ones, without storing them."""

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from threading import Lock

_SIZE = 1024


class RecentSecrets:
    """Secrets that were seen in this process during the last ``seconds``.

    They are kept as keyed digests: what is in memory is of no use elsewhere.
    """

    def __init__(self, seconds: int, size: int = _SIZE) -> None:
        self._life = timedelta(seconds=seconds)
        self._size = size
        self._key = secrets.token_bytes(32)
        self._expiries: OrderedDict[bytes, datetime] = OrderedDict()
        self._lock = Lock()

    def has(self, credentials: Sequence[str], now: datetime) -> bool:
        with self._lock:
            return self._expiries.get(self._digest(credentials), now) > now

    def keep(self, credentials: Sequence[str], now: datetime) -> None:
        digest = self._digest(credentials)
        with self._lock:
            self._expiries[digest] = now + self._life
            self._expiries.move_to_end(digest)
            while len(self._expiries) > self._size:
                self._expiries.popitem(last=False)

    def _digest(self, credentials: Sequence[str]) -> bytes:
        # The notation of a tuple keeps its members apart, whatever is in them.
        return hmac.digest(self._key, repr(tuple(credentials)).encode(), "sha256")
