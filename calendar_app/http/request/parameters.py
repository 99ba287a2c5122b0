"""Parameters from everywhere in one dictionary: query, form and JSON body.

Array notation (``tags[]=a``, ``venue[city]=Chur``) is read as PHP reads it. The path never
takes part: an ``id`` or ``slug`` that is sent cannot change which record is meant.
See ``docs/reference/interface.md``, section "Parameters".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from flask import Request
from werkzeug.exceptions import UnsupportedMediaType

from calendar_app.http.request.bodies import bound_body, read_body
from calendar_app.http.request.brackets import nested
from calendar_app.http.request.forms import MULTIPART, URL_ENCODED, charset_of, url_encoded
from calendar_app.http.request.malformed import MalformedJson
from calendar_app.settings import Settings

# A record that is sent back has some eight levels.
_DEEPEST = 32
_READING = ("GET", "HEAD")
_WITHOUT_BODY = frozenset({"DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Sent:
    """The parameters of one request: all of them, and those of the body alone."""

    merged: Mapping[str, Any]
    body: Mapping[str, Any]


def read_parameters(request: Request, settings: Settings) -> Sent:
    """Return all parameters; JSON wins over form, form over query, ``null`` gives way.

    A cache knows a read by its address alone, so that no body of one counts.
    Raises ``RequestEntityTooLarge``, ``UnsupportedMediaType`` or ``MalformedJson``, and
    ``InvalidParameters`` for a form that cannot be read.
    """
    if request.method in _READING:
        return read_query(request)
    query = nested(request.args.items(multi=True))
    body = _body(request, settings)
    given = {name: value for name, value in body.items() if value is not None or name not in query}
    return Sent(query | given, body)


def read_query(request: Request) -> Sent:
    """Return the parameters of the address alone."""
    return Sent(nested(request.args.items(multi=True)), {})


def read_form(request: Request) -> Sent:
    """Return the parameters of the address and of a form, whose files are none."""
    query = nested(request.args.items(multi=True))
    form = nested(request.form.items(multi=True))
    return Sent(query | form, form)


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    bound_body(request, settings.max_body)
    kind = request.mimetype
    if kind == MULTIPART:
        return nested(request.form.items(multi=True))
    data = read_body(request, settings.max_body)
    if not data:
        return {}
    if kind == "application/json" or kind.endswith("+json"):
        return _json(data)
    if kind == URL_ENCODED or (not kind and request.method in ("PUT", "PATCH", "DELETE")):
        return nested(url_encoded(data, charset_of(request.mimetype_params)))
    if request.method in _WITHOUT_BODY:
        return {}
    raise UnsupportedMediaType


def _json(data: bytes) -> dict[str, Any]:
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    # What is no object has no names, so it sends nothing.
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
