"""Addresses that name their route in the query: ``/?rest_route=/calendar/events/v1/events``.

WordPress has these beside the plain ones, and some programs know no others.
"""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote_to_bytes

from calendar_app.http.request.exchange import Environ, Wsgi
from calendar_app.wordpress.media import UPLOADS

_PARAMETER = "rest_route"


class QueryRoutes:
    """Reads such an address as the plain one below ``api_prefix``, for all that comes behind.

    It stands at the root of the site, at ``/index.php`` and at the index, with a language in front
    or without. A route that is neither of ``namespace`` nor one of WordPress for pictures does not
    exist: it could lead to what a proxy in front keeps from the public by its path.
    """

    def __init__(
        self, app: Wsgi, api_prefix: str, namespace: str, languages: Iterable[str]
    ) -> None:
        self._app = app
        self._prefix = api_prefix
        self._nowhere = f"{api_prefix}/{namespace}/?{_PARAMETER}="
        tags = "|".join(map(re.escape, languages))
        places = f"(/(?:{tags}))?(?:/?|/index\\.php|{re.escape(api_prefix)}/?)"
        self._places = re.compile(places, re.IGNORECASE)
        routes = f"/|(/{re.escape(namespace)}|{UPLOADS})(/.*)?"
        self._routes = re.compile(routes, re.IGNORECASE | re.DOTALL)

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        query: str = environ.get("QUERY_STRING", "")
        place = self._places.fullmatch(environ.get("PATH_INFO", "")) if query else None
        route, others = _taken_out(query) if place else ("", "")
        if place and route:
            there = self._prefix if self._routes.fullmatch(route) else self._nowhere
            environ["PATH_INFO"] = f"{place[1] or ''}{there}{route}"
            environ["QUERY_STRING"] = others
        return self._app(environ, start_response)


def _taken_out(query: str) -> tuple[str, str]:
    """Return the route that a query names, an empty text where it names none, and the rest."""
    route, others = "", []
    for pair in query.split("&"):
        name, _, value = (_decoded(part) for part in pair.partition("="))
        if name == _PARAMETER:
            route = value
        else:
            others.append(pair)
    return route, "&".join(others)


def _decoded(part: str) -> str:
    """Return a part of a query as WSGI writes paths: each byte as one character."""
    return unquote_to_bytes(part.replace("+", " ").encode("latin-1")).decode("latin-1")
