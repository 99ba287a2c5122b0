"""Refuse requests by who sends them: clients that try too much, and other sites (CSRF)."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

from flask import Flask, Request, Response

from calendar_app.accounts.limits import ReadLimit, begin_tries, end_tries
from calendar_app.errors import CalendarError, CrossSiteRequest, TooManyReads, Unavailable
from calendar_app.http.request import current
from calendar_app.http.request.state import Services

# Rate limit for reads.

_READING = ("GET", "HEAD")


def throttle_reads(app: Flask, limit: ReadLimit) -> None:
    """Refuse reads above the limit; reads with invalid credentials count too."""

    @app.before_request
    def refuse() -> None:
        request, seconds = current.request(), current.context().exchange.retry_after
        if (
            request.method in _READING
            and "Authorization" in request.headers
            and not _has_valid_credentials()
        ):
            seconds = limit.retry_after(request.remote_addr or "")
        if seconds:
            raise TooManyReads(seconds)


def _has_valid_credentials() -> bool:
    try:
        return current.caller().known
    except CalendarError:
        return False


# Rate limit for wrong record passwords, by address.


def throttle_passwords(app: Flask) -> None:
    """Refuse passwords from an address with too many wrong ones; count wrong ones."""

    @app.before_request
    def begin() -> None:
        request = current.request()
        end_tries()
        if request.method in _READING and "password" in current.sent_parameters():
            current.services().accounts.refuse_throttled(request.remote_addr or "")
            current.context().exchange.password_outcomes = begin_tries()

    @app.after_request
    def count(response: Response) -> Response:
        outcomes = current.context().exchange.password_outcomes
        if outcomes is None:
            return response
        address = current.request().remote_addr or ""
        counting = partial(_count, current.services(), address, outcomes)
        if response.is_streamed:  # A streamed feed checks the password later.
            response.call_on_close(counting)
        else:
            counting()
        return response


def _count(services: Services, address: str, outcomes: Collection[bool]) -> None:
    """Count a wrong password."""
    if outcomes and not any(outcomes):
        with suppress(Unavailable):
            services.accounts.count_wrong_password(address)


# Refuse writes that a browser sends on behalf of another site (CSRF).
#
# Browsers add cached Basic credentials on their own, so that any page could write with them
# (https://www.w3.org/TR/fetch-metadata/, RFC 7617 section 2.2).

_SAFE = ("GET", "HEAD", "OPTIONS")


def refuse_cross_site_requests(app: Flask) -> None:
    """Refuse writes from sites that the setting ``cors_origins`` does not name."""

    @app.before_request
    def refuse() -> None:
        request = current.request()
        if request.url_rule is None or request.method in _SAFE:
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
