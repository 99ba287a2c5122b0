"""Request log in JSON lines, and Prometheus metrics.

Each request logs a line ``request``; each changed record and each refused secret a line ``audit``.
Secrets, bodies and queries are never logged.
"""

import logging
import re
import sys
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from uuid import uuid4

import orjson
import structlog
from prometheus_client import Counter, Histogram

from calendar_app.api.http.request.state import Environ, Exchange, Wsgi, begin_exchange
from calendar_app.calendar.auditing import Audit, Door, begin_audit

_SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_HEADER = "X-Request-ID"
_MOST_LABELS = 1000
# Unknown methods share one label, since clients could create labels without limit.
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_UNKNOWN_METHOD = "other"
# Counted from 0 as soon as a route is used: a counter that appears at 1 has no increase.
_FAILURES = ("500", "503")
_LONGEST = 200  # characters of what a client sends

_REQUESTS = Counter("calendar_requests_total", "Answers given.", ["method", "route", "status"])
_SECONDS = Histogram("calendar_request_seconds", "Time to answer.", ["method", "route"])
_REFUSED_SECRETS = Counter("calendar_refused_secrets_total", "Wrong passwords and secrets.")
_ROUND_TRIPS = Counter("calendar_round_trips_total", "Commands sent to the database.", ["route"])


def configure_logging() -> None:
    """Write one JSON object per line to standard output."""
    structlog.configure(
        processors=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.add_log_level,
            # Without local variables, which may hold secrets.
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


class RequestLog:
    """Logs the requests of ``app``, with their database round trips.

    With ``metrics`` there are figures for Prometheus too.
    """

    def __init__(
        self,
        app: Wsgi,
        begin_count: Callable[[], None],
        count: Callable[[], int],
        *,
        metrics: bool,
    ) -> None:
        self._app = app
        self._begin_count = begin_count
        self._count = count
        self._metrics = metrics
        self._logger = structlog.get_logger().bind()

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        started = time.perf_counter()
        self._begin_count()
        request_id = environ.get("HTTP_X_REQUEST_ID", "")
        exchange = begin_exchange(
            environ, request_id if _SAFE_ID.fullmatch(request_id) else uuid4().hex
        )
        audit = begin_audit(Door.INTERFACE)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            seconds = time.perf_counter() - started
            self._write(exchange, environ, status[:3], seconds)
            self._write_audit(exchange, environ, audit)
            return start_response(status, [*headers, (_HEADER, exchange.request_id)], *error)

        return self._app(environ, start)

    def _write(self, exchange: Exchange, environ: Environ, status: str, seconds: float) -> None:
        trips, method = self._count(), environ["REQUEST_METHOD"]
        if self._metrics:
            label = method if method in _METHODS else _UNKNOWN_METHOD
            requests, duration, commands = _labeled_metrics(label, exchange.route, status)
            requests.inc()
            duration.observe(seconds)
            commands.inc(trips)
        self._logger.info(
            "request",
            **_origin(exchange, environ),
            method=method,
            route=exchange.route,
            path=environ.get("PATH_INFO", "")[:_LONGEST],
            status=int(status),
            ms=round(seconds * 1000, 1),
            round_trips=trips,
        )

    def _write_audit(self, exchange: Exchange, environ: Environ, audit: Audit) -> None:
        origin = _origin(exchange, environ)
        if exchange.refused_secret:
            if self._metrics:
                _REFUSED_SECRETS.inc()
            self._logger.warning("audit", action="refused secret", **origin)
        for change in audit.changes:
            self._logger.info(
                "audit", action=change.action, record=f"{change.kind} {change.id}", **origin
            )


def _origin(exchange: Exchange, environ: Environ) -> dict[str, Any]:
    """Return the caller and client of a request."""
    return {
        "request_id": exchange.request_id,
        "user": exchange.user,
        "address": environ.get("REMOTE_ADDR", ""),
        "agent": environ.get("HTTP_USER_AGENT", "")[:_LONGEST],
    }


@lru_cache(_MOST_LABELS)
def _labeled_metrics(method: str, route: str, status: str) -> tuple[Counter, Histogram, Counter]:
    for failure in _FAILURES:
        _REQUESTS.labels(method, route, failure)
    return (
        _REQUESTS.labels(method, route, status),
        _SECONDS.labels(method, route),
        _ROUND_TRIPS.labels(route),
    )
