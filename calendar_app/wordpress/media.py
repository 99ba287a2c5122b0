"""The route to which programs for WordPress upload pictures."""

import re
from collections.abc import Iterable
from typing import Any

from calendar_app.http.request.exchange import Wsgi

# The route to which WordPress takes files, below the prefix of the interface.
UPLOADS = "/wp/v2/media"


class UploadsOfWordPress:
    """Reads ``UPLOADS`` below ``api_prefix`` as the pictures below ``base``.

    Programs upload a picture there, and name it in an event by the id that they get. The list is
    not to be had there, since that of WordPress has another shape.
    """

    def __init__(self, app: Wsgi, api_prefix: str, base: str) -> None:
        self._app = app
        self._media = f"{base}/media"
        self._route = re.compile(rf"{re.escape(api_prefix + UPLOADS)}(/[0-9]+)?/?", re.IGNORECASE)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        found = self._route.fullmatch(environ.get("PATH_INFO", ""))
        if found and (found[1] or environ["REQUEST_METHOD"] == "POST"):
            environ["PATH_INFO"] = f"{self._media}{found[1] or ''}"
        return self._app(environ, start_response)
