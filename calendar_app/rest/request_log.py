"""One JSON line a request on standard output, and the figures for Prometheus.

A line holds request id, method, route, status, milliseconds and database round trips; no secret
and nothing of a body.
"""

import logging
import re
import sys
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import orjson
import structlog
from flask import Flask, Response, g, request
from prometheus_client import Counter, Histogram

_HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_HEADER = "X-Request-ID"
_UNKNOWN = "unknown"

_REQUESTS = Counter("calendar_requests_total", "Answers given.", ["method", "route", "status"])
_SECONDS = Histogram("calendar_request_seconds", "Time to answer.", ["method", "route"])
_ROUND_TRIPS = Counter("calendar_round_trips_total", "Commands sent to the database.", ["route"])


def configure_logging() -> None:
    """Write one JSON object a line to standard output."""
    structlog.configure(
        processors=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.add_log_level,
            # Without the values of variables: a secret or a body may be among them.
            structlog.processors.ExceptionRenderer(
                structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
            ),
            structlog.processors.JSONRenderer(serializer=_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stdout),
        cache_logger_on_first_use=False,
    )


def _json(event: dict[str, Any], **_: Any) -> str:
    return orjson.dumps(event, default=str).decode()


def log_requests(app: Flask, begin_count: Callable[[], None], count: Callable[[], int]) -> None:
    """Log every request of ``app``; the callables count its round trips to the database."""

    @app.before_request
    def begin() -> None:
        sent = request.headers.get(_HEADER, "")
        g.request_id = sent if _HARMLESS.fullmatch(sent) else uuid4().hex
        g.begun = time.perf_counter()
        begin_count()

    @app.after_request
    def end(response: Response) -> Response:
        response.headers[_HEADER] = g.request_id
        _write(response, count())
        return response


def _write(response: Response, round_trips: int) -> None:
    seconds = time.perf_counter() - g.begun
    route = request.url_rule.rule if request.url_rule else _UNKNOWN
    _REQUESTS.labels(request.method, route, str(response.status_code)).inc()
    _SECONDS.labels(request.method, route).observe(seconds)
    _ROUND_TRIPS.labels(route).inc(round_trips)
    structlog.get_logger().info(
        "request",
        request_id=g.request_id,
        method=request.method,
        route=route,
        status=response.status_code,
        ms=round(seconds * 1000, 1),
        round_trips=round_trips,
    )
