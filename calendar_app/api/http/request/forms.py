"""Strict form parsing: unreadable forms, and texts that are not UTF-8, are refused.

Werkzeug would drop such a form, and replace such texts.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl
from wsgiref.types import WSGIEnvironment

import flask
from flask import Request
from werkzeug.exceptions import BadRequest
from werkzeug.formparser import FormDataParser

from calendar_app.errors import InvalidParameters, Message

URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
# Decoders put it in place of undecodable bytes.
_REPLACEMENT = "\ufffd"


class _StrictForms(FormDataParser):
    """Multipart parser that raises ``BadRequest`` for an unreadable form."""

    def parse(self, *args: Any, **options: Any) -> Any:
        self.silent = False
        try:
            return super().parse(*args, **options)
        except ValueError as error:
            raise BadRequest from error


class FormRequest(flask.Request):
    """A request with strict multipart forms, and a body of its full length."""

    form_data_parser_class = _StrictForms

    def __init__(self, environ: WSGIEnvironment, *arguments: Any, **options: Any) -> None:
        # Servers that end the input themselves, as gunicorn does, end it where a client is gone
        # too. Werkzeug notices that only where it counts the bytes itself.
        if environ.get("CONTENT_LENGTH") and "HTTP_TRANSFER_ENCODING" not in environ:
            environ.pop("wsgi.input_terminated", None)
        super().__init__(environ, *arguments, **options)


def multipart_fields(request: Request) -> Iterator[tuple[str, str]]:
    """Yield the texts of a multipart form; parts without a name have no field."""
    return _decoded((name, text) for name, text in request.form.items(multi=True) if name)


def url_encoded_fields(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts of a URL-encoded form."""
    return _decoded(parse_qsl(data.decode(errors="replace"), keep_blank_values=True))


def _decoded(fields: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the fields; raise ``InvalidParameters`` for undecodable text."""
    for name, text in fields:
        if _REPLACEMENT in name or _REPLACEMENT in text:
            reason = Message("{name} cannot be read as {charset}.", name=name, charset="utf-8")
            raise InvalidParameters({name: reason})
        yield name, text
