"""Passwords that unlock single events. They are shared among readers, so speed matters a little.

All seals of a site have one salt, so that a password is hashed once, however many events it is
tried on; each seal says its salt, since a site may have others from elsewhere.
"""

import hashlib
import secrets
from functools import lru_cache
from hmac import compare_digest

_COST = {"n": 2**10, "r": 8, "p": 1}
_SALT_BYTES = 16
# More than are tried at once.
_MOST_DIGESTS = 16


def new_salt() -> str:
    """Return a random salt, in hexadecimal."""
    return secrets.token_hex(_SALT_BYTES)


def seal(password: str, salt: str) -> str:
    """Return the stored form of a password: ``salt$digest``, both in hexadecimal."""
    return f"{salt}${_digest(password, salt)}"


def opens(password: str, sealed: str) -> bool:
    """Say whether ``sealed`` was made from ``password``."""
    salt, _, digest = sealed.partition("$")
    return compare_digest(_digest(password, salt), digest)


@lru_cache(_MOST_DIGESTS)
def _digest(password: str, salt: str) -> str:
    encoded = password.encode(errors="surrogatepass")
    return hashlib.scrypt(encoded, salt=bytes.fromhex(salt), **_COST).hex()
