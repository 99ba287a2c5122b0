"""Reads from a request who is calling."""

import base64
import binascii
import re

from flask import Request

from calendar_app.accounts.caller import ANYONE, Caller
from calendar_app.accounts.users import Accounts
from calendar_app.errors import WrongSecret

_READING = ("GET", "HEAD", "OPTIONS")
# What scripts make of a token that they have not got, and JSON Web Tokens (RFC 7519), whose header
# begins with {". A secret may be of any other form, since operators can choose it.
_FOREIGN_TOKEN = re.compile(
    r"|null|undefined|none|false|nan|\[object Object\]|eyJ[\w-]*(\.[\w-]*){2,4}",
    re.ASCII | re.IGNORECASE,
)


def authenticate(accounts: Accounts, request: Request) -> Caller:
    """Return the caller named by ``Authorization``; nobody in particular where there is none.

    A scheme that is not ours is taken for none: it may be meant for somebody on the way. So is in
    reads what can only be the token of another system. Raises ``UnknownUser``, ``WrongSecret`` or
    ``TooManyAttempts``, whatever was asked for.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").strip().partition(" ")
    if request.method in _READING and _is_foreign(scheme.lower(), credentials.strip()):
        return ANYONE
    # Behind a Unix socket it is empty.
    address = request.remote_addr or ""
    match scheme.lower():
        case "basic":
            name, secret = _name_and_secret(credentials)
            return accounts.authenticate(name, secret, address)
        case "bearer":
            return accounts.authenticate_bearer(credentials, address)
        case _:
            return ANYONE


def _is_foreign(scheme: str, credentials: str) -> bool:
    """Say whether credentials have a form in which nobody has any here."""
    if scheme == "basic":
        return _pair(credentials) is None
    return scheme == "bearer" and _FOREIGN_TOKEN.fullmatch(credentials) is not None


def _name_and_secret(credentials: str) -> tuple[str, str]:
    """Return what RFC 7617 has put together; raise ``WrongSecret`` where it has not."""
    pair = _pair(credentials.strip())
    if pair is None:
        raise WrongSecret("The credentials cannot be read.")
    try:
        name, _, secret = pair.decode().partition(":")
    except UnicodeDecodeError as error:
        raise WrongSecret("The credentials are not in UTF-8.") from error
    return name, secret


def _pair(credentials: str) -> bytes | None:
    """Return name and secret with the colon between them; ``None`` where they are no such pair."""
    try:
        pair = base64.b64decode(credentials, validate=True)
    except (binascii.Error, ValueError):
        return None
    return pair if b":" in pair else None
