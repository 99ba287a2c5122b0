"""Headers of responses: links to feeds, caching and CORS."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import MappingProxyType

from flask import Flask, Response

from calendar_app.api.http.answers.answering import add_vary, sends_secret
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.negotiation import language_parameter
from calendar_app.domain.cache_rules import read_rules
from calendar_app.domain.kind import Kind

# Links to the feeds of a list or an event, in bodies and headers (RFC 8288).

# The media type of every format, by the suffix of its address.
FEED_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "ics": "text/calendar",
        "atom": "application/atom+xml",
        "geojson": "application/geo+json",
        "csv": "text/csv",
    }
)
# Feeds have pages of another size, and no field selection.
_OF_LISTS = frozenset({"page", "per_page", "_fields", "context"})
# Proxies accept about four kilobytes of headers; each feed repeats the query.
_LONGEST = 2000


def feeds_of_list(kind: Kind, list_parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the feed URLs for the filters of a list, by suffix."""
    parameters = {name: value for name, value in list_parameters.items() if name not in _OF_LISTS}
    context = current.context()
    addresses, language = context.addresses, context.language
    if language != addresses.implied_language:
        parameters.setdefault(language_parameter(parameters, context.settings), language)
    return addresses.feeds(kind.name, FEED_TYPES, parameters)


def feed_link_header(feeds: Mapping[str, str]) -> dict[str, str]:
    """Return a ``Link`` header to feeds by their suffix, unless it grows too long."""
    links = ", ".join(
        f'<{address}>; rel="alternate"; type="{FEED_TYPES[suffix]}"'
        for suffix, address in feeds.items()
    )
    return {"Link": links} if 0 < len(links) <= _LONGEST else {}


# The header ``Cache-Control`` (RFC 9111): the operator's rules, ``no-store`` for secrets.

_WILDCARD = "*"
_CACHEABLE = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
_PRIVATE = "private, no-store"


def add_cache_control(app: Flask, lines: Iterable[str]) -> None:
    """Add ``Cache-Control`` to responses of the interface; secrets are never stored."""
    rules = read_rules(lines)

    @app.after_request
    def add(response: Response) -> Response:
        context = current.context()
        if not context.is_interface:
            return response
        if sends_secret(context.request):
            response.headers["Cache-Control"] = _PRIVATE
        elif context.is_read and response.status_code in _CACHEABLE:
            _apply_rules(rules, response, context)
        return response


def _apply_rules(rules: Mapping[str, str], response: Response, context: Context) -> None:
    """Add the directives for the first segment of the interface's addresses."""
    base = f"{context.settings.api_prefix}/{context.settings.namespace}"
    segment = context.request.path.removeprefix(base).removeprefix("/").partition("/")[0]
    directives = rules.get(segment, rules.get(_WILDCARD)) if segment else None
    if directives and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = directives
        # nginx would serve cached anonymous responses to authenticated requests.
        add_vary(response, "Authorization")


# CORS headers: which origins may read, and which may send credentials.
#
# As in the reference, every response has the preflight headers, and those that do not depend on
# the origin are sent without ``Origin`` too. https://fetch.spec.whatwg.org/#http-cors-protocol

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
