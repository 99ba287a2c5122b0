"""Parameters of query, form and JSON body, merged.

Brackets (``tags[]=a``, ``venue[city]=Chur``) follow PHP. Path arguments are separate, so that an
``id`` or ``slug`` in the body cannot select another record.
See ``docs/reference/interface.md``, section "Parameters".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Request
from werkzeug.exceptions import UnsupportedMediaType

from calendar_app.http.request.bodies import MalformedJson, limit_body, read_body
from calendar_app.http.request.brackets import parse_brackets
from calendar_app.http.request.forms import (
    MULTIPART,
    URL_ENCODED,
    multipart_fields,
    url_encoded_fields,
)
from calendar_app.settings import Settings

# A presented record has about eight levels.
_DEEPEST = 32
_READING = ("GET", "HEAD")
_WITHOUT_BODY = frozenset({"DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Sent:
    """The parameters of one request: merged, and those of the body alone."""

    merged: Mapping[str, Any]
    body: Mapping[str, Any]


def read_parameters(request: Request, settings: Settings) -> Sent:
    """Return all parameters: JSON wins over form, form over query, ``null`` loses.

    Bodies of reads are ignored, since caches know a read by its URL.
    Raises ``BodyTooLarge``, ``UnsupportedMediaType`` or ``MalformedJson``, and
    ``InvalidParameters`` for an undecodable form.
    """
    if request.method in _READING:
        return read_query(request)
    query = parse_brackets(request.args.items(multi=True))
    body = _body(request, settings)
    values = {name: value for name, value in body.items() if value is not None or name not in query}
    return Sent(query | values, body)


def read_query(request: Request) -> Sent:
    """Return the parameters of the query."""
    return Sent(parse_brackets(request.args.items(multi=True)), {})


def read_form(request: Request) -> Sent:
    """Return the parameters of query and form, without files."""
    query = parse_brackets(request.args.items(multi=True))
    form = parse_brackets(multipart_fields(request))
    return Sent(query | form, form)


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    limit_body(request, settings.max_body)
    kind = request.mimetype
    if kind == MULTIPART:
        return parse_brackets(multipart_fields(request))
    data = read_body(request, settings.max_body)
    if not data:
        return {}
    if kind == "application/json" or kind.endswith("+json"):
        return _json(data)
    if kind == URL_ENCODED or (not kind and request.method in ("PUT", "PATCH", "DELETE")):
        return parse_brackets(url_encoded_fields(data))
    if request.method in _WITHOUT_BODY:
        return {}
    raise UnsupportedMediaType


def _json(data: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    # Only an object has parameters.
    if not isinstance(parsed, dict):
        return {}
    if _is_too_deep(parsed):
        raise MalformedJson(f"The body is nested more than {_DEEPEST} levels deep.")
    return parsed


def _is_too_deep(parsed: dict[str, Any]) -> bool:
    layer: list[Any] = [parsed]
    for _ in range(_DEEPEST):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(layer)
