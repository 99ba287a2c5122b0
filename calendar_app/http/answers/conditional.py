"""Requests that depend on what the client has seen (RFC 9110 section 13).

The entity tag of an answer is a digest of its bytes, so it stands for all that is shown: record,
linked records, languages, rights, fields. It tells versions apart and proves nothing, so that a
fast digest of 128 bits will do.
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


def tag(response: Response) -> Response:
    """Give what was read its entity tag, and answer 304 to who has got it already.

    An answer that will be given again is left whole; who keeps it sees to the 304.
    Raises ``PreconditionFailed``.
    """
    request, told = current.request(), current.exchange()
    if request.method in ("GET", "HEAD") and response.status_code == 200:  # noqa: PLR2004  # OK
        response.set_etag(entity_tag(response.get_data()))
        told.to_be_kept = told.may_be_kept
        if not told.to_be_kept and not _CONDITIONS.isdisjoint(request.environ):
            heed_conditions(response)
    return response


def heed_conditions(response: Response, **ranges: Any) -> None:
    """Turn an answer that has its entity tag into what a client wants that has seen another one.

    ``ranges`` are options of Werkzeug's for parts of it. Raises ``PreconditionFailed``.
    """
    request = current.request()
    wanted, (own, is_weak) = request.if_match, response.get_etag()
    if wanted and not wanted.contains("" if is_weak else own or ""):
        raise PreconditionFailed
    # Werkzeug does not know the star, and heeds this condition in place of the others.
    others = {name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"}
    response.make_conditional(others, **ranges)
