"""Refuse writes that a browser sends on behalf of another site (CSRF).

Browsers add cached Basic credentials on their own, so that any page could write with them
(https://www.w3.org/TR/fetch-metadata/, RFC 7617 section 2.2).
"""

from urllib.parse import urlsplit

from flask import Flask, Request

from calendar_app.errors import CrossSiteRequest
from calendar_app.http.request import current

_READING = ("GET", "HEAD", "OPTIONS")


def refuse_cross_site_requests(app: Flask) -> None:
    """Refuse writes from sites that the setting ``cors_origins`` does not name."""

    @app.before_request
    def refuse() -> None:
        request = current.request()
        if request.url_rule is None or request.method in _READING:
            return
        trusted = request.headers.get("Origin") in current.settings().cors_origins
        if not trusted and _is_cross_site(request):
            raise CrossSiteRequest


def _is_cross_site(request: Request) -> bool:
    match request.headers.get("Sec-Fetch-Site", "").lower():
        case "cross-site":
            return True
        case "same-origin":
            return False
    scheme = request.headers.get("Authorization", "").strip().partition(" ")[0].lower()
    return scheme == "basic" and _is_foreign(request.headers.get("Origin", ""))


def _is_foreign(origin: str) -> bool:
    """Return whether an ``Origin`` is neither the requested host nor the site."""
    site = urlsplit(current.addresses().root)
    host = current.request().host_url.rstrip("/")
    return bool(origin) and origin.lower() not in (host, f"{site.scheme}://{site.netloc}".lower())
