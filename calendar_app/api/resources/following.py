"""Follows the calendar as a webhook is to be told of it: by the feed of changes itself."""

from collections.abc import Mapping
from contextvars import copy_context
from http import HTTPStatus
from typing import Any

from flask import Flask
from werkzeug.test import EnvironBuilder

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.api.http.request.state import CALLER, get_services
from calendar_app.api.resources.webhooks import KINDS
from calendar_app.changes.webhooks.deliveries import ReportedChange, ReportedChanges, type_of
from calendar_app.changes.webhooks.delivering import Unfollowable
from calendar_app.changes.webhooks.webhook import GAP, NO_FILTERS, NO_READER, Webhook
from calendar_app.errors import Unavailable

# What a receiver is told that has missed changes which nobody knows any more.
_KIND, _, _CHANGE = GAP.partition(".")
MISSED = ReportedChange(_KIND, 0, _CHANGE, {"kind": _KIND, "change": _CHANGE})


class Follower:
    """Asks an application for changes, without HTTP, on behalf of whom a webhook reads as."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._services = get_services(app)

    def public_changes(self, token: str) -> ReportedChanges:
        """Return the changes for strangers behind a token; without one the present token."""
        changes = self._services.changes
        if not token:
            return ReportedChanges([], changes.token(changes.now()))
        language = self._services.settings.default_language
        stranger = Webhook(id=0, name="", address="", kinds=KINDS, language=language, token=token)
        return self.changes(stranger)

    def changes(self, webhook: Webhook) -> ReportedChanges:
        """Return the changes for a webhook; raise ``Unfollowable`` where that is over."""
        accounts = self._services.accounts
        reader = accounts.caller(webhook.reads_as) if webhook.reads_as else ANYONE
        if reader is None:
            raise Unfollowable(NO_READER)
        language = {self._services.settings.translation_parameter: webhook.language}
        sent = {**webhook.filters, **language, "since": webhook.token}
        # In a context of its own, since it may be asked for while a request is answered.
        status, body = copy_context().run(self._answer, sent, reader)
        match status:
            case HTTPStatus.OK:
                reported = [_change(each) for each in body["changes"]]
                chosen = [
                    each for each in reported if type_of(each.kind, each.change) in webhook.kinds
                ]
                return ReportedChanges(chosen, body["next"], body["more"])
            case HTTPStatus.GONE:
                changes = self._services.changes
                return ReportedChanges([MISSED], changes.token(changes.now()))
            case HTTPStatus.BAD_REQUEST:
                raise Unfollowable(NO_FILTERS)
        raise Unavailable(body["message"])

    def _answer(self, query: Mapping[str, str], caller: Caller) -> tuple[int, Any]:
        settings = self._services.settings
        path = f"{settings.api_prefix}/{settings.namespace}/changes"
        site = settings.site_url or None
        environ = EnvironBuilder(path, site, query_string=query).get_environ()
        environ[CALLER] = caller
        with self._app.request_context(environ):
            response = self._app.full_dispatch_request()
            return response.status_code, response.get_json()


def _change(changes: Mapping[str, Any]) -> ReportedChange:
    return ReportedChange(changes["kind"], changes["id"], changes["change"], changes)
