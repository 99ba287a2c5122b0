"""The views of resources: what a request reads, it reads as of one moment."""

from typing import Any

from flask import views
from flask.typing import ResponseReturnValue

from calendar_app.rest.request import current
from calendar_app.rest.views.idempotency import run_once


class ResourceView(views.MethodView):
    """A view with a method for each method of HTTP; reads see one moment, writes run once."""

    # A view keeps nothing between two requests.
    init_every_request = False

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        answer = super().dispatch_request
        if current.request().method in ("GET", "HEAD"):
            return current.reader().at_one_moment(lambda: _noted(answer(**path)))
        return run_once(lambda: answer(**path))


def _noted(answer: ResponseReturnValue) -> ResponseReturnValue:
    """Note at which moment the database was read for this answer."""
    current.exchange().moment = current.reader().moment()
    return answer
