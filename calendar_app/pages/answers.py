"""Answers to browsers: pages and redirects, with the headers of all pages."""

from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from flask import Response, current_app
from werkzeug.urls import iri_to_uri
from werkzeug.utils import redirect as redirected

from calendar_app.domain.cache_rules import read_rules
from calendar_app.errors import PreconditionFailed
from calendar_app.http.answers.answering import add_vary, set_etag
from calendar_app.http.request import current
from calendar_app.http.wsgi.response_cache import compress, preferred_encoding
from calendar_app.pages.feeds import wants_feed
from calendar_app.pages.rendering import PageResponse, Theme, render, theme_of
from calendar_app.settings import Settings

_MOVED = HTTPStatus.MOVED_PERMANENTLY
_FAILED = HTTPStatus.PRECONDITION_FAILED
_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "img-src 'self' data:{tiles}; frame-ancestors {framers}"
)
_PERMISSIONS = (
    "geolocation=(self), camera=(), microphone=(), payment=(), usb=(), browsing-topics=()"
)
_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", _PERMISSIONS),
    ("Cross-Origin-Opener-Policy", "same-origin"),
)
_NOT_KEPT, _AGAIN = "private, no-store", "no-cache"
_ALL_OTHERS = "*"
_SECRETS = {"password", "token"}
# The collection whose rule holds for pages below a segment.
_COLLECTIONS = {
    **dict.fromkeys(("event", "embed", "category", "tag"), "events"),
    "venue": "venues",
    "organizer": "organizers",
}


def theme() -> Theme:
    """Return the theme of the running application."""
    return theme_of(current_app.extensions)


def page(template: str, status: int = 200, **context: Any) -> PageResponse:
    """Return a page made of a template."""
    return render(theme(), template, status, **context)


def redirect(address: str) -> Response:
    """Lead to another page for good, which may yet move again."""
    # Line breaks would end the header.
    response: Any = redirected(iri_to_uri(address), _MOVED, Response)
    response.headers["Cache-Control"] = "no-cache"
    return response  # type: ignore[no-any-return]  # werkzeug types its own class


def redirect_view(address: str) -> Response:
    """Lead to where a page has moved, or to its feed where that is asked for."""
    feed = ("&" if "?" in address else "?") + "ical=1" if wants_feed() else ""
    return redirect(address + feed)


def finish_page(response: Response) -> Response:
    """Add the headers of pages, with the entity tag and 304."""
    if not isinstance(response, PageResponse):
        return response
    settings = current.settings()
    response.headers.extend(_HEADERS)
    response.headers["Content-Security-Policy"] = _policy(settings, embedded=_is_embedded())
    if current.resolved_language():
        response.headers["Content-Language"] = current.language()
    if settings.negotiate_language:
        add_vary(response, "Accept-Language")
    if current.request().path == "/":
        add_vary(response, "Accept")
    if _opens_a_secret():
        response.headers["Cache-Control"] = _NOT_KEPT
        return response
    _add_cache_control(response)
    _compress(response)
    try:
        tagged: Response = set_etag(response)
    except PreconditionFailed:
        return Response(status=_FAILED)
    return tagged


def _compress(response: Response) -> None:
    """Compress a page; each encoding has an entity tag of its own."""
    add_vary(response, "Accept-Encoding")
    encoding = preferred_encoding(current.request().headers.get("Accept-Encoding", ""))
    if encoding:
        response.set_data(compress(response.get_data(), encoding))
        response.headers["Content-Encoding"] = encoding


def _add_cache_control(response: Response) -> None:
    """Add the operator's rule for the records that a page shows; pages are else looked up again."""
    rules = _rules(current.settings())
    segment = current.request().path.removeprefix("/").partition("/")[0]
    directives = rules.get(_COLLECTIONS.get(segment, segment), rules.get(_ALL_OTHERS))
    is_public = response.status_code == HTTPStatus.OK
    response.headers.setdefault("Cache-Control", directives if is_public and directives else _AGAIN)
    if is_public and directives:
        add_vary(response, "Authorization")


@lru_cache(8)
def _rules(settings: Settings) -> Mapping[str, str]:
    return read_rules(settings.cache_control)


def _policy(settings: Settings, *, embedded: bool) -> str:
    tiles = f" {_origin(settings.map_tiles)}" if settings.map_tiles else ""
    framers = " ".join(("'self'", *settings.embed_origins)) if embedded else "'none'"
    return _POLICY.format(tiles=tiles, framers=framers if settings.embed_origins else "'none'")


def _origin(address: str) -> str:
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}".replace("{s}", "*")


def _is_embedded() -> bool:
    return current.request().path.startswith("/embed")


def _opens_a_secret() -> bool:
    request = current.request()
    sent = {name.partition("[")[0] for name in request.args}
    return "Authorization" in request.headers or request.method == "POST" or bool(_SECRETS & sent)
