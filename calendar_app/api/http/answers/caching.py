"""The header ``Cache-Control`` (RFC 9111)."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Flask, Response

from calendar_app.api.http.answers.answering import add_vary, sends_secret
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.domain.cache_rules import read_rules

_WILDCARD = "*"
_CACHEABLE = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
_PRIVATE = "private, no-store"


def add_cache_control(app: Flask, lines: Iterable[str]) -> None:
    """Add ``Cache-Control`` to responses of the interface; secrets are never stored."""
    rules = read_rules(lines)

    @app.after_request
    def add(response: Response) -> Response:
        context = current.context()
        if not context.is_interface:
            return response
        if sends_secret(context.request):
            response.headers["Cache-Control"] = _PRIVATE
        elif context.is_read and response.status_code in _CACHEABLE:
            _apply_rules(rules, response, context)
        return response


def _apply_rules(rules: Mapping[str, str], response: Response, context: Context) -> None:
    """Add the directives for the first segment of the interface's addresses."""
    base = f"{context.settings.api_prefix}/{context.settings.namespace}"
    segment = context.request.path.removeprefix(base).removeprefix("/").partition("/")[0]
    directives = rules.get(segment, rules.get(_WILDCARD)) if segment else None
    if directives and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = directives
        # nginx would serve cached anonymous responses to authenticated requests.
        add_vary(response, "Authorization")
