"""The order of checks on writes, as decorators; the reads' come by themselves.

1 route and method, 2 the body, 3 who is calling, 4 may this role do such a thing, 5 the
parameters, 6 the record, 7 may the caller do it to this record.
See ``docs/reference/interface.md``, section "Writing".
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from calendar_app.access.policy import Action, require_role
from calendar_app.domain.kind import Kind, Record
from calendar_app.rest import current

View = Callable[..., Any]
Find = Callable[..., Record | None]
Present = Callable[[Record], Record]


def guarded(action: Action, kind: Kind) -> Callable[[View], View]:
    """Refuse what cannot be read, and callers whose role does not allow the action."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **named: Any) -> Any:
            current.sent_parameters()
            require_role(current.caller(), action, kind.singular)
            current.chain()
            return view(*args, **named)

        return checked

    return decorate


def addressing(find: Find, present: Present) -> Callable[[View], View]:
    """Look up the record that the path names, so that what is sent can be held against it."""

    def decorate(view: View) -> View:
        @wraps(view)
        def looked_up(*args: Any, **named: Any) -> Any:
            record = find(**named)
            if record is not None:
                current.addressed(record, present(record))
            return view(*args, **named)

        return looked_up

    return decorate
