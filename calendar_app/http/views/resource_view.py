"""The views of resources: what a request reads, it reads as of one moment."""

from collections.abc import Callable
from typing import Any, TypeVar

from flask import views
from flask.typing import ResponseReturnValue

from calendar_app.http.request import current
from calendar_app.http.views.idempotency import run_once

Answer = TypeVar("Answer")


class ResourceView(views.MethodView):
    """A view with a method for each method of HTTP; reads see one moment, writes run once."""

    # A view keeps nothing between two requests.
    init_every_request = False

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        answer = super().dispatch_request
        if current.request().method in ("GET", "HEAD"):
            return in_snapshot(lambda: answer(**path))
        return run_once(lambda: answer(**path))


def in_snapshot(view: Callable[[], Answer]) -> Answer:
    """Run a view that only reads, and note at which moment it has read the database."""
    return current.reader().in_snapshot(lambda: _noted(view()))


def _noted(answer: Answer) -> Answer:
    current.exchange().cluster_time = current.reader().cluster_time()
    return answer
