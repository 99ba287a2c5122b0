"""Limits anonymous reads by address, those of kept answers too."""

from collections.abc import Callable, Iterable
from typing import Any

from calendar_app.http.request.exchange import Environ, Wsgi, of

_READING = ("GET", "HEAD")
# Whoever watches the service asks often.
_UNLIMITED = ("/livez", "/readyz", "/metrics")


class ReadRate:
    """Leads reads to ``app``, and those that are too many to ``refusing``, which refuses them.

    ``retry_after`` counts a read of an address; where it is one too many, it returns the seconds
    to wait. Credentials are not known yet: who sends any is counted later.
    """

    def __init__(self, app: Wsgi, refusing: Wsgi, retry_after: Callable[[str], int]) -> None:
        self._app = app
        self._refusing = refusing
        self._retry_after = retry_after

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if _is_anonymous_read(environ):
            seconds = self._retry_after(environ.get("REMOTE_ADDR", ""))
            if seconds:
                of(environ).retry_after = seconds
                return self._refusing(environ, start_response)
        return self._app(environ, start_response)


def _is_anonymous_read(environ: Environ) -> bool:
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        and environ["PATH_INFO"].rstrip("/") not in _UNLIMITED
    )
