"""Refuse requests with an invalid host, which would appear in every link."""

from flask import Flask

from calendar_app.errors import Message
from calendar_app.http.errors.refusals import Refusal
from calendar_app.http.request import current
from calendar_app.http.request.hosts import host_of
from calendar_app.http.request.state import get_services
from calendar_app.http.views.blueprint import Refused

_WITHOUT_LINKS = "health"


def require_valid_host(app: Flask) -> None:
    """Refuse requests with an invalid ``Host``, unless the site has a fixed address."""
    if get_services(app).settings.site_url:
        return

    @app.before_request
    def refuse() -> None:
        request = current.request()
        if not host_of(request) and request.blueprint != _WITHOUT_LINKS:
            message = Message("The header Host names no host.")
            raise Refused(Refusal(400, "bad_request", message))
