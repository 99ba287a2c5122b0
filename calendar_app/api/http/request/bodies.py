"""Request bodies: size limits with and without ``Content-Length``, and malformed JSON."""

from flask import Request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge


class BodyTooLarge(RequestEntityTooLarge):
    """A body of more than ``most`` bytes."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most


class MalformedJson(BadRequest):
    """A JSON body that is invalid or nested too deep."""


def limit_body(request: Request, most: int) -> None:
    """Refuse a body that announces more bytes, and cut any other at the limit.

    A body without a length ends one byte behind the limit, by which ``read_body`` detects it.
    """
    if (request.content_length or 0) > most:
        raise BodyTooLarge(most)
    request.max_content_length = most + 1


def read_body(request: Request, most: int) -> bytes:
    """Return a limited body; raise ``BodyTooLarge`` beyond ``most`` bytes."""
    data = request.get_data()
    if len(data) > most:
        raise BodyTooLarge(most)
    return data
