"""JSON responses by orjson: negotiated, conditional, with the headers that clients need."""

import gzip
from collections.abc import Iterable, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import brotli
import orjson
from flask import Request, Response, current_app
from werkzeug.datastructures import Accept, ETags, MIMEAccept
from werkzeug.http import parse_accept_header
from werkzeug.urls import iri_to_uri
from xxhash import xxh3_128_hexdigest

from calendar_app.api.http.request import current
from calendar_app.errors import PreconditionFailed

# Conditional requests (RFC 9110 section 13).
#
# The entity tag is a digest of the body, so that it covers the record, its links, languages,
# rights and fields. It need not resist attacks, so that a fast digest of 128 bits suffices.

_MOST = 256  # headers that are remembered
_CONDITIONS = frozenset(
    f"HTTP_{name}"
    for name in ("IF_MATCH", "IF_NONE_MATCH", "IF_MODIFIED_SINCE", "IF_UNMODIFIED_SINCE")
)


def entity_tag(body: bytes) -> str:
    return xxh3_128_hexdigest(body)


def is_matched(if_match: ETags, body: bytes) -> bool:
    """Return whether ``If-Match`` has the entity tag of a body, in any encoding."""
    tag = entity_tag(body)
    return any(if_match.contains(tag + encoding) for encoding in ("", *ENCODINGS))


def set_etag(response: Response) -> Response:
    """Set the entity tag of a read, and answer 304 if the client has it.

    A response that will be cached stays whole; the cache answers the 304.
    Raises ``PreconditionFailed``.
    """
    context = current.context()
    request, exchange = context.request, context.exchange
    if context.is_read and response.status_code == HTTPStatus.OK:
        encoding = settled_encoding(response)
        # A graph has its own, which is the same however the body is compressed.
        if response.get_etag()[0] is None:
            response.set_etag(entity_tag(response.get_data()) + encoding)
        exchange.is_cached = exchange.is_cacheable
        if not exchange.is_cached and not _CONDITIONS.isdisjoint(request.environ):
            make_conditional(response)
        if response.status_code == HTTPStatus.OK:
            encode(response, encoding)
    return response


def make_conditional(response: Response, **ranges: Any) -> None:
    """Evaluate the conditions of the request against the response's entity tag.

    ``ranges`` are Werkzeug's options for range requests. Raises ``PreconditionFailed``.
    """
    request = current.context().request
    if_match, (etag, is_weak) = request.if_match, response.get_etag()
    if if_match and not if_match.contains("" if is_weak else etag or ""):
        raise PreconditionFailed
    # Werkzeug does not support ``If-Match: *``, and would skip the other conditions.
    environ = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ, **ranges)


# Compression, by ``Accept-Encoding``. What one caller alone may read is sent as it is: from the
# length of compressed bodies, texts that others let this caller ask for could tell what stands
# beside them.

# Fast levels of Brotli and gzip: a body is compressed while its reader waits. Data repeats itself
# so much that a higher one takes more time than it saves.
_LEVELS = {"text/html": (4, 5)}
_OF_DATA = (1, 1)
ENCODINGS = ("br", "gzip")
_WORTHWHILE = 1000  # bytes
_SECRETS = {"password", "token"}


@lru_cache(_MOST)
def preferred_encoding(accepted: str) -> str:
    """Return ``br``, ``gzip`` or an empty string for an ``Accept-Encoding`` header."""
    encodings = parse_accept_header(accepted, Accept)
    return next((name for name in ENCODINGS if encodings.quality(name)), "")


def compress(body: bytes, encoding: str, mimetype: str) -> bytes:
    """Compress a body; ``encoding`` is ``br`` or ``gzip``."""
    quality, level = _LEVELS.get(mimetype, _OF_DATA)
    if encoding == "br":
        compressed: bytes = brotli.compress(body, quality=quality)
        return compressed
    return gzip.compress(body, level, mtime=0)


def sends_secret(request: Request) -> bool:
    """Return whether a request has credentials, or a password in any notation."""
    names = {name.partition("[")[0] for name in request.args}
    return "Authorization" in request.headers or bool(_SECRETS & names)


def settled_encoding(response: Response) -> str:
    """Return the encoding of a body, with which its entity tag ends; empty for a plain one."""
    request = current.context().request
    if sends_secret(request) or len(response.get_data()) < _WORTHWHILE:
        return ""
    add_vary(response, "Accept-Encoding")
    return preferred_encoding(request.headers.get("Accept-Encoding", ""))


def encode(response: Response, encoding: str) -> None:
    """Compress a body, if there is an ``encoding``."""
    if encoding:
        response.set_data(compress(response.get_data(), encoding, response.mimetype or ""))
        response.headers["Content-Encoding"] = encoding


# Content negotiation between JSON and JSON-LD.
#
# ``Accept`` decides by its quality values (RFC 9110 section 12.5.1). JSON-LD is sent if it is
# preferred, or if it is named before JSON with the same quality; in all other cases JSON.

JSON, JSON_LD = "application/json", "application/ld+json"
NDJSON = "application/x-ndjson"

_Range = tuple[str, float]
# Quality, specificity, negated position.
_Preference = tuple[float, int, int]
_NONE: _Preference = (0.0, 0, 0)


@lru_cache(_MOST)
def preferred_type(accept: str) -> str:
    """Return the media type that ``Accept`` prefers."""
    accepted = parse_accept_header(accept, MIMEAccept)
    ranges = [(_without_parameters(name), quality) for name, quality in accepted]
    return JSON_LD if _preference(JSON_LD, ranges) > _preference(JSON, ranges) else JSON


def _preference(name: str, ranges: list[_Range]) -> _Preference:
    """Return the preference for a media type; the most specific range sets its quality."""
    scopes = {"*/*": 0, f"{name.partition('/')[0]}/*": 1, name: 2}
    matches = [
        (scopes[media_range], -position, quality)
        for position, (media_range, quality) in enumerate(ranges)
        if media_range in scopes
    ]
    scope, position, quality = max(matches, default=(0, 0, 0.0))
    return (quality, scope, position) if quality > 0 else _NONE


def _without_parameters(name: str) -> str:
    """Return a media range in lower case without parameters, for example ``profile``."""
    return name.partition(";")[0].strip().lower()


# Responses by orjson, with the headers that clients of the reference need.

# Selected members by name, with those selected in them; ``None`` is a whole member.
FieldSelection = dict[str, Any]

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
    return answer_encoded(encoded(body, media_type), status, headers, media_type)


def plain_answer(
    body: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return the whole ``body`` as JSON."""
    return answer_encoded(_encoded(body, media_type), status, headers, media_type)


def answer_encoded(
    body: bytes,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    media_type: str = _JSON,
) -> Response:
    """Return a body that is JSON already."""
    return Response(body, status, headers, content_type=media_type)


def encoded(body: Any, media_type: str = _JSON) -> bytes:
    """Return the text of an ``answer``."""
    paths = selected_paths()
    whole = _decoded(body) if paths else body
    if paths and _has_members(whole):
        body = _narrowed(whole, _tree_of(paths))
    return _encoded(body, media_type)


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
    if response.direct_passthrough:  # A file, which has its tag.
        return add_common_headers(response)
    try:
        return set_etag(add_common_headers(response))
    except PreconditionFailed as error:
        # Flask has no error handling in after_request.
        refused = current_app.handle_user_exception(error)
        return add_common_headers(current_app.make_response(refused))


def add_common_headers(response: Response) -> Response:
    """Add the headers of every response, in any format."""
    context = current.context()
    response.headers.extend(_COMMON_HEADERS)
    index = context.addresses.index
    # Clients of the reference read only the first link.
    links = [f'<{index}>; rel="https://api.w.org/"', *response.headers.getlist("Link")]
    response.headers.setlist("Link", links)
    if context.resolved_language:
        # An error message may already have set another one.
        response.headers.setdefault("Content-Language", context.resolved_language)
    if context.settings.negotiate_language:
        add_vary(response, "Accept-Language")
    return response


def add_vary(response: Response, header: str) -> None:
    """Add a request header to ``Vary`` (RFC 9110 section 12.5.5)."""
    vary = response.headers.get("Vary")
    response.headers["Vary"] = f"{vary}, {header}" if vary else header


def selected_paths() -> list[str]:
    """Return the dotted paths in ``_fields``, sent as a list or with commas."""
    selection = current.context().parameters.get("_fields")
    members = selection if isinstance(selection, list) else [selection]
    paths = ",".join(member for member in members if isinstance(member, str)).split(",")
    return [path.strip() for path in paths if path.strip()]


def _tree_of(paths: Iterable[str]) -> FieldSelection:
    """Return the selected members by name; below a whole one nothing more is selected."""
    tree: FieldSelection = {}
    for path in paths:
        *parents, last = path.split(".")
        branch: FieldSelection | None = tree
        for name in parents:
            branch = branch.setdefault(name, {}) if branch is not None else None
        if branch is not None:
            branch[last] = None
    return tree


def _narrowed(value: Any, tree: FieldSelection | None) -> Any:
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
    """Decode JSON that was encoded once for many records."""
    return orjson.loads(orjson.dumps(value)) if isinstance(value, orjson.Fragment) else value
