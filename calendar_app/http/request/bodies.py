"""Size limits of request bodies, with and without ``Content-Length``."""

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge


def limit_body(request: Request, most: int) -> None:
    """Refuse a body that announces more bytes, and cut any other at the limit.

    A body without a length ends one byte behind the limit, by which ``read_body`` detects it.
    """
    if (request.content_length or 0) > most:
        raise RequestEntityTooLarge
    request.max_content_length = most + 1


def read_body(request: Request, most: int) -> bytes:
    """Return a limited body; raise ``RequestEntityTooLarge`` beyond ``most`` bytes."""
    data = request.get_data()
    if len(data) > most:
        raise RequestEntityTooLarge
    return data
