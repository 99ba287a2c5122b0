"""Keeps secrets so that their user is found, although only salted hashes are stored."""

from collections.abc import Iterable

from calendar_app.accounts.keys import Keys
from calendar_app.accounts.secrets import hash_secret, hint, new_pepper, verify_hash
from calendar_app.domain.kind import Record
from calendar_app.mongo.store import Store

_PEPPER = "hints"


class Credentials:
    """Makes stored secrets, ``{label, hint, hash}``, and the hints to find them by."""

    def __init__(self, store: Store) -> None:
        self._keys = Keys(store)

    def hashed(self, secret: str, label: str) -> Record:
        return {"label": label, "hint": self.hint(secret), "hash": hash_secret(secret)}

    def hint(self, secret: str) -> str:
        return hint(secret, self._keys.key(_PEPPER, new_pepper))


def verify(secret: str, hinted: str, stored: Iterable[Record]) -> bool:
    """Return whether one of the stored secrets is this one; ``hinted`` is its hint.

    A wrong secret is seldom hashed at all, so it costs as little as the name of nobody.
    """
    return any(
        verify_hash(secret, secret_record["hash"])
        for secret_record in stored
        if secret_record["hint"] == hinted
    )
