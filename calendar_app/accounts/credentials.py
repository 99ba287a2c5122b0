"""Keeps secrets so that their user is found, although only salted hashes are stored."""

from calendar_app.accounts.keys import Keys
from calendar_app.accounts.secrets import hash_secret, hint, new_pepper
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
