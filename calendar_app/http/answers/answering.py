"""Answers: JSON by orjson, with the headers that clients of the reference rely on."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, current_app
from werkzeug.urls import iri_to_uri

from calendar_app.errors import PreconditionFailed
from calendar_app.http.answers.conditional import tag
from calendar_app.http.answers.representation import JSON, JSON_LD
from calendar_app.http.request import current

_JSON = f"{JSON}; charset=UTF-8"
_LINKED_DATA = b'"json_ld":'
_SAID_OF_ALL = (("X-Robots-Tag", "noindex"), ("X-Content-Type-Options", "nosniff"))


def answer(
    body: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return ``body`` as JSON, narrowed to the parameter ``_fields`` where there is one."""
    sent = current.parameter("_fields")
    if sent and isinstance(body, dict):
        members = sent if isinstance(sent, list) else [sent]
        paths = ",".join(member for member in members if isinstance(member, str)).split(",")
        body = _narrowed(body, [path.strip() for path in paths if path.strip()])
    return plain_answer(body, status, headers, media_type)


def plain_answer(
    body: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return ``body`` as JSON, whole."""
    return Response(_encoded(body, media_type), status, headers, content_type=media_type)


def _encoded(body: Any, media_type: str) -> bytes:
    """Encode ``body``, with ``<`` escaped where linked data is in it.

    Sites paste linked data into ``<script>`` elements, which ``</script>`` in a text would close.
    """
    encoded = orjson.dumps(body)
    if media_type == JSON_LD or _LINKED_DATA in encoded:
        return encoded.replace(b"<", rb"\u003c")
    return encoded


def moved(address: str) -> Response:
    """Lead to another address.

    What is asked for may move back, or another may come in its place, so that who keeps the way
    has to ask whether it still is the one.
    """
    headers = {"Location": iri_to_uri(address), "Cache-Control": "no-cache"}
    return label(Response(status=HTTPStatus.MOVED_PERMANENTLY, headers=headers))


def finish(response: Response) -> Response:
    """Add the headers that every answer of the interface carries."""
    if response.mimetype not in (JSON, JSON_LD):
        return response
    try:
        return tag(label(response))
    except PreconditionFailed as error:
        # Nobody answers for what is raised behind the view.
        refused = current_app.handle_user_exception(error)
        return label(current_app.make_response(refused))


def label(response: Response) -> Response:
    """Add what every answer of the interface says of itself, in whatever format it is."""
    response.headers.extend(_SAID_OF_ALL)
    index = current.addresses().index
    # Clients of the reference look at the first link.
    links = [f'<{index}>; rel="https://api.w.org/"', *response.headers.getlist("Link")]
    response.headers.setlist("Link", links)
    language = current.settled_language()
    if language:
        # What people are told may be in another one.
        response.headers.setdefault("Content-Language", language)
    if current.settings().negotiate_language:
        depend_on(response, "Accept-Language")
    return response


def depend_on(response: Response, header: str) -> None:
    """Say that an answer differs with a header of the request (RFC 9110 section 12.5.5)."""
    said = response.headers.get("Vary")
    response.headers["Vary"] = f"{said}, {header}" if said else header


def _narrowed(body: Mapping[str, Any], paths: list[str]) -> dict[str, Any]:
    """Return the members that dotted ``paths`` name; a path into a list finds nothing in it."""
    narrowed: dict[str, Any] = {}
    for path in paths:
        name, _, rest = path.partition(".")
        if name not in body:
            continue
        value = body[name]
        if not rest:
            narrowed[name] = value
        elif isinstance(value, Mapping):
            narrowed[name] = narrowed.get(name, {}) | _narrowed(value, [rest])
        elif isinstance(value, list):
            narrowed[name] = []
    return narrowed
