"""Conditional requests (RFC 9110 section 13).

The entity tag is a digest of the body, so that it covers the record, its links, languages, rights
and fields. It need not resist attacks, so that a fast digest of 128 bits suffices.
"""

from typing import Any

from flask import Response
from xxhash import xxh3_128_hexdigest

from calendar_app.errors import PreconditionFailed
from calendar_app.http.request import current

_CONDITIONS = frozenset(
    f"HTTP_{name}"
    for name in ("IF_MATCH", "IF_NONE_MATCH", "IF_MODIFIED_SINCE", "IF_UNMODIFIED_SINCE")
)


def entity_tag(body: bytes) -> str:
    return xxh3_128_hexdigest(body)


def set_etag(response: Response) -> Response:
    """Set the entity tag of a read, and answer 304 if the client has it.

    A response that will be cached stays whole; the cache answers the 304.
    Raises ``PreconditionFailed``.
    """
    request, context = current.request(), current.context()
    if request.method in ("GET", "HEAD") and response.status_code == 200:  # noqa: PLR2004  # OK
        response.set_etag(entity_tag(response.get_data()))
        context.is_cached = context.is_cacheable
        if not context.is_cached and not _CONDITIONS.isdisjoint(request.environ):
            make_conditional(response)
    return response


def make_conditional(response: Response, **ranges: Any) -> None:
    """Evaluate the conditions of the request against the response's entity tag.

    ``ranges`` are Werkzeug's options for range requests. Raises ``PreconditionFailed``.
    """
    request = current.request()
    if_match, (etag, is_weak) = request.if_match, response.get_etag()
    if if_match and not if_match.contains("" if is_weak else etag or ""):
        raise PreconditionFailed
    # Werkzeug does not support ``If-Match: *``, and would skip the other conditions.
    environ = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(environ, **ranges)
