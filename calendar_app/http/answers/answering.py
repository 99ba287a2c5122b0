"""JSON responses by orjson, with the headers that clients of the reference need."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from flask import Response, current_app
from werkzeug.urls import iri_to_uri

from calendar_app.errors import PreconditionFailed
from calendar_app.http.answers.conditional import set_etag
from calendar_app.http.answers.representation import JSON, JSON_LD
from calendar_app.http.request import current

# Selected members by name, with those selected in them; ``None`` is a whole member.
Selection = dict[str, Any]

_JSON = f"{JSON}; charset=UTF-8"
_LINKED_DATA = b'"json_ld":'
_COMMON_HEADERS = (("X-Robots-Tag", "noindex"), ("X-Content-Type-Options", "nosniff"))


def answer(
    body: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return ``body`` as JSON, narrowed to the parameter ``_fields`` where there is one."""
    paths = selected_paths()
    if paths and isinstance(body, dict):
        body = _narrowed(body, _tree_of(paths))
    return plain_answer(body, status, headers, media_type)


def plain_answer(
    body: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return the whole ``body`` as JSON."""
    return Response(_encoded(body, media_type), status, headers, content_type=media_type)


def _encoded(body: Any, media_type: str) -> bytes:
    """Encode ``body``; escape ``<`` in linked data.

    Sites embed linked data in ``<script>`` elements, which ``</script>`` in a text would close.
    """
    encoded = orjson.dumps(body)
    if media_type == JSON_LD or _LINKED_DATA in encoded:
        return encoded.replace(b"<", rb"\u003c")
    return encoded


def redirect_permanently(location: str) -> Response:
    """Redirect to another address; revalidated, since the record may move back."""
    headers = {"Location": iri_to_uri(location), "Cache-Control": "no-cache"}
    return add_common_headers(Response(status=HTTPStatus.MOVED_PERMANENTLY, headers=headers))


def finalize(response: Response) -> Response:
    """Add the headers of every JSON response."""
    if response.mimetype not in (JSON, JSON_LD):
        return response
    try:
        return set_etag(add_common_headers(response))
    except PreconditionFailed as error:
        # Flask has no error handling in after_request.
        refused = current_app.handle_user_exception(error)
        return add_common_headers(current_app.make_response(refused))


def add_common_headers(response: Response) -> Response:
    """Add the headers of every response, in any format."""
    response.headers.extend(_COMMON_HEADERS)
    index = current.addresses().index
    # Clients of the reference read only the first link.
    links = [f'<{index}>; rel="https://api.w.org/"', *response.headers.getlist("Link")]
    response.headers.setlist("Link", links)
    language = current.resolved_language()
    if language:
        # An error message may already have set another one.
        response.headers.setdefault("Content-Language", language)
    if current.settings().negotiate_language:
        add_vary(response, "Accept-Language")
    return response


def add_vary(response: Response, header: str) -> None:
    """Add a request header to ``Vary`` (RFC 9110 section 12.5.5)."""
    vary = response.headers.get("Vary")
    response.headers["Vary"] = f"{vary}, {header}" if vary else header


def selected_paths() -> list[str]:
    """Return the dotted paths in ``_fields``, sent as a list or with commas."""
    selection = current.parameter("_fields")
    members = selection if isinstance(selection, list) else [selection]
    paths = ",".join(member for member in members if isinstance(member, str)).split(",")
    return [path.strip() for path in paths if path.strip()]


def _tree_of(paths: Iterable[str]) -> Selection:
    """Return the selected members by name; below a whole one nothing more is selected."""
    tree: Selection = {}
    for path in paths:
        *parents, last = path.split(".")
        branch: Selection | None = tree
        for name in parents:
            branch = branch.setdefault(name, {}) if branch is not None else None
        if branch is not None:
            branch[last] = None
    return tree


def _narrowed(value: Any, tree: Selection | None) -> Any:
    """Return the selected members of an object, or of each object in a list."""
    if tree is None:
        return value
    if isinstance(value, list):
        return [_narrowed(member, tree) for member in map(_decoded, value) if _has_members(member)]
    members = {name: (_decoded(value[name]), tree[name]) for name in tree if name in value}
    return {
        name: _narrowed(member, branch)
        for name, (member, branch) in members.items()
        if branch is None or _has_members(member)
    }


def _has_members(value: Any) -> bool:
    return isinstance(value, dict | list)


def _decoded(value: Any) -> Any:
    """Decode what was encoded once for many records."""
    return orjson.loads(orjson.dumps(value)) if isinstance(value, orjson.Fragment) else value
