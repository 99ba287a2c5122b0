"""Refuses requests to a host that cannot be one, where it would stand in every link."""

from flask import Flask

from calendar_app.errors import Message
from calendar_app.http.errors.refusals import Refusal
from calendar_app.http.request import current
from calendar_app.http.request.hosts import host_of
from calendar_app.http.views.blueprint import Refused

_WITHOUT_LINKS = "health"


def refuse_no_hosts(app: Flask) -> None:
    """Refuse what names no host that an address can have, unless the site has its own."""
    if current.lent(app).settings.site_url:
        return

    @app.before_request
    def refuse() -> None:
        asking = current.request()
        if not host_of(asking) and asking.blueprint != _WITHOUT_LINKS:
            message = Message("The header Host names no host.")
            raise Refused(Refusal(400, "bad_request", message))
