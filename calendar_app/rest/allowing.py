"""The header ``Allow``: what the caller may do where the request went.

It goes by the role alone: a record of somebody else may still be refused.
"""

from collections.abc import Iterator

from flask import Response, current_app, g, request
from werkzeug.routing import Rule

from calendar_app.access.caller import ANYONE, Caller
from calendar_app.access.policy import role_allows
from calendar_app.rest.guarding import needed

_METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")


def allow(response: Response) -> Response:
    """Add ``Allow``, unless no route matched or it is not known who calls."""
    caller = _caller()
    if request.url_rule is not None and caller is not None and "Allow" not in response.headers:
        response.headers["Allow"] = ", ".join(_permitted(request.url_rule, caller))
    return response


def _caller() -> Caller | None:
    found: Caller | None = g.get("caller")
    return found or (None if "Authorization" in request.headers else ANYONE)


def _permitted(rule: Rule, caller: Caller) -> Iterator[str]:
    view = current_app.view_functions[rule.endpoint]
    resource = getattr(view, "view_class", None)
    for method in _METHODS:
        if method not in (rule.methods or ()):
            continue
        need = needed(getattr(resource, method.lower()) if resource else view)
        if need is None or role_allows(caller, *need):
            yield method
