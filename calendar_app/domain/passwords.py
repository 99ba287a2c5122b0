"""Passwords that unlock single events. They are shared among readers, so speed matters a little."""

import hashlib
import secrets
from hmac import compare_digest

_COST = {"n": 2**10, "r": 8, "p": 1}


def seal(password: str) -> str:
    """Return what is stored of a password: ``salt$digest``, both in hexadecimal."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}${_digest(password, salt)}"


def opens(password: str, sealed: str) -> bool:
    """Say whether ``sealed`` was made from ``password``."""
    salt, _, digest = sealed.partition("$")
    return compare_digest(_digest(password, bytes.fromhex(salt)), digest)


def _digest(password: str, salt: bytes) -> str:
    return hashlib.scrypt(password.encode(errors="surrogatepass"), salt=salt, **_COST).hex()
