"""Limits wrong passwords of events by address, as wrong secrets of users."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial

from flask import Flask, Response

from calendar_app.accounts.password_tries import begin_tries, end_tries
from calendar_app.errors import Unavailable
from calendar_app.http.request import current

_READING = ("GET", "HEAD")


def throttle_passwords(app: Flask) -> None:
    """Refuse passwords from an address that sent too many wrong ones; count wrong ones."""

    @app.before_request
    def begin() -> None:
        sent = current.request()
        end_tries()
        if sent.method in _READING and "password" in current.sent_parameters():
            current.services().accounts.refuse_throttled(sent.remote_addr or "")
            current.exchange().password_outcomes = begin_tries()

    @app.after_request
    def count(response: Response) -> Response:
        outcomes = current.exchange().password_outcomes
        if outcomes is None:
            return response
        address = current.request().remote_addr or ""
        counting = partial(_count, current.services(), address, outcomes)
        if response.is_streamed:  # A feed tries the password while it is sent.
            response.call_on_close(counting)
        else:
            counting()
        return response


def _count(services: current.Services, address: str, outcomes: Collection[bool]) -> None:
    """Count a password that was tried and opened nothing."""
    if outcomes and not any(outcomes):
        with suppress(Unavailable):
            services.accounts.count_wrong_password(address)
