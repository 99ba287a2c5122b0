"""CORS headers: which origins may read, and which may send credentials."""

from flask import Response

from calendar_app.api.http.answers.answering import add_vary
from calendar_app.api.http.request import current

_METHODS = "OPTIONS, GET, POST, PUT, PATCH, DELETE"
_REQUEST_HEADERS = (
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
_RESPONSE_HEADERS = (
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
    "X-Calendar-Ignored",
    "X-Calendar-Glossary",
    "Allow",
    "WWW-Authenticate",
    "Retry-After",
    "Idempotency-Replayed",
    "X-Request-ID",
)
_ALWAYS = (
    ("Access-Control-Allow-Headers", ", ".join(_REQUEST_HEADERS)),
    ("Access-Control-Expose-Headers", ", ".join(_RESPONSE_HEADERS)),
)
# In seconds; Chromium's maximum.
_MAX_AGE = "7200"


def add_cors_headers(response: Response) -> Response:
    """Allow all origins to read, and those of ``cors_origins`` to send credentials."""
    add_vary(response, "Origin")
    response.headers.extend(_ALWAYS)
    context = current.context()
    origin = context.request.headers.get("Origin")
    if not origin:
        return response
    trusted = origin in context.settings.cors_origins
    response.headers["Access-Control-Allow-Origin"] = origin if trusted else "*"
    response.headers["Access-Control-Allow-Methods"] = _METHODS
    if trusted:
        response.headers["Access-Control-Allow-Credentials"] = "true"
    if context.request.method == "OPTIONS":
        response.headers["Access-Control-Max-Age"] = _MAX_AGE
    return response
