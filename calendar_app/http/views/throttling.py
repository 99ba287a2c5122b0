"""Refuses reads of clients that read too much."""

from flask import Flask

from calendar_app.accounts.read_limit import ReadLimit
from calendar_app.errors import CalendarError, TooManyReads
from calendar_app.http.request import current

_READING = ("GET", "HEAD")


def refuse_too_many_reads(app: Flask, limit: ReadLimit) -> None:
    """Refuse reads that were counted as too many, and count those with credentials of nobody."""

    @app.before_request
    def refuse() -> None:
        request, seconds = current.request(), current.exchange().retry_after
        if request.method in _READING and "Authorization" in request.headers and not _is_known():
            seconds = limit.retry_after(request.remote_addr or "")
        if seconds:
            raise TooManyReads(seconds)


def _is_known() -> bool:
    try:
        return current.caller().known
    except CalendarError:
        return False
