"""Base of resource views: reads in one snapshot, writes run once, methods in ``Allow``."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, TypeVar

from flask import Request, Response, current_app, views
from flask.typing import ResponseReturnValue

from calendar_app.accounts.callers import ANYONE, Caller, Right
from calendar_app.accounts.policy import (
    Action,
    has_owner,
    may_delete,
    may_edit,
    may_read,
    role_allows,
)
from calendar_app.api.http.request import current
from calendar_app.api.http.request.forms import MULTIPART
from calendar_app.api.http.views.guarding import declared_permission, record_loader
from calendar_app.calendar.writing.attempts import KeyedRequest, StoredAnswer
from calendar_app.domain.kind import Record
from calendar_app.errors import (
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    InvalidParameters,
    Message,
)

# The header ``Allow``: the methods that the caller may use on this route.
#
# For a loaded record it depends on the author too, otherwise on the role alone.

Permissions = Mapping[str, tuple[Action, str] | None]

_METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")
_MOST = 1000  # of routes and roles


def set_allow_header(response: Response) -> Response:
    """Add ``Allow``, if a route matched and the caller is known."""
    context = current.context()
    caller, rule = context.known_caller, context.request.url_rule
    if rule is not None and caller is not None and "Allow" not in response.headers:
        view = current_app.view_functions[rule.endpoint]
        permitted = _permitted(view, frozenset(rule.methods or ()), caller.role)
        methods = [
            method
            for method, permission in permitted.items()
            if _is_permitted(caller, permission, context.record)
        ]
        response.headers["Allow"] = ", ".join(methods)
    return response


def load_owned_record(caller: Caller) -> None:
    """Load the record of an OPTIONS request, if its author matters.

    A record that the caller may not read counts as missing.
    """
    context = current.context()
    rule = context.request.url_rule
    view = current_app.view_functions[rule.endpoint] if rule else None
    resource: Any = getattr(view, "view_class", None)
    permission = declared_permission(resource.post) if hasattr(resource, "post") else None
    if permission is None or not has_owner(permission[1]) or not role_allows(caller, *permission):
        return
    find = None if caller.may(Right.EDIT_OTHERS) else record_loader(resource.post)
    record = find(**context.path_arguments) if find else None
    # Pictures have no status: uploaders see all of them.
    if record is not None and ("status" not in record or may_read(caller, record)):
        context.record = record


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


# The header ``Idempotency-Key``: a repeated write runs once.
#
# Errors are replayed too, except transient ones.

BoundView = Callable[[], ResponseReturnValue]

_HEADER = "Idempotency-Key"
_REPLAYED = "Idempotency-Replayed"
_LONGEST = 255
_TRANSIENT = (HTTPStatus.UNAUTHORIZED, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)


def run_once(view: BoundView) -> ResponseReturnValue:
    """Run a view that writes, or replay its stored response to the same key."""
    context = current.context()
    request = context.request
    if _HEADER not in request.headers or not context.caller.known:
        return view()
    key, fingerprint = _idempotency_key(request), _fingerprint(request)
    keyed_request = KeyedRequest(context.caller.id, key, fingerprint)
    writes = context.services.idempotent_writes
    try:
        answer = writes.run(keyed_request, lambda: _answer(view))
        return _replayed(writes.answer(keyed_request)) if answer is None else _response(answer)
    except (IdempotencyKeyInUse, IdempotencyKeyReused):
        raise
    except Exception as error:  # noqa: BLE001  # Flask has a handler for each.
        response = _complete(current_app.make_response(current_app.handle_user_exception(error)))
        if _is_final(response.status_code):
            writes.store(keyed_request, _stored(response))
        return response


def _idempotency_key(request: Request) -> str:
    key = request.headers[_HEADER]
    if not 0 < len(key) <= _LONGEST:
        reason = Message("{name} has 1 to {longest} characters.", name=_HEADER, longest=_LONGEST)
        raise InvalidParameters({_HEADER: reason})
    return key


def _fingerprint(request: Request) -> str:
    digest = hashlib.sha256()
    for part in _hashed_parts(request):
        digest.update(b"%d:%s" % (len(part), part))
    return digest.hexdigest()


def _hashed_parts(request: Request) -> Iterator[bytes]:
    """Yield all parts of a request that a write depends on."""
    head = (
        request.method,
        request.script_root,
        request.path,
        request.headers.get("If-Match", ""),
    )
    yield from (text.encode() for text in head)
    yield request.query_string
    if request.mimetype != MULTIPART:
        yield request.get_data()
        return
    # Clients choose a new boundary when they resend a form. A part may come without a name.
    for name, value in request.form.items(multi=True):
        yield from ((name or "").encode(), value.encode())
    for name, file in request.files.items(multi=True):
        yield from ((name or "").encode(), (file.filename or "").encode(), file.read())
        file.seek(0)


def _answer(view: BoundView) -> StoredAnswer:
    current.context().begin_attempt()
    return _stored(_complete(current_app.make_response(view())))


def _complete(response: Response) -> Response:
    """Add the headers that a replay, which loads no record, cannot compute."""
    language = current.context().resolved_language
    if language:
        response.headers.setdefault("Content-Language", language)
    return set_allow_header(response)


def _stored(response: Response) -> StoredAnswer:
    return StoredAnswer(response.status_code, tuple(response.headers), response.get_data())


def _response(answer: StoredAnswer) -> Response:
    return Response(answer.body, answer.status, list(answer.headers))


def _replayed(answer: StoredAnswer) -> Response:
    response = _response(answer)
    response.headers[_REPLAYED] = "true"
    return response


def _is_final(status: int) -> bool:
    """Return whether a repeated request would fail again."""
    client_error = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    return client_error and status not in _TRANSIENT


T = TypeVar("T")


class ResourceView(views.MethodView):
    """A method view; reads use one snapshot, writes are idempotent."""

    # Views have no state.
    init_every_request = False

    def dispatch_request(self, **path: Any) -> ResponseReturnValue:
        dispatch = super().dispatch_request
        if current.context().is_read:
            return in_snapshot(lambda: dispatch(**path))
        return run_once(lambda: dispatch(**path))


def in_snapshot(view: Callable[[], T]) -> T:
    """Run a read-only view in one snapshot, and record its edition where the answer may be kept."""
    context = current.context()

    def read() -> T:
        response = view()
        if context.exchange.has_cache:
            context.exchange.edition = context.reader.edition()
        return response

    return context.reader.in_snapshot(read)
