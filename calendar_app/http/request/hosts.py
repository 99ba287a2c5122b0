"""The host name of a request."""

import re

from flask import Request

# Containers have such names.
_WITH_UNDERSCORE = re.compile(r"[A-Za-z0-9._-]+(?::[1-9][0-9]{0,4})?", re.ASCII)


def host_of(request: Request) -> str:
    """Return the host with its port; empty if the header is invalid."""
    if request.host:
        return request.host
    header = request.headers.get("Host", "")
    return header if _WITH_UNDERSCORE.fullmatch(header) else ""
