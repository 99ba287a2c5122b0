"""Refuse requests by who sends them: clients that try too much, and other sites (CSRF)."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

from flask import Flask, Response

from calendar_app.accounts.limits import ReadLimit
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.auditing import current_audit
from calendar_app.errors import CalendarError, CrossSiteRequest, TooManyReads, Unavailable
from calendar_app.http.request import current
from calendar_app.http.request.current import Context

# Rate limit for reads.


def throttle_reads(app: Flask, limit: ReadLimit) -> None:
    """Refuse reads above the limit; reads with invalid credentials count too."""

    @app.before_request
    def refuse() -> None:
        context = current.context()
        request, seconds = context.request, context.exchange.retry_after
        if (
            context.is_read
            and "Authorization" in request.headers
            and not _has_valid_credentials(context)
        ):
            seconds = limit.retry_after(request.remote_addr or "")
        if seconds:
            raise TooManyReads(seconds)


def _has_valid_credentials(context: Context) -> bool:
    try:
        return context.caller.known
    except CalendarError:
        return False


# Rate limit for wrong record passwords, by address.


def throttle_passwords(app: Flask, accounts: Accounts) -> None:
    """Refuse passwords from an address with too many wrong ones; count wrong ones."""

    @app.before_request
    def refuse() -> None:
        context = current.context()
        if context.is_read and "password" in context.parameters:
            accounts.refuse_throttled(context.request.remote_addr or "")

    @app.after_request
    def count(response: Response) -> Response:
        context = current.context()
        if context.is_read and "password" in context.parameters_read:
            address, outcomes = context.request.remote_addr or "", current_audit().passwords
            counting = partial(_count, accounts, address, outcomes)
            if response.is_streamed:  # A streamed feed checks the password later.
                response.call_on_close(counting)
            else:
                counting()
        return response


def _count(accounts: Accounts, address: str, outcomes: Collection[bool]) -> None:
    """Count a wrong password."""
    if outcomes and not any(outcomes):
        with suppress(Unavailable):
            accounts.count_wrong_password(address)


# Refuse writes that a browser sends on behalf of another site (CSRF).
#
# Browsers add cached Basic credentials on their own, so that any page could write with them
# (https://www.w3.org/TR/fetch-metadata/, RFC 7617 section 2.2).

_SAFE = ("GET", "HEAD", "OPTIONS")


def refuse_cross_site_requests(app: Flask) -> None:
    """Refuse writes from sites that the setting ``cors_origins`` does not name."""

    @app.before_request
    def refuse() -> None:
        context = current.context()
        request = context.request
        if request.url_rule is None or request.method in _SAFE:
            return
        trusted = request.headers.get("Origin") in context.settings.cors_origins
        if not trusted and _is_cross_site(context):
            raise CrossSiteRequest


def _is_cross_site(context: Context) -> bool:
    request = context.request
    match request.headers.get("Sec-Fetch-Site", "").lower():
        case "cross-site":
            return True
        case "same-origin":
            return False
    scheme = request.headers.get("Authorization", "").strip().partition(" ")[0].lower()
    return scheme == "basic" and _is_foreign(request.headers.get("Origin", ""), context)


def _is_foreign(origin: str, context: Context) -> bool:
    """Return whether an ``Origin`` is neither the requested host nor the site."""
    site = urlsplit(context.addresses.root)
    host = context.request.host_url.rstrip("/")
    return bool(origin) and origin.lower() not in (host, f"{site.scheme}://{site.netloc}".lower())
