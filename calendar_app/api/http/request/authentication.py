"""Authentication of requests by the header ``Authorization``."""

import base64
import binascii
import re

from flask import Request

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.accounts.users import Accounts
from calendar_app.errors import WrongSecret

_READING = ("GET", "HEAD", "OPTIONS")
# Undefined variables of scripts, and JSON Web Tokens (RFC 7519), which begin with {" in Base64.
# Operators choose secrets, so that any other form may be one.
_FOREIGN_TOKEN = re.compile(
    r"|null|undefined|none|false|nan|\[object Object\]|eyJ[\w-]*(\.[\w-]*){2,4}",
    re.ASCII | re.IGNORECASE,
)


def authenticate(accounts: Accounts, request: Request) -> Caller:
    """Return the caller that ``Authorization`` names, else ``ANYONE``.

    Other schemes are ignored, since they may be meant for a proxy. Reads also ignore tokens that
    are nobody's, as WordPress does. Raises ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts``.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").strip().partition(" ")
    if request.method in _READING and _is_foreign(scheme.lower(), credentials.strip()):
        return ANYONE
    # The address is empty behind a Unix socket.
    address = request.remote_addr or ""
    match scheme.lower():
        case "basic":
            name, secret = _name_and_secret(credentials)
            return accounts.authenticate(name, secret, address)
        case "bearer":
            return _bearer(accounts, request.method, credentials, address)
        case _:
            return ANYONE


def _bearer(accounts: Accounts, method: str, secret: str, address: str) -> Caller:
    """Return the user of a secret; reads with a secret of nobody are anonymous."""
    try:
        return accounts.authenticate_bearer(secret, address)
    except WrongSecret:
        if method in _READING:
            return ANYONE
        raise


def _is_foreign(scheme: str, credentials: str) -> bool:
    """Return whether credentials cannot be ours by their form."""
    if scheme == "basic":
        return _pair(credentials) is None
    return scheme == "bearer" and _FOREIGN_TOKEN.fullmatch(credentials) is not None


def _name_and_secret(credentials: str) -> tuple[str, str]:
    """Split Basic credentials (RFC 7617); raise ``WrongSecret`` if they are malformed."""
    pair = _pair(credentials.strip())
    if pair is None:
        raise WrongSecret("The credentials cannot be read.")
    try:
        name, _, secret = pair.decode().partition(":")
    except UnicodeDecodeError as error:
        raise WrongSecret("The credentials are not in UTF-8.") from error
    return name, secret


def _pair(credentials: str) -> bytes | None:
    """Decode Basic credentials; return ``None`` without a colon."""
    try:
        pair = base64.b64decode(credentials, validate=True)
    except (binascii.Error, ValueError):
        return None
    return pair if b":" in pair else None
