"""Lets scripts of any site use the interface (https://fetch.spec.whatwg.org/#http-cors-protocol).

As in the reference, the headers of a preflight stand in every answer, and the headers that do
not depend on the origin stand in answers to requests without one.
"""

from flask import Response

from calendar_app.rest.answers.answering import depend_on
from calendar_app.rest.request import current

_METHODS = "OPTIONS, GET, POST, PUT, PATCH, DELETE"
_SENT = (
    "Authorization",
    "X-WP-Nonce",
    "Content-Disposition",
    "Content-MD5",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "X-Request-ID",
)
_READ = (
    "X-WP-Total",
    "X-WP-TotalPages",
    "X-TEC-Total",
    "X-TEC-TotalPages",
    "X-TEC-API-VERSION",
    "X-TEC-API-ROOT",
    "X-TEC-API-ORIGIN",
    "Link",
    "Location",
    "Content-Language",
    "Content-Disposition",
    "ETag",
    "X-Feed-Truncated",
    "Allow",
    "WWW-Authenticate",
    "Retry-After",
    "X-Request-ID",
)


_ALWAYS = (
    ("Access-Control-Allow-Headers", ", ".join(_SENT)),
    ("Access-Control-Expose-Headers", ", ".join(_READ)),
)


def share(response: Response) -> Response:
    """Let the site that asks read the answer, whichever it is."""
    depend_on(response, "Origin")
    response.headers.extend(_ALWAYS)
    origin = current.request().headers.get("Origin")
    if origin:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Methods"] = _METHODS
        response.headers["Access-Control-Allow-Credentials"] = "true"
    return response
