"""How a page of the desk is added: its address, and who may open it."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import flask
from flask.typing import ResponseReturnValue

from calendar_app.accounts.policy import Right
from calendar_app.desk import sessions
from calendar_app.desk.addresses import PREFIX
from calendar_app.errors import NotAllowed
from calendar_app.http.request import current
from calendar_app.http.views.resource_view import in_snapshot

View = Callable[..., ResponseReturnValue]
READING = ("GET", "HEAD")
blueprint = flask.Blueprint("desk", __name__, url_prefix=PREFIX)


class LoginRequired(Exception):
    """The page is for those who have logged in."""


def page(
    rule: str,
    *,
    needs: Right | None = None,
    public: bool = False,
    methods: Sequence[str] = ("GET",),
) -> Callable[[View], View]:
    """Add a page below ``/desk`` for users with a right; ``public`` ones are for everybody.

    All that a GET reads is of one moment. The view's name is that of the endpoint.
    """

    def add(view: View) -> View:
        @wraps(view)
        def opened(**path: Any) -> ResponseReturnValue:
            if public:
                return view(**path)
            require(needs)
            if current.request().method in READING:
                return in_snapshot(lambda: view(**path))
            return view(**path)

        blueprint.add_url_rule(rule, view.__name__, opened, methods=list(methods))
        return opened

    return add


def require(right: Right | None) -> None:
    """Raise ``LoginRequired``, or ``NotAllowed`` where the user lacks the right."""
    if sessions.find_session() is None:
        raise LoginRequired
    if right is not None and not sessions.caller().may(right):
        raise NotAllowed
