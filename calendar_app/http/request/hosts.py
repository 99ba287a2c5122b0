"""By which name of the service a request reached it."""

import re

from flask import Request

# Containers are called so, and find each other by that.
_WITH_UNDERSCORE = re.compile(r"[A-Za-z0-9._-]+(?::[1-9][0-9]{0,4})?", re.ASCII)


def host_of(request: Request) -> str:
    """Return the host, with its port if need be; empty where the header names none."""
    if request.host:
        return request.host
    told = request.headers.get("Host", "")
    return told if _WITH_UNDERSCORE.fullmatch(told) else ""
