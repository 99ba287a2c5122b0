"""The header ``Allow``: what the caller may do where the request went.

It goes by the role alone: a record of somebody else may still be refused.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Response, current_app

from calendar_app.access.caller import ANYONE, Caller
from calendar_app.access.policy import role_allows
from calendar_app.rest.request import current
from calendar_app.rest.views.guarding import needed

_METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
_MOST = 1000  # of routes and roles


def allow(response: Response) -> Response:
    """Add ``Allow``, unless no route matched or it is not known who calls."""
    caller, rule = current.known_caller(), current.request().url_rule
    if rule is not None and caller is not None and "Allow" not in response.headers:
        view = current_app.view_functions[rule.endpoint]
        response.headers["Allow"] = _permitted(view, frozenset(rule.methods or ()), caller.role)
    return response


@lru_cache(_MOST)
def _permitted(view: Callable[..., Any], methods: frozenset[str], role: str) -> str:
    """Return which methods of a view a role permits, as the header lists them."""
    caller = Caller(id=1, role=role) if role else ANYONE
    resource = getattr(view, "view_class", None)
    permitted = []
    for method in _METHODS:
        need = needed(getattr(resource, method.lower(), view) if resource else view)
        if method in methods and (need is None or role_allows(caller, *need)):
            permitted.append(method)
    return ", ".join(permitted)
