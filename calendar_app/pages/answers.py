"""Answers to browsers: pages and redirects, with the headers of all pages."""

from typing import Any

from flask import Response, current_app
from werkzeug.utils import redirect as redirected

from calendar_app.errors import PreconditionFailed
from calendar_app.http.answers.answering import depend_on
from calendar_app.http.answers.conditional import tag
from calendar_app.http.request import current
from calendar_app.pages.rendering import PageResponse, Theme, render, theme_of
from calendar_app.settings import Settings

_MOVED, _FAILED = 301, 412
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
_NOT_KEPT = "private, no-store"


def theme() -> Theme:
    """Return the theme of the running application."""
    return theme_of(current_app.extensions)


def page(template: str, status: int = 200, **context: Any) -> PageResponse:
    """Return a page made of a template."""
    return render(theme(), template, status, **context)


def redirect(address: str) -> Response:
    """Lead to another page for good, which may yet move again."""
    response: Any = redirected(address, _MOVED, Response)
    response.headers["Cache-Control"] = "no-cache"
    return response  # type: ignore[no-any-return]  # werkzeug types its own class


def finish_page(response: Response) -> Response:
    """Add the headers of pages, with the entity tag and 304."""
    if not isinstance(response, PageResponse):
        return response
    settings = current.settings()
    response.headers.extend(_HEADERS)
    response.headers["Content-Security-Policy"] = _policy(settings, embedded=_is_embedded())
    if current.settled_language():
        response.headers["Content-Language"] = current.language()
    if settings.negotiate_language:
        depend_on(response, "Accept-Language")
    if current.request().path == "/":
        depend_on(response, "Accept")
    if _opens_a_secret():
        response.headers["Cache-Control"] = _NOT_KEPT
        return response
    response.headers.setdefault("Cache-Control", "no-cache")
    try:
        tagged: Response = tag(response)
    except PreconditionFailed:
        return Response(status=_FAILED)
    return tagged


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
    return "Authorization" in request.headers or request.method == "POST"
