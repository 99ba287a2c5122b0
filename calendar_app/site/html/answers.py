"""Headers of HTML responses, and redirects."""

from typing import Any

from flask import Response
from werkzeug.urls import iri_to_uri
from werkzeug.utils import redirect as redirected

from calendar_app.settings import Settings

# The same of pages and of the desk.
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=(), payment=(), usb=()",
}
_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "img-src 'self' {images}; frame-ancestors {framers}"
)


def content_policy(settings: Settings, images: str = "data:", framers: str = "'none'") -> str:
    """Return the policy of a page: which images it loads besides tiles, and who may frame it."""
    if settings.map_tiles:
        scheme, _, rest = settings.map_tiles.partition("://")
        images = f"{images} {scheme}://{rest.partition('/')[0]}".replace("{s}", "*")
    return _POLICY.format(images=images, framers=framers)


def redirect(address: str, status: int) -> Response:
    """Lead to another page."""
    # Line breaks would end the header.
    response: Any = redirected(iri_to_uri(address), status, Response)
    return response  # type: ignore[no-any-return]  # werkzeug types its own class
