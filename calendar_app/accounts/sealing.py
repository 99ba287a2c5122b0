"""Seals texts with a key of this site, so that only it can read them; pads their length."""

from base64 import urlsafe_b64encode
from secrets import token_bytes
from typing import TYPE_CHECKING

from calendar_app.accounts.secrets import Keys
from calendar_app.storage.mongo.store import Store

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

_KEY_BYTES = 32
# Texts are filled up to a multiple of it, so that their length tells little.
_BLOCK = 256
_END, _FILLING = b"\x80", b"\x00"


class Seal:
    """Seals texts under the key of a name; the same text looks otherwise each time."""

    def __init__(self, store: Store, name: str) -> None:
        self._keys = Keys(store)
        self._name = name

    def close(self, text: str) -> str:
        """Return a text sealed, in letters, digits, ``-``, ``_`` and ``=``."""
        ended = text.encode() + _END
        return self._fernet.encrypt(ended + _FILLING * (-len(ended) % _BLOCK)).decode()

    def open(self, sealed: str) -> str:
        """Return the text; raise ``ValueError`` where another site sealed it, or it is cut off."""
        # Loaded late, as few sites need it.
        from cryptography.fernet import InvalidToken  # noqa: PLC0415

        try:
            filled = self._fernet.decrypt(sealed.encode())
        except InvalidToken as error:
            raise ValueError(sealed) from error
        return filled.rstrip(_FILLING).removesuffix(_END).decode()

    @property
    def _fernet(self) -> "Fernet":
        from cryptography.fernet import Fernet  # noqa: PLC0415

        return Fernet(self._keys.key(self._name, _new_key))


def _new_key() -> str:
    return urlsafe_b64encode(token_bytes(_KEY_BYTES)).decode()
