"""The header ``Allow``: what the caller may do where the request went.

Of a record that was looked up, it goes by whose it is as well; of all else by the role alone.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from flask import Response, current_app

from calendar_app.accounts.caller import ANYONE, Caller
from calendar_app.accounts.policy import (
    Action,
    has_owner,
    may_delete,
    may_edit,
    may_read,
    role_allows,
)
from calendar_app.accounts.roles import Right
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.http.views.guarding import finding, needed

Needs = Mapping[str, tuple[Action, str] | None]

_METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
_MOST = 1000  # of routes and roles


def allow(response: Response) -> Response:
    """Add ``Allow``, unless no route matched or it is not known who calls."""
    caller, rule = current.known_caller(), current.request().url_rule
    if rule is not None and caller is not None and "Allow" not in response.headers:
        view = current_app.view_functions[rule.endpoint]
        permitted = _permitted(view, frozenset(rule.methods or ()), caller.role)
        record, _ = current.addressed()
        methods = [method for method, need in permitted.items() if _is_left(caller, need, record)]
        response.headers["Allow"] = ", ".join(methods)
    return response


def look_up_for(caller: Caller) -> None:
    """Look up the record of a path that is described, where it matters whose it is.

    What the caller may not read stays unknown, as if it were not there.
    """
    rule = current.request().url_rule
    view = current_app.view_functions[rule.endpoint] if rule else None
    resource: Any = getattr(view, "view_class", None)
    need = needed(resource.post) if hasattr(resource, "post") else None
    if need is None or not has_owner(need[1]) or not role_allows(caller, *need):
        return
    find = None if caller.may(Right.EDIT_OTHERS) else finding(resource.post)
    record = find(**current.path()) if find else None
    # A picture has no state: who may upload sees all of them.
    if record is not None and ("status" not in record or may_read(caller, record)):
        current.address(record, None)


@lru_cache(_MOST)
def _permitted(view: Callable[..., Any], methods: frozenset[str], role: str) -> Needs:
    """Return which methods of a view a role permits, each with what it needs."""
    caller = Caller(id=1, role=role) if role else ANYONE
    resource = getattr(view, "view_class", None)
    permitted = {}
    for method in _METHODS:
        need = needed(getattr(resource, method.lower(), view) if resource else view)
        if method in methods and (need is None or role_allows(caller, *need)):
            permitted[method] = need
    return MappingProxyType(permitted)


def _is_left(caller: Caller, need: tuple[Action, str] | None, record: Record | None) -> bool:
    """Say whether what the role permits is permitted with this record too."""
    if need is None or record is None or not has_owner(need[1]):
        return True
    return may_delete(caller, record) if need[0] == "delete" else may_edit(caller, record)
