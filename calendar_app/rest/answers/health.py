"""Whether the service lives, is ready, and what it has done."""

import os
from collections.abc import Callable

from flask import Blueprint, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client import REGISTRY as OWN_PROCESS
from prometheus_client.multiprocess import MultiProcessCollector

from calendar_app.errors import Unavailable
from calendar_app.rest.answers.answering import plain_answer

# Returns what is not there yet, or an empty text; may raise ``Unavailable``.
Check = Callable[[], str]


def health(check: Check, *, metrics: bool) -> Blueprint:
    """Return the routes ``/livez``, ``/readyz`` and, if they are wanted, ``/metrics``."""
    blueprint = Blueprint("health", __name__)

    @blueprint.get("/livez")
    def live() -> Response:
        return plain_answer({"status": "live"})

    @blueprint.get("/readyz")
    def ready() -> Response:
        """Say that database and indexes are there, or refuse with what is not."""
        lacking = check()
        if lacking:
            raise Unavailable(lacking)
        return plain_answer({"status": "ready"})

    if metrics:
        blueprint.add_url_rule("/metrics", view_func=_metrics)
    return blueprint


def _metrics() -> Response:
    """Return the metrics of all workers, or of this process where it is the only one."""
    registry = OWN_PROCESS
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # has no types
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
