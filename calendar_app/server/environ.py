"""A request of ASGI in the words of WSGI."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

Scope = Mapping[str, Any]
Environ = dict[str, Any]

_LATIN = "latin-1"  # the charset in which WSGI writes bytes as text
_PLAIN = ("CONTENT_TYPE", "CONTENT_LENGTH")
_CONSTANT = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}


def wsgi_environ(scope: Scope) -> Environ:
    """Return the environment of a request, without its body."""
    server, port = scope["server"]
    version: str = scope["http_version"]
    environ = _CONSTANT | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode(_LATIN),
        "QUERY_STRING": scope["query_string"].decode(_LATIN),
        "REMOTE_ADDR": scope["client"][0],
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{version if '.' in version else version + '.0'}",
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
    }
    for name, value in scope["headers"]:
        if variable := _variable(name):
            text = value.decode(_LATIN)
            separator = "; " if variable == "HTTP_COOKIE" else ","
            earlier = environ.get(variable)
            environ[variable] = text if earlier is None else f"{earlier}{separator}{text}"
    return environ


@lru_cache(1000)
def _variable(header: bytes) -> str:
    """Return the variable of a header; none for a name that could pass for another one."""
    if b"_" in header:
        return ""
    variable = header.decode(_LATIN).upper().replace("-", "_")
    return variable if variable in _PLAIN else f"HTTP_{variable}"
