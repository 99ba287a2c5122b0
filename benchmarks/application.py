"""The application of a worker: the service, the naive program and bare Flask."""

import os
import resource
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
from flask import Flask, Response, request
from naive import naive

from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database

_STATM = Path("/proc/self/statm")  # of Linux
_NAIVE = "/naive"

_settings = Settings.load()
_service = create_app(_settings)
_naive = naive(open_database(_settings.mongodb_uri))
_bare = Flask("bare")


@_bare.get("/floor")
def floor() -> Response:
    """Return a static body of the requested size."""
    static = _static(int(request.args["kilobytes"]))
    return Response(static, content_type="application/json")


@cache
def _static(kilobytes: int) -> bytes:
    return orjson.dumps({"static": "x" * (1000 * kilobytes - len('{"static":""}'))})


@_bare.get("/worker")
def worker() -> Response:
    """Tell which process answers, and its memory."""
    return Response(orjson.dumps({"pid": os.getpid(), "memory": _memory()}))


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Dispatch a request to the service, the naive program or bare Flask."""
    path = environ["PATH_INFO"]
    if path.startswith(_NAIVE):
        environ["PATH_INFO"] = path.removeprefix(_NAIVE)
        return _naive(environ, start_response)
    if path in ("/floor", "/worker"):
        return _bare(environ, start_response)
    return _service.wsgi_app(environ, start_response)


def create() -> WSGIApplication:
    """Return the application."""
    return app


def _memory() -> int:
    """Return the bytes of memory that this process has, or its peak where /proc is missing."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
