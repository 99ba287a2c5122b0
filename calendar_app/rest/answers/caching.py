"""The header ``Cache-Control`` of what anybody may read (RFC 9111), as the operator wants it."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus

from flask import Flask, Response, request

from calendar_app.errors import ConfigurationError

# Rules: ``events: max-age=60``; the star stands for what no other line names.
_RULE = re.compile(r"(?P<segment>[a-z.]+|\*):\s*(?P<directives>[\x20-\x7E]+)", re.ASCII)
_ALL_OTHERS = "*"
_READ = (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED)


def read_rules(lines: Iterable[str]) -> dict[str, str]:
    """Return the directives by the segment of the address that they are for.

    Raises ``ConfigurationError`` where a line is no rule.
    """
    rules = {}
    for line in lines:
        rule = _RULE.fullmatch(line.strip())
        if rule is None:
            raise ConfigurationError(
                f"The setting cache_control must hold lines like 'events: max-age=60': {line!r}."
            )
        rules[rule["segment"]] = rule["directives"]
    return rules


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
