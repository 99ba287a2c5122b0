"""Health checks and metrics."""

import os
from collections.abc import Callable

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client import REGISTRY as OWN_PROCESS
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from calendar_app.errors import Unavailable
from calendar_app.http.answers.answering import plain_answer

# Returns the reason why the service is not ready, or an empty text; may raise ``Unavailable``.
Check = Callable[[], str]


def health(check: Check, database: Collector | None) -> Blueprint:
    """Return the routes ``/livez``, ``/readyz`` and, with a collector, ``/metrics``."""
    blueprint = Blueprint("health", __name__)

    @blueprint.get("/livez")
    def live() -> Response:
        return plain_answer({"status": "live"})

    @blueprint.get("/readyz")
    def ready() -> Response:
        """Answer 200 if database and indexes are available, else 503."""
        lacking = check()
        if lacking:
            raise Unavailable(lacking)
        return plain_answer({"status": "ready"})

    if database is not None:
        blueprint.add_url_rule("/metrics", "metrics", lambda: _metrics(database))
    return blueprint


def _metrics(database: Collector) -> Response:
    """Return the metrics of all workers, or of a single process."""
    measured = CollectorRegistry()
    measured.register(database)
    registry = OWN_PROCESS
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # has no types
    figures = generate_latest(registry) + generate_latest(measured)
    return Response(figures, content_type=CONTENT_TYPE_LATEST)
