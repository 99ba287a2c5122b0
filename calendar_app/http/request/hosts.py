"""The host name of a request."""

import re

from flask import Request

from calendar_app.domain.numbers import parse_digits

# Containers have such names.
_WITH_UNDERSCORE = re.compile(r"[A-Za-z0-9._-]+(?::[1-9][0-9]{0,4})?", re.ASCII)


_PORT = re.compile(r":([0-9]+)$")
_LARGEST_PORT = 65535


def host_of(request: Request) -> str:
    """Return the host with its port; empty if the header is invalid."""
    header = request.headers.get("Host", "")
    host = request.host or (header if _WITH_UNDERSCORE.fullmatch(header) else "")
    # Werkzeug lets any number pass.
    port = _PORT.search(host)
    return "" if port and (parse_digits(port[1]) or 0) > _LARGEST_PORT else host
