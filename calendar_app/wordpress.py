"""Routes and URL forms for clients of WordPress."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_to_bytes

from calendar_app.http.request.state import Environ, Wsgi
from calendar_app.http.wsgi.addresses import ASCII_LOWER


class AnyCase:
    """Lower-cases paths below ``base``, as in the reference."""

    def __init__(self, app: Wsgi, base: str) -> None:
        self._app = app
        self._base = base

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        if path[: len(self._base)].translate(ASCII_LOWER) == self._base.translate(ASCII_LOWER):
            environ["PATH_INFO"] = self._base + path[len(self._base) :].translate(ASCII_LOWER)
        return self._app(environ, start_response)


# Routes in the query: ``/?rest_route=/calendar/events/v1/events``.
#
# WordPress offers this form beside plain paths, and some clients use no other.

_PARAMETER = "rest_route"


class QueryRoutes:
    """Rewrites ``rest_route`` to a path below ``api_prefix``.

    It is accepted at the root, at ``/index.php`` and at the index, each also below a language. A
    route outside ``namespace`` and the uploads is a 404: it could reach a path that a proxy hides.
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
        routes = f"/|(/{re.escape(namespace)}|{MEDIA_ROUTE})(/.*)?"
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
MEDIA_ROUTE = "/wp/v2/media"


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
