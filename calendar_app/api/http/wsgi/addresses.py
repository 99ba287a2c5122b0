"""Addresses of requests and clients: URLs, those of WordPress, trusted proxies, limits."""

import re
from collections.abc import Callable, Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import Any
from urllib.parse import unquote_to_bytes

from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from calendar_app.api.http.answers.health import PROBES
from calendar_app.api.http.request.state import (
    LANGUAGE,
    SENT_SEGMENT,
    WORDPRESS,
    Environ,
    Wsgi,
    exchange_of,
)
from calendar_app.domain.addresses import Peers
from calendar_app.domain.numbers import LARGEST, parse_digits

# Ids and language segments in URLs.

# ASCII only, since WSGI paths are bytes of UTF-8.
ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Digits(BaseConverter):
    """An id of any length; beyond 64 bits it matches no record."""

    regex = "[0-9]+"

    def to_python(self, value: str) -> int:
        number = parse_digits(value)
        return LARGEST if number is None else number


class EventSlug(BaseConverter):
    """A slug; that of an occurrence may have its date behind a slash: ``market/2026-12-24``.

    Its rules end with a slash, without which Werkzeug would match none in the address.
    """

    regex = r"[^/]+(?:/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[0-9]+)?)?"
    part_isolating = False


class LanguageSegment:
    """Strips a language segment (``/rm``) off the path.

    It matches in any letter case; links use that of the settings.
    """

    def __init__(self, app: Wsgi, languages: Iterable[str]) -> None:
        self._app = app
        self._languages = {language.translate(ASCII_LOWER): language for language in languages}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        _, first, *rest = [*path.split("/", 2), ""]
        segment = self._languages.get(first.translate(ASCII_LOWER))
        if segment:
            environ[LANGUAGE], environ[SENT_SEGMENT] = segment, first
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{segment}"
            environ["PATH_INFO"] = f"/{rest[0]}"
        return self._app(environ, start_response)


# Forwarded headers of trusted proxies.

_SCHEMES = ("http", "https")


class TrustedProxies:
    """Applies the forwarded address, scheme and host of trusted proxies."""

    def __init__(self, app: Wsgi, trusted: Iterable[str]) -> None:
        self._trusted = Peers.named("trusted_proxies", trusted)
        self._has_trusted = any(self._trusted)
        self._direct = app
        self._forwarded = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self._has_trusted or not self._trusted.have(environ.get("REMOTE_ADDR", "")):
            return self._direct(environ, start_response)
        # ProxyFix does not validate the scheme.
        forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip()
        if forwarded not in _SCHEMES:
            environ.pop("HTTP_X_FORWARDED_PROTO", None)
        return self._forwarded(environ, start_response)


# Rate limit for anonymous reads, before the response cache.

_READING = ("GET", "HEAD")


class ReadRate:
    """Passes reads to ``app``, and those above the limit to ``refuse``.

    ``retry_after`` counts a read of an address, and returns the seconds to wait above the limit.
    Requests with credentials are counted after authentication.
    """

    def __init__(self, app: Wsgi, refuse: Wsgi, retry_after: Callable[[str], int]) -> None:
        self._app = app
        self._refuse = refuse
        self._retry_after = retry_after

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if _is_anonymous_read(environ):
            seconds = self._retry_after(environ.get("REMOTE_ADDR", ""))
            if seconds:
                exchange_of(environ).retry_after = seconds
                return self._refuse(environ, start_response)
        return self._app(environ, start_response)


def _is_anonymous_read(environ: Environ) -> bool:
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        and environ["PATH_INFO"] not in PROBES  # monitoring polls often
    )


# Addresses that clients of WordPress use.


# UIDs are those of other programs, to which letter case may matter.
_BEFORE_UID = re.compile(r"/events/by-source/[0-9]+/", re.ASCII | re.IGNORECASE)


class AnyCase:
    """Lower-cases paths below one of the ``bases``, as in the reference, up to a UID."""

    def __init__(self, app: Wsgi, bases: Iterable[str]) -> None:
        self._app = app
        self._bases = {base.translate(ASCII_LOWER): base for base in bases}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        lowered = path.translate(ASCII_LOWER)
        for folded, base in self._bases.items():
            if lowered.startswith(folded):
                before_uid = _BEFORE_UID.match(lowered, len(folded))
                end = before_uid.end() if before_uid else len(path)
                environ["PATH_INFO"] = f"{base}{lowered[len(folded) : end]}{path[end:]}"
        return self._app(environ, start_response)


# Routes in the query: ``/?rest_route=/calendar/events/v1/events``.
#
# WordPress offers this form beside plain paths, and some clients use no other.

_PARAMETER = "rest_route"


class QueryRoutes:
    """Rewrites ``rest_route`` to a path below ``api_prefix``.

    It is accepted at the root, at ``/index.php`` and at the index, each also below a language. One
    outside ``namespace`` and those of WordPress is a 404: it could reach a path that a proxy hides.
    """

    def __init__(
        self, app: Wsgi, api_prefix: str, namespace: str, languages: Iterable[str]
    ) -> None:
        self._app = app
        self._prefix = api_prefix
        self._no_route = f"{api_prefix}/{namespace}/?{_PARAMETER}="
        tags = "|".join(map(re.escape, languages))
        places = f"(/(?:{tags}))?(?:/?|/index\\.php|{re.escape(api_prefix)}/?)"
        self._locations = re.compile(places, re.IGNORECASE)
        routes = f"/|(/{re.escape(namespace)}|{WORDPRESS})(/.*)?"
        self._routes = re.compile(routes, re.IGNORECASE | re.DOTALL)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        query_string: str = environ.get("QUERY_STRING", "")
        location = self._locations.fullmatch(environ.get("PATH_INFO", "")) if query_string else None
        route, query = _split_query(query_string) if location else ("", "")
        if location and route:
            target = self._prefix if self._routes.fullmatch(route) else self._no_route
            environ["PATH_INFO"] = f"{location[1] or ''}{target}{route}"
            environ["QUERY_STRING"] = query
        return self._app(environ, start_response)


def _split_query(query: str) -> tuple[str, str]:
    """Return the route that a query names, or an empty text, and the other parameters."""
    route, rest = "", []
    for pair in query.split("&"):
        name, _, value = (_decoded(part) for part in pair.partition("="))
        if name == _PARAMETER:
            route = value
        else:
            rest.append(pair)
    return route, "&".join(rest)


def _decoded(part: str) -> str:
    """Decode a part of a query as WSGI does paths: one character per byte."""
    return unquote_to_bytes(part.replace("+", " ").encode("latin-1")).decode("latin-1")


# The upload route of WordPress.

# WordPress' upload route, below the API prefix.
MEDIA_ROUTE = f"{WORDPRESS}/media"


class WordPressUploads:
    """Maps ``MEDIA_ROUTE`` below ``api_prefix`` to the media below ``base``.

    Clients upload a picture there and link it to an event by id. The list is not mapped, since
    WordPress' has another shape.
    """

    def __init__(self, app: Wsgi, api_prefix: str, base: str) -> None:
        self._app = app
        self._media = f"{base}/media"
        self._route = re.compile(
            rf"{re.escape(api_prefix + MEDIA_ROUTE)}(/[0-9]+)?/?", re.IGNORECASE
        )

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        match = self._route.fullmatch(environ.get("PATH_INFO", ""))
        if match and (match[1] or environ["REQUEST_METHOD"] == "POST"):
            environ["PATH_INFO"] = f"{self._media}{match[1] or ''}"
        return self._app(environ, start_response)
