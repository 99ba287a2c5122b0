"""Rate limit for anonymous reads, before the response cache."""

from collections.abc import Callable, Iterable
from typing import Any

from calendar_app.api.http.answers.health import PROBES
from calendar_app.api.http.request.state import Environ, Wsgi, exchange_of

_READING = ("GET", "HEAD")


class ReadRate:
    """Passes reads to ``app``, and those above the limit to ``refuse``.

    ``retry_after`` counts a read of an address, and returns the seconds to wait above the limit.
    Requests with credentials are counted after authentication.
    """

    def __init__(self, app: Wsgi, refuse: Wsgi, retry_after: Callable[[str], int]) -> None:
        self._app = app
        self._refuse = refuse
        self._retry_after = retry_after

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if _is_anonymous_read(environ):
            seconds = self._retry_after(environ.get("REMOTE_ADDR", ""))
            if seconds:
                exchange_of(environ).retry_after = seconds
                return self._refuse(environ, start_response)
        return self._app(environ, start_response)


def _is_anonymous_read(environ: Environ) -> bool:
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        and environ["PATH_INFO"] not in PROBES  # monitoring polls often
    )
