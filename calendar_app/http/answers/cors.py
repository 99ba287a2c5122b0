"""CORS: which pages may read answers, and which may send credentials.

As in the reference, the headers of a preflight stand in every answer, and the headers that do
not depend on the origin stand in answers to requests without one.
https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from flask import Response

from calendar_app.http.answers.answering import depend_on
from calendar_app.http.request import current

_METHODS = "OPTIONS, GET, POST, PUT, PATCH, DELETE"
_SENT = (
    "Authorization",
    "X-WP-Nonce",
    "Content-Disposition",
    "Content-MD5",
    "Content-Type",
    "Idempotency-Key",
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
    "Idempotency-Replayed",
    "X-Request-ID",
)

_ALWAYS = (
    ("Access-Control-Allow-Headers", ", ".join(_SENT)),
    ("Access-Control-Expose-Headers", ", ".join(_READ)),
)
# In seconds; Chromium remembers a preflight no longer.
_MAX_AGE = "7200"


def add_cors_headers(response: Response) -> Response:
    """Let pages of all sites read, and those of ``cors_origins`` send credentials."""
    depend_on(response, "Origin")
    response.headers.extend(_ALWAYS)
    request = current.request()
    origin = request.headers.get("Origin")
    if not origin:
        return response
    trusted = origin in current.settings().cors_origins
    response.headers["Access-Control-Allow-Origin"] = origin if trusted else "*"
    response.headers["Access-Control-Allow-Methods"] = _METHODS
    if trusted:
        response.headers["Access-Control-Allow-Credentials"] = "true"
    if request.method == "OPTIONS":
        response.headers["Access-Control-Max-Age"] = _MAX_AGE
    return response
