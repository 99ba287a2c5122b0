"""How much of a body is read: no more than may be taken, whether it says its length or not."""

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge


def bound_body(request: Request, most: int) -> None:
    """Refuse a body that says that it has more bytes, and let no other have many more.

    One that does not say its length ends behind one byte too many, by which it is told.
    """
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge
    request.max_content_length = most + 1


def read_body(request: Request, most: int) -> bytes:
    """Return a body that is bounded; raise ``RequestEntityTooLarge`` where it has more bytes."""
    data = request.get_data()
    if len(data) > most:
        raise RequestEntityTooLarge
    return data
