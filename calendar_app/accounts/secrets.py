"""Application passwords: how they are made, kept and recognised.

White space in a secret never counts, so that it can be shown in groups and copied as it is shown.
"""

import hmac
import secrets
import string

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

_ALPHABET = string.ascii_letters + string.digits
_LENGTH = 24
# 95 bits of random letters and digits: no list of guesses is that long.
SHORTEST_SECRET = 16
_GROUP = 4
_HINT_BYTES = 2
_PEPPER_BYTES = 32
# RFC 9106 wants more memory; this is the least that OWASP recommends, and takes 17 ms.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def new_secret() -> str:
    """Return 24 random letters and digits in groups of four."""
    text = "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
    return " ".join(text[start : start + _GROUP] for start in range(0, _LENGTH, _GROUP))


def bare(secret: str) -> str:
    """Return the secret without white space: what counts of it."""
    return "".join(secret.split())


def hash_secret(secret: str) -> str:
    """Return the argon2id hash of a secret, with a random salt."""
    return _HASHER.hash(_encoded(secret))


def verify_hash(secret: str, stored: str) -> bool:
    """Return whether ``stored`` was made from ``secret``."""
    try:
        return _HASHER.verify(stored, _encoded(secret))
    except VerifyMismatchError:
        return False


def new_pepper() -> str:
    """Return a random key for hints, in hexadecimal."""
    return secrets.token_hex(_PEPPER_BYTES)


def hint(secret: str, pepper: str) -> str:
    """Return a few bits of a secret, by which its hash is found among those of all users.

    They spare hashing what is wrong anyway: a wrong secret shares its hint with one hash out of
    65,536. Of a secret with 143 bits they give away 16.
    """
    digest = hmac.digest(bytes.fromhex(pepper), _encoded(secret), "sha256")
    return digest[:_HINT_BYTES].hex()


def _encoded(secret: str) -> bytes:
    return bare(secret).encode(errors="surrogatepass")
