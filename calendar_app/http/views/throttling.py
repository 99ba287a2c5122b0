"""Rate limit for reads."""

from flask import Flask

from calendar_app.accounts.limits import ReadLimit
from calendar_app.errors import CalendarError, TooManyReads
from calendar_app.http.request import current

_READING = ("GET", "HEAD")


def throttle_reads(app: Flask, limit: ReadLimit) -> None:
    """Refuse reads above the limit; reads with invalid credentials count too."""

    @app.before_request
    def refuse() -> None:
        request, seconds = current.request(), current.context().retry_after
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
