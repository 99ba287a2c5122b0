"""The Flask application, and hooks around its pages."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Flask, Response

from calendar_app.api.http.request import current
from calendar_app.api.http.request.forms import FormRequest


class Service(Flask):
    """Flask, where every view and every hook is a plain function, so that none has to be asked."""

    request_class = FormRequest

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
