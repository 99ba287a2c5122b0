"""Headers of all answers of the desk."""

from flask import Response

from calendar_app.desk import csrf
from calendar_app.desk.addresses import PREFIX
from calendar_app.desk.languages import language
from calendar_app.http.request import current
from calendar_app.settings import Settings

_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "img-src 'self' data: blob:{tiles}; frame-ancestors 'none'"
)
_HEADERS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=(), payment=(), usb=()",
}
_NOT_KEPT = "private, no-store"
_SHARING = "Access-Control-"


def is_of_desk() -> bool:
    path = current.request().path
    return path == PREFIX or path.startswith(f"{PREFIX}/")


def finish(response: Response) -> Response:
    """Add the headers of the desk, and take away those with which other sites may read."""
    if not is_of_desk():
        return response
    for name in [name for name, _ in response.headers if name.startswith(_SHARING)]:
        del response.headers[name]
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["Content-Security-Policy"] = _policy(current.settings())
    if current.request().endpoint != "desk.static_file":
        response.headers["Cache-Control"] = _NOT_KEPT
        response.headers["Content-Language"] = language()
        csrf.keep_visit(response)
    return response


def _policy(settings: Settings) -> str:
    scheme, _, rest = settings.map_tiles.partition("://")
    origin = f" {scheme}://{rest.partition('/')[0]}".replace("{s}", "*")
    return _POLICY.format(tiles=origin if settings.map_tiles else "")
