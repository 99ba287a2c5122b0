"""Errors of requests that cannot be parsed."""

from werkzeug.exceptions import BadRequest


class MalformedJson(BadRequest):
    """A JSON body that is invalid or nested too deep."""
