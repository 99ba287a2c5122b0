"""Case-insensitive paths, as in the reference."""

from collections.abc import Iterable
from typing import Any

from calendar_app.http.request.context import Wsgi
from calendar_app.http.wsgi.routing import ASCII_LOWER


class AnyCase:
    """Lower-cases paths below ``base``, as in the reference."""

    def __init__(self, app: Wsgi, base: str) -> None:
        self._app = app
        self._base = base

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        if path[: len(self._base)].translate(ASCII_LOWER) == self._base.translate(ASCII_LOWER):
            environ["PATH_INFO"] = self._base + path[len(self._base) :].translate(ASCII_LOWER)
        return self._app(environ, start_response)
