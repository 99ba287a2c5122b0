"""The order of checks on writes, as decorators, and the first one on reads.

1 route and method, 2 the body, 3 who is calling, 4 may this role do such a thing, 5 the
parameters, 6 the record, 7 may the caller do it to this record. Of a read who is calling comes
first, and the others by themselves.
See ``docs/reference/interface.md``, section "Writing".
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask

from calendar_app.accounts.policy import Action, require_role
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import InvalidParameters
from calendar_app.http.request import current
from calendar_app.http.views.method_override import refuse_overrides

View = Callable[..., Any]
Find = Callable[..., Record | None]
Present = Callable[[Record], Record]

_NEED, _FIND = "calendar_need", "calendar_find"


def recognise_readers(app: Flask, base: str) -> None:
    """Refuse wrong credentials of whoever reads below ``base``, even where nothing is."""

    @app.before_request
    def recognise() -> None:
        asking = current.request()
        if asking.method in ("GET", "HEAD") and f"{asking.path}/".startswith(f"{base}/"):
            current.caller()


def needs(action: Action, kind: Kind) -> Callable[[View], View]:
    """Note on a view what its caller must be allowed to do; it is checked elsewhere."""

    def note(view: View) -> View:
        vars(view)[_NEED] = (action, kind.singular)
        return view

    return note


def needed(view: View) -> tuple[Action, str] | None:
    """Return the action and the kind of record that were noted on a view, if any were."""
    found: tuple[Action, str] | None = vars(view).get(_NEED)
    return found


def guarded(action: Action, kind: Kind) -> Callable[[View], View]:
    """Refuse what cannot be read, and callers whose role does not allow the action."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **named: Any) -> Any:
            current.sent_parameters()
            require_role(current.caller(), action, kind.singular)
            refuse_overrides()
            return view(*args, **named)

        return needs(action, kind)(checked)

    return decorate


def addressing(find: Find, present: Present | None = None) -> Callable[[View], View]:
    """Look up the record that the path names, and what its caller sees of it.

    The latter only where ``present`` is given, so that what is sent can be held against it.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def looked_up(*args: Any, **named: Any) -> Any:
            record = find(**named)
            current.address(record, _seen(record, present) if present and record else None)
            return view(*args, **named)

        vars(looked_up)[_FIND] = find
        return looked_up

    return decorate


def finding(view: View) -> Find | None:
    """Return what finds the record that the path of a view names, if it names one."""
    found: Find | None = vars(view).get(_FIND)
    return found


def _seen(record: Record, present: Present) -> Record | None:
    """Return what the caller sees; nothing in languages that are told with other parameters."""
    try:
        return present(record)
    except InvalidParameters:
        return None
