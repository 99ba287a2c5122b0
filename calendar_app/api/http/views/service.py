"""The Flask application, and hooks around its pages."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from flask import Flask, Response
from werkzeug.routing import Rule

from calendar_app.api.http.request import current
from calendar_app.api.http.request.forms import FormRequest


class _LinkedRule(Rule):
    """A rule that compiles its two builders of addresses with its first link.

    Compiling them took a third of a start, and only plugins link to rules by their names.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class Service(Flask):
    """Flask, where every view and every hook is a plain function, so that none has to be asked."""

    request_class = FormRequest
    url_rule_class = _LinkedRule

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def surround_pages(
    app: Flask,
    before: Sequence[Callable[[], Response | None]],
    after: Sequence[Callable[[Response], Response]],
) -> None:
    """Run hooks ``before`` and ``after`` all requests but those of the interface."""

    @app.before_request
    def begin() -> Response | None:
        if current.context().is_interface:
            return None
        return next(filter(None, (hook() for hook in before)), None)

    @app.after_request
    def finish(response: Response) -> Response:
        if not current.context().is_interface:
            for hook in after:
                response = hook(response)
        return response
