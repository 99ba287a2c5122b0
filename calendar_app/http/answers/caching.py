"""The header ``Cache-Control`` (RFC 9111): the operator's rules, ``no-store`` for secrets."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Flask, Request, Response, request

from calendar_app.domain.cache_rules import read_rules
from calendar_app.http.answers.answering import add_vary

_WILDCARD = "*"
_CACHEABLE = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)
_PRIVATE = "private, no-store"


def add_cache_control(app: Flask, lines: Iterable[str], base: str) -> None:
    """Add ``Cache-Control`` to responses below ``base``; secrets are never stored."""
    rules = read_rules(lines)

    @app.after_request
    def add(response: Response) -> Response:
        if not f"{request.path}/".startswith(f"{base}/"):
            return response
        if _sends_secret(request):
            response.headers["Cache-Control"] = _PRIVATE
        elif request.method in ("GET", "HEAD") and response.status_code in _CACHEABLE:
            _apply_rules(rules, response, base)
        return response


def _sends_secret(sent: Request) -> bool:
    """Return whether a request has credentials, or a password in any notation."""
    names = (name.partition("[")[0] for name in sent.args)
    return "Authorization" in sent.headers or "password" in names


def _apply_rules(rules: Mapping[str, str], response: Response, base: str) -> None:
    """Add the directives for the first segment below ``base``."""
    segment = request.path.removeprefix(base).removeprefix("/").partition("/")[0]
    directives = rules.get(segment, rules.get(_WILDCARD)) if segment else None
    if directives and "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = directives
        # nginx would serve cached anonymous responses to authenticated requests.
        add_vary(response, "Authorization")
