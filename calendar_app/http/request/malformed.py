"""Requests that cannot even be read."""

from werkzeug.exceptions import BadRequest


class MalformedJson(BadRequest):
    """The body says that it is JSON, and is none, or none that has parameters."""
