"""The header ``Allow``: the methods that the caller may use on this route.

For a loaded record it depends on the author too, otherwise on the role alone.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from flask import Response, current_app

from calendar_app.accounts.policy import (
    ANYONE,
    Action,
    Caller,
    Right,
    has_owner,
    may_delete,
    may_edit,
    may_read,
    role_allows,
)
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.http.views.guarding import declared_permission, record_loader

Permissions = Mapping[str, tuple[Action, str] | None]

_METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
_MOST = 1000  # of routes and roles


def set_allow_header(response: Response) -> Response:
    """Add ``Allow``, if a route matched and the caller is known."""
    caller, rule = current.known_caller(), current.request().url_rule
    if rule is not None and caller is not None and "Allow" not in response.headers:
        view = current_app.view_functions[rule.endpoint]
        permitted = _permitted(view, frozenset(rule.methods or ()), caller.role)
        record, _ = current.target_record()
        methods = [
            method
            for method, permission in permitted.items()
            if _is_permitted(caller, permission, record)
        ]
        response.headers["Allow"] = ", ".join(methods)
    return response


def load_owned_record(caller: Caller) -> None:
    """Load the record of an OPTIONS request, if its author matters.

    A record that the caller may not read counts as missing.
    """
    rule = current.request().url_rule
    view = current_app.view_functions[rule.endpoint] if rule else None
    resource: Any = getattr(view, "view_class", None)
    permission = declared_permission(resource.post) if hasattr(resource, "post") else None
    if permission is None or not has_owner(permission[1]) or not role_allows(caller, *permission):
        return
    find = None if caller.may(Right.EDIT_OTHERS) else record_loader(resource.post)
    record = find(**current.path_arguments()) if find else None
    # Pictures have no status: uploaders see all of them.
    if record is not None and ("status" not in record or may_read(caller, record)):
        current.set_target_record(record, None)


@lru_cache(_MOST)
def _permitted(view: Callable[..., Any], methods: frozenset[str], role: str) -> Permissions:
    """Return the methods of a view that a role permits, with their permissions."""
    caller = Caller(id=1, role=role) if role else ANYONE
    resource = getattr(view, "view_class", None)
    permitted = {}
    for method in _METHODS:
        permission = declared_permission(
            getattr(resource, method.lower(), view) if resource else view
        )
        if method in methods and (permission is None or role_allows(caller, *permission)):
            permitted[method] = permission
    return MappingProxyType(permitted)


def _is_permitted(
    caller: Caller, permission: tuple[Action, str] | None, record: Record | None
) -> bool:
    """Return whether a permission of the role holds for this record."""
    if permission is None or record is None or not has_owner(permission[1]):
        return True
    return may_delete(caller, record) if permission[0] == "delete" else may_edit(caller, record)
