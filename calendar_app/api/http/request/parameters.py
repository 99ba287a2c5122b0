"""Parameters of query, form and JSON body, merged.

Brackets (``tags[]=a``, ``venue[city]=Chur``) follow PHP. Path arguments are separate, so that an
``id`` or ``slug`` in the body cannot select another record.
See ``docs/reference/requests.md``, section "Parameters".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Request
from werkzeug.exceptions import UnsupportedMediaType

from calendar_app.api.http.request.bodies import MalformedJson, limit_body, read_body
from calendar_app.api.http.request.brackets import parse_brackets
from calendar_app.api.http.request.forms import (
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
class SentParameters:
    """The parameters of one request: merged, and those of the body alone."""

    merged: Mapping[str, Any]
    body: Mapping[str, Any]


def read_parameters(request: Request, settings: Settings) -> SentParameters:
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
    return SentParameters(query | values, body)


def read_query(request: Request) -> SentParameters:
    """Return the parameters of the query."""
    return SentParameters(parse_brackets(request.args.items(multi=True)), {})


def read_form(request: Request) -> SentParameters:
    """Return the parameters of query and form, without files."""
    query = parse_brackets(request.args.items(multi=True))
    form = parse_brackets(multipart_fields(request))
    return SentParameters(query | form, form)


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    limit_body(request, settings.max_body)
    kind = request.mimetype
    if kind == MULTIPART:
        return parse_brackets(multipart_fields(request))
    data = read_body(request, settings.max_body)
    if not data:
        return {}
    if kind == "application/json" or kind.endswith("+json"):
        # Only an object has parameters.
        return parse_object(data) or {}
    if kind == URL_ENCODED or (not kind and request.method in ("PUT", "PATCH", "DELETE")):
        return parse_brackets(url_encoded_fields(data))
    if request.method in _WITHOUT_BODY:
        return {}
    raise UnsupportedMediaType


def parse_object(data: bytes) -> dict[str, Any] | None:
    """Return an object of JSON; ``None`` for any other value. Raises ``MalformedJson``."""
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    if not isinstance(parsed, dict):
        return None
    if _is_too_deep(parsed):
        raise MalformedJson(f"The body is nested more than {_DEEPEST} levels deep.")
    return parsed


def _is_too_deep(parsed: dict[str, Any]) -> bool:
    layer: list[Any] = [parsed]
    for _ in range(_DEEPEST):
        if not layer:
            break
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(layer)
