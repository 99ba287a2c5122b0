"""The header ``Cache-Control`` (RFC 9111): the operator's rules, and never for secrets."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Flask, Request, Response, request

from calendar_app.domain.cache_rules import read_rules
from calendar_app.http.answers.answering import depend_on

_ALL_OTHERS = "*"
_READ = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
_PRIVATE = "private, no-store"


def add_cache_control(app: Flask, lines: Iterable[str], base: str) -> None:
    """Add ``Cache-Control`` to answers below ``base``; what a secret opens is never stored."""
    rules = read_rules(lines)

    @app.after_request
    def add(response: Response) -> Response:
        if not f"{request.path}/".startswith(f"{base}/"):
            return response
        if _sends_secret(request):
            response.headers["Cache-Control"] = _PRIVATE
        elif request.method in ("GET", "HEAD") and response.status_code in _READ:
            _apply_rules(rules, response, base)
        return response


def _sends_secret(sent: Request) -> bool:
    """Say whether a request has credentials, or a password in any notation."""
    names = (name.partition("[")[0] for name in sent.args)
    return "Authorization" in sent.headers or "password" in names


def _apply_rules(rules: Mapping[str, str], response: Response, base: str) -> None:
    """Add the directives of the first segment behind ``base``."""
    segment = request.path.removeprefix(base).removeprefix("/").partition("/")[0]
    directives = rules.get(segment, rules.get(_ALL_OTHERS)) if segment else None
    if directives and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = directives
        # nginx answers requests with credentials from what it has stored without.
        depend_on(response, "Authorization")
