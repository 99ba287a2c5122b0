"""Rate limit for wrong record passwords, by address."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial

from flask import Flask, Response

from calendar_app.accounts.limits import begin_tries, end_tries
from calendar_app.errors import Unavailable
from calendar_app.http.request import current
from calendar_app.http.request.state import Services

_READING = ("GET", "HEAD")


def throttle_passwords(app: Flask) -> None:
    """Refuse passwords from an address with too many wrong ones; count wrong ones."""

    @app.before_request
    def begin() -> None:
        request = current.request()
        end_tries()
        if request.method in _READING and "password" in current.sent_parameters():
            current.services().accounts.refuse_throttled(request.remote_addr or "")
            current.context().password_outcomes = begin_tries()

    @app.after_request
    def count(response: Response) -> Response:
        outcomes = current.context().password_outcomes
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
