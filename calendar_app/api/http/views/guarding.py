"""The order of checks on requests, as decorators.

Writes: 1 route and method, 2 body, 3 credentials, 4 role, 5 parameters, 6 record, 7 rights on the
record. Reads check the credentials first.
See ``docs/reference/writing.md``.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from flask import abort

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import Action, require_role
from calendar_app.api.http.answers.answering import redirect_permanently
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import is_reserved
from calendar_app.domain.slugs import shown_slug, slug_in_path
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters, Message, NotFound, WrongKind
from calendar_app.storage.query.clauses import Clause

ViewFunction = Callable[..., Any]

# Refuse method overrides that would turn a change into another operation.

# These methods are one operation.
_CHANGING = ("POST", "PUT", "PATCH")
_HEADER, _PARAMETER = "X-HTTP-Method-Override", "_method"


def refuse_overrides() -> None:
    """Refuse a change that is overridden to another method, for example DELETE."""
    request = current.context().request
    if request.method not in _CHANGING:
        return
    overrides = {_HEADER: request.headers.get(_HEADER), _PARAMETER: request.args.get(_PARAMETER)}
    reasons = {
        name: Message("Send the request itself with the method {method}.", method=method)
        for name, method in overrides.items()
        if method and method.upper() not in _CHANGING
    }
    if reasons:
        raise InvalidParameters(reasons)


def managed(require: Callable[[Caller], None]) -> Callable[[ViewFunction], ViewFunction]:
    """Refuse unreadable bodies, and the callers that ``require`` refuses."""

    def guard(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            context = current.context()
            context.sent  # noqa: B018  # Reads the body.
            require(context.caller)
            refuse_overrides()
            return view(*args, **kwargs)

        return checked

    return guard


# The record that the path of a request names.


def find_by_slug(
    kind: Kind, slug: str, visible: Callable[[Caller], Clause] | None = None
) -> Record | None:
    """Return the record of a slug, if the caller may read it or ``visible`` matches it."""
    context = current.context()
    caller = context.caller
    clause = visible(caller) if visible else readable(kind, caller)
    return context.reader.find_by_slug(kind, slug_in_path(slug), context.chain, clause)


def existing(kind: Kind, other_kinds: Iterable[Kind] = (), *, write: bool = False) -> Record:
    """Return the record of the path, or raise the error that the reference sends.

    An unknown event is 404, anything else 400; an unknown slug is 400, but 404 when writing.
    """
    context = current.context()
    if context.record is not None:
        existing_record: Record = context.record
        return existing_record
    path = context.path_arguments
    if "slug" in path:
        if context.is_read:
            _redirect_former(kind, path["slug"], context)
        if write and kind.singular == "event":
            raise NotFound("event", slug=path["slug"])
        raise InvalidParameters(
            {"slug": Message("There is no {kind} with this slug.", kind=kind.singular)}
        )
    record_id = path["id"]
    if kind.singular == "event" and (
        is_reserved(kind.sequence, record_id)
        or context.reader.exists_elsewhere(other_kinds, record_id)
    ):
        raise WrongKind("event")
    raise NotFound(kind.singular, record_id)


def redirect_united(kind: Kind) -> None:
    """Redirect from the id of a record that was united with another one to that one."""
    context = current.context()
    record_id = context.path_arguments.get("id")
    if record_id is None or (context.record and context.record.get("status") != TRASH):
        return
    targets = context.reader.united_into(kind, [record_id], context.caller)
    if record_id in targets:
        address = context.addresses.record(kind.name, targets[record_id])
        _redirect(address, context)


def _redirect(address: str, context: Context) -> None:
    """Redirect for good, with the query of the request."""
    query = context.request.query_string.decode("ascii", "replace")
    abort(redirect_permanently(f"{address}?{query}" if query else address))


def _redirect_former(kind: Kind, slug: str, context: Context) -> None:
    """Redirect from a former slug of a record to its present one."""
    slug = slug_in_path(slug)
    present = context.reader.moved_to(kind, slug, context.chain, context.caller)
    if present is None:
        return
    request = context.request
    # The suffix behind the slug is the format of a feed.
    suffix = request.url_rule.rule.rpartition(">")[2].rstrip("/") if request.url_rule else ""
    address = f"{context.addresses.collection(kind.name)}/by-slug/{shown_slug(present)}{suffix}"
    _redirect(address, context)


FindRecord = Callable[..., Record | None]
PresentRecord = Callable[..., Record]
Visible = Callable[[Caller], Clause]

_PERMISSION, _LOADER = "calendar_need", "calendar_find"


def declare_permission(action: Action, kind: Kind) -> Callable[[ViewFunction], ViewFunction]:
    """Annotate a view with the permission that it needs."""

    def annotate(view: ViewFunction) -> ViewFunction:
        vars(view)[_PERMISSION] = (action, kind.singular)
        return view

    return annotate


def declared_permission(view: ViewFunction) -> tuple[Action, str] | None:
    """Return the action and kind that a view declares."""
    permission: tuple[Action, str] | None = vars(view).get(_PERMISSION)
    return permission


def require_permission(action: Action, kind: Kind) -> Callable[[ViewFunction], ViewFunction]:
    """Refuse unreadable bodies, and callers without the permission."""

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            context = current.context()
            context.sent  # noqa: B018  # Reads the body.
            require_role(context.caller, action, kind.singular)
            refuse_overrides()
            return view(*args, **kwargs)

        return declare_permission(action, kind)(checked)

    return decorate


def load_record(
    kind: Kind, present: PresentRecord | None = None, visible: Visible | None = None
) -> Callable[[ViewFunction], ViewFunction]:
    """Load the record of the path, and with ``present`` its presentation to the caller.

    Writes compare the body with the presentation. ``visible`` restricts records found by slug.
    """

    def find(**path: Any) -> Record | None:
        if "slug" in path:
            return find_by_slug(kind, path["slug"], visible)
        return current.context().reader.find(kind, path["id"])

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def looked_up(*args: Any, **kwargs: Any) -> Any:
            context = current.context()
            context.record = record = find(**kwargs)
            context.presented = (
                _present_or_none(kind, record, present) if present and record else None
            )
            return view(*args, **kwargs)

        vars(looked_up)[_LOADER] = find
        return looked_up

    return decorate


def record_loader(view: ViewFunction) -> FindRecord | None:
    """Return the loader of a view's record, if it has one."""
    loader: FindRecord | None = vars(view).get(_LOADER)
    return loader


def _present_or_none(kind: Kind, record: Record, present: PresentRecord) -> Record | None:
    """Present a record; return ``None`` if its languages are reported as invalid later."""
    try:
        view = records.view_of(kind, [record], current.context().linked_records)
        return present(record, view)
    except InvalidParameters:
        return None
