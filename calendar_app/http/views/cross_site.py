"""Refuses writes that a browser sends on behalf of another site.

A browser adds cached Basic credentials by itself, so that any page could write with them
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
        sent = current.request()
        if sent.url_rule is None or sent.method in _READING:
            return
        trusted = sent.headers.get("Origin") in current.settings().cors_origins
        if not trusted and _is_cross_site(sent):
            raise CrossSiteRequest


def _is_cross_site(sent: Request) -> bool:
    match sent.headers.get("Sec-Fetch-Site", "").lower():
        case "cross-site":
            return True
        case "same-origin":
            return False
    scheme = sent.headers.get("Authorization", "").strip().partition(" ")[0].lower()
    return scheme == "basic" and _is_foreign(sent.headers.get("Origin", ""))


def _is_foreign(origin: str) -> bool:
    """Say whether an ``Origin`` is neither the host that was called nor the site."""
    site = urlsplit(current.addresses().root)
    called = current.request().host_url.rstrip("/")
    return bool(origin) and origin.lower() not in (called, f"{site.scheme}://{site.netloc}".lower())
