"""Paths in any letter case, as WordPress takes them."""

import re
from collections.abc import Iterable
from typing import Any

from calendar_app.api.http.request.state import Wsgi
from calendar_app.api.http.wsgi.segments import ASCII_LOWER

# UIDs are those of other programs, to which letter case may matter.
_BEFORE_UID = re.compile(r"/events/by-source/[0-9]+/", re.ASCII | re.IGNORECASE)


class AnyCase:
    """Lower-cases paths below one of the ``bases``, as in the reference, up to a UID."""

    def __init__(self, app: Wsgi, bases: Iterable[str]) -> None:
        self._app = app
        self._bases = {base.translate(ASCII_LOWER): base for base in bases}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        lowered = path.translate(ASCII_LOWER)
        for folded, base in self._bases.items():
            if lowered.startswith(folded):
                before_uid = _BEFORE_UID.match(lowered, len(folded))
                end = before_uid.end() if before_uid else len(path)
                environ["PATH_INFO"] = f"{base}{lowered[len(folded) : end]}{path[end:]}"
        return self._app(environ, start_response)
