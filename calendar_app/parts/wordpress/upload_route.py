"""The upload route of WordPress, below the API prefix."""

import re
from collections.abc import Iterable
from typing import Any

from calendar_app.api.http.request.state import WORDPRESS, Wsgi

MEDIA_ROUTE = f"{WORDPRESS}/media"
_READS = ("GET", "HEAD")


class WordPressUploads:
    """Maps ``MEDIA_ROUTE`` below ``api_prefix`` to the media below ``base``.

    Clients upload a picture there and link it to an event by id. Reads are not mapped, since
    WordPress' answers have another shape.
    """

    def __init__(self, app: Wsgi, api_prefix: str, base: str) -> None:
        self._app = app
        self._media = f"{base}/media"
        self._route = re.compile(
            rf"{re.escape(api_prefix + MEDIA_ROUTE)}(/[0-9]+)?/?", re.IGNORECASE
        )

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        match = self._route.fullmatch(environ.get("PATH_INFO", ""))
        method = environ["REQUEST_METHOD"]
        if match and method not in _READS and (match[1] or method == "POST"):
            environ["PATH_INFO"] = f"{self._media}{match[1] or ''}"
        return self._app(environ, start_response)
