"""Checks on every request before its view, in their order: host, sender, tags, credentials, rate.

See ``docs/reference/writing.md``.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

from flask import Flask, Response

from calendar_app.accounts.users import Accounts
from calendar_app.api.http.errors.refusals import Refusal
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.state import host_of
from calendar_app.api.http.views.loading import Refused
from calendar_app.calendar.auditing import current_audit
from calendar_app.errors import (
    CalendarError,
    CrossSiteRequest,
    InvalidParameters,
    Message,
    TooManyReads,
    Unavailable,
)

_WITHOUT_LINKS = "health"
_SAFE = ("GET", "HEAD", "OPTIONS")
# RFC 9110 section 8.8.3; an empty header says nothing.
_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_TAGS = re.compile(rf"\s*(?:\*|(?:{_TAG}(?:\s*,\s*|\s*$))*)\s*")


def check_requests(app: Flask) -> None:
    """Refuse requests that no view should see."""

    @app.before_request
    def check() -> None:
        context = current.context()
        _require_host(context)
        _refuse_other_sites(context)
        if context.is_interface:
            _require_entity_tags(context)
        if context.is_read:
            _refuse_throttled_passwords(context)
            if context.is_interface:
                # Invalid credentials are refused on unknown routes too.
                context.caller  # noqa: B018  # Authenticates.
        _refuse_frequent_reads(context)

    app.after_request(_count_passwords)


def _require_host(context: Context) -> None:
    """Refuse an invalid host, which would appear in every link; a site may have an address."""
    is_sent = "Host" in context.request.headers
    if host_of(context.request) or (context.settings.site_url and not is_sent):
        return
    if context.request.blueprint != _WITHOUT_LINKS:
        raise Refused(Refusal(400, "bad_request", Message("The header Host names no host.")))


def _require_entity_tags(context: Context) -> None:
    """Refuse an ``If-Match`` that is no entity tag."""
    if not _TAGS.fullmatch(context.request.headers.get("If-Match", "")):
        reason = Message(
            "{name} must be an entity tag in quotes, such as {example}.",
            name="If-Match",
            example='"33a64df5"',
        )
        raise InvalidParameters({"If-Match": reason})


def _refuse_frequent_reads(context: Context) -> None:
    """Refuse reads above the limit; reads with invalid credentials count too."""
    limit, seconds = context.services.read_limit, context.exchange.retry_after
    if limit and context.is_read and not _is_anonymous_or_known(context):
        seconds = limit.retry_after(context.request.remote_addr or "")
    if seconds:
        raise TooManyReads(seconds)


def _is_anonymous_or_known(context: Context) -> bool:
    """Return whether a request has no credentials, which is counted earlier, or valid ones."""
    if "Authorization" not in context.request.headers:
        return True
    try:
        return context.caller.known
    except CalendarError:
        return False


# Rate limit for wrong record passwords, by address.


def _refuse_throttled_passwords(context: Context) -> None:
    if "password" in context.parameters:
        context.services.accounts.refuse_throttled(context.request.remote_addr or "")


def _count_passwords(response: Response) -> Response:
    context = current.context()
    if context.is_read and "password" in context.parameters_read:
        address, outcomes = context.request.remote_addr or "", current_audit().passwords
        counting = partial(_count, context.services.accounts, address, outcomes)
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


def _refuse_other_sites(context: Context) -> None:
    """Refuse writes from sites that the setting ``cors_origins`` does not name."""
    request = context.request
    if request.method in _SAFE or request.url_rule is None:
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
