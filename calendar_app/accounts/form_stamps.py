"""Stamps of forms that anybody may send: signed, and with the time at which a form was shown.

A stamp tells robots that send at once, and forms that come from elsewhere, without a cookie. The
secret of who sends a form follows from its stamp, so that a form sent twice is one.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_urlsafe

from itsdangerous import BadData, URLSafeSerializer

from calendar_app.accounts.keys import Keys
from calendar_app.accounts.secrets import new_pepper
from calendar_app.mongo.store import Store

_KEY = "forms"
_NONCE_BYTES = 16
# Nobody fills a form so fast, and who leaves one open for longer gets a new stamp.
SOONEST, LATEST = timedelta(seconds=3), timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A stamp that is genuine; ``age`` is the time since the form was shown."""

    age: timedelta
    token: str = field(repr=False)

    @property
    def is_hasty(self) -> bool:
        return self.age < SOONEST

    @property
    def is_stale(self) -> bool:
        return self.age > LATEST


class FormStamps:
    """Issues and reads stamps; ``now`` gives the present in UTC, without a zone."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._keys = Keys(store)
        self._now = now

    def issue(self, age: timedelta = timedelta()) -> str:
        """Return a stamp for a form that is shown now, or as if it had been shown before."""
        issued_at = (self._now() - age).isoformat()
        return self._serializer().dumps([token_urlsafe(_NONCE_BYTES), issued_at])

    def read(self, text: str) -> Stamp | None:
        """Return the stamp that a form has sent; ``None`` if it is none of ours."""
        try:
            nonce, issued_at = self._serializer().loads(text)
        except BadData:
            return None
        age = self._now() - datetime.fromisoformat(issued_at)
        digest = hmac.digest(self._key().encode(), nonce.encode(), "sha256")
        return Stamp(age, digest.hex())

    def _serializer(self) -> URLSafeSerializer:
        return URLSafeSerializer(self._key(), salt="form")

    def _key(self) -> str:
        return self._keys.key(_KEY, new_pepper)
