"""Routes in the query: ``/?rest_route=/calendar/events/v1/events``.

WordPress offers this form beside plain paths, and some clients use no other.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_to_bytes

from calendar_app.api.http.request.state import WORDPRESS, Environ, Wsgi

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
