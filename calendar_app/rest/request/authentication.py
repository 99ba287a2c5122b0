"""Reads from a request who is calling."""

import base64
import binascii

from flask import Request

from calendar_app.access.caller import ANYONE, Caller
from calendar_app.catalogue.accounts.users import Accounts
from calendar_app.errors import WrongSecret


def authenticate(accounts: Accounts, request: Request) -> Caller:
    """Return the caller named by ``Authorization``; nobody in particular where there is none.

    A scheme that is not ours is taken for none: it may be meant for somebody on the way. Raises
    ``UnknownUser``, ``WrongSecret`` or ``TooManyAttempts``, whatever was asked for.
    """
    scheme, _, credentials = request.headers.get("Authorization", "").strip().partition(" ")
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


def _name_and_secret(credentials: str) -> tuple[str, str]:
    """Return what RFC 7617 has put together; raise ``WrongSecret`` where it has not."""
    try:
        text = base64.b64decode(credentials.strip(), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise WrongSecret("The credentials cannot be read.") from error
    name, colon, secret = text.partition(":")
    if not colon:
        raise WrongSecret("The credentials have no colon.")
    return name, secret
