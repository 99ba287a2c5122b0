"""The header ``Cache-Control`` of what anybody may read (RFC 9111), as the operator wants it."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Flask, Response, request

from calendar_app.domain.cache_rules import read_rules

_ALL_OTHERS = "*"
_READ = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)


def allow_keeping(app: Flask, lines: Iterable[str], base: str) -> None:
    """Let answers below ``base`` say how long they may be kept, unless they do so already."""
    rules = read_rules(lines)
    if not rules:
        return

    @app.after_request
    def say(response: Response) -> Response:
        directives = _directives(rules, request.path, base)
        anybodys = request.method in ("GET", "HEAD") and "Authorization" not in request.headers
        if directives and anybodys and response.status_code in _READ:
            response.headers.setdefault("Cache-Control", directives)
        return response


def _directives(rules: Mapping[str, str], path: str, base: str) -> str | None:
    """Return what holds for a path: the first segment behind ``base`` decides."""
    if not path.startswith(f"{base}/"):
        return None
    segment = path.removeprefix(f"{base}/").partition("/")[0]
    return rules.get(segment, rules.get(_ALL_OTHERS))
