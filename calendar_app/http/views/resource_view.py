"""Base of resource views: reads in one snapshot, writes run once."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import views
from flask.typing import ResponseReturnValue

from calendar_app.http.request import current
from calendar_app.http.views.idempotency import run_once

T = TypeVar("T")


class ResourceView(views.MethodView):
    """A method view; reads use one snapshot, writes are idempotent."""

    # Views have no state.
    init_every_request = False

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        dispatch = super().dispatch_request
        if current.request().method in ("GET", "HEAD"):
            return in_snapshot(lambda: dispatch(**path))
        return run_once(lambda: dispatch(**path))


def in_snapshot(view: Callable[[], T]) -> T:
    """Run a read-only view in one snapshot, and record its cluster time."""
    return current.reader().in_snapshot(lambda: _record_cluster_time(view()))


def _record_cluster_time(response: T) -> T:
    current.context().cluster_time = current.reader().cluster_time()
    return response
