"""The order of checks on requests, as decorators.

Writes: 1 route and method, 2 body, 3 credentials, 4 role, 5 parameters, 6 record, 7 rights on the
record. Reads check the credentials first.
See ``docs/reference/interface.md``, section "Writing".
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask

from calendar_app.accounts.policy import Action, Caller, require_role
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import InvalidParameters
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.method_override import refuse_overrides
from calendar_app.http.views.target import find_by_slug
from calendar_app.query.clauses import Clause

View = Callable[..., Any]
Find = Callable[..., Record | None]
Present = Callable[..., Record]
Visible = Callable[[Caller], Clause]

_PERMISSION, _LOADER = "calendar_need", "calendar_find"


def authenticate_reads(app: Flask, base: str) -> None:
    """Reject invalid credentials on reads below ``base``, 404s included."""

    @app.before_request
    def authenticate() -> None:
        request = current.request()
        if request.method in ("GET", "HEAD") and f"{request.path}/".startswith(f"{base}/"):
            current.caller()


def declare_permission(action: Action, kind: Kind) -> Callable[[View], View]:
    """Annotate a view with the permission that it needs."""

    def annotate(view: View) -> View:
        vars(view)[_PERMISSION] = (action, kind.singular)
        return view

    return annotate


def declared_permission(view: View) -> tuple[Action, str] | None:
    """Return the action and kind that a view declares."""
    permission: tuple[Action, str] | None = vars(view).get(_PERMISSION)
    return permission


def require_permission(action: Action, kind: Kind) -> Callable[[View], View]:
    """Refuse unreadable bodies, and callers without the permission."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            current.sent_parameters()
            require_role(current.caller(), action, kind.singular)
            refuse_overrides()
            return view(*args, **kwargs)

        return declare_permission(action, kind)(checked)

    return decorate


def load_record(
    kind: Kind, present: Present | None = None, visible: Visible | None = None
) -> Callable[[View], View]:
    """Load the record of the path, and with ``present`` its presentation to the caller.

    Writes compare the body with the presentation. ``visible`` restricts records found by slug.
    """

    def find(**path: Any) -> Record | None:
        if "slug" in path:
            return find_by_slug(kind, path["slug"], visible)
        return current.reader().find(kind, path["id"])

    def decorate(view: View) -> View:
        @wraps(view)
        def looked_up(*args: Any, **kwargs: Any) -> Any:
            record = find(**kwargs)
            presented = _present_or_none(kind, record, present) if present and record else None
            current.set_target_record(record, presented)
            return view(*args, **kwargs)

        vars(looked_up)[_LOADER] = find
        return looked_up

    return decorate


def record_loader(view: View) -> Find | None:
    """Return the loader of a view's record, if it has one."""
    loader: Find | None = vars(view).get(_LOADER)
    return loader


def _present_or_none(kind: Kind, record: Record, present: Present) -> Record | None:
    """Present a record; return ``None`` if its languages are reported as invalid later."""
    try:
        return records.present_one(kind, record, present)
    except InvalidParameters:
        return None
