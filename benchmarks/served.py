"""What gunicorn runs here: the service and, beside it, what its figures are compared with."""

import os
import resource
from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import StartResponse, WSGIEnvironment

import orjson

from calendar_app.app import create_app

_FLOOR_SIZE = 40_000  # bytes, about what ten events take
_STATM = Path("/proc/self/statm")  # of Linux

_service = create_app()
_static = orjson.dumps({"static": "x" * (_FLOOR_SIZE - len('{"static":""}'))})


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answer without any work what a benchmark asks for; leave the rest to the service."""
    match environ["PATH_INFO"]:
        case "/floor":
            body = _static
        case "/worker":
            body = orjson.dumps({"pid": os.getpid(), "memory": _memory()})
        case _:
            return _service.wsgi_app(environ, start_response)
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response("200 OK", headers)
    return [body]


def _memory() -> int:
    """Return the bytes of memory that this process has; where nobody tells, its most so far."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
