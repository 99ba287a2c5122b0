"""The header ``Idempotency-Key``: a repeated write runs once.

Errors are replayed too, except transient ones.
"""

import hashlib
from collections.abc import Callable, Iterator
from http import HTTPStatus

from flask import Request, Response, current_app
from flask.typing import ResponseReturnValue

from calendar_app.calendar.writing.idempotency import KeyedRequest, StoredAnswer
from calendar_app.errors import (
    IdempotencyKeyInUse,
    IdempotencyKeyReused,
    InvalidParameters,
    Message,
)
from calendar_app.http.request import current
from calendar_app.http.request.forms import MULTIPART
from calendar_app.http.views.allow_header import set_allow_header

View = Callable[[], ResponseReturnValue]

_HEADER = "Idempotency-Key"
_REPLAYED = "Idempotency-Replayed"
_LONGEST = 255
_TRANSIENT = (HTTPStatus.UNAUTHORIZED, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)


def run_once(view: View) -> ResponseReturnValue:
    """Run a view that writes, or replay its stored response to the same key."""
    request = current.request()
    if _HEADER not in request.headers or not current.caller().known:
        return view()
    keyed_request = KeyedRequest(
        current.caller().id, _idempotency_key(request), _fingerprint(request)
    )
    writes = current.services().idempotent_writes
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
    # Clients choose a new boundary when they resend a form.
    for name, value in request.form.items(multi=True):
        yield from (name.encode(), value.encode())
    for name, file in request.files.items(multi=True):
        yield from (name.encode(), (file.filename or "").encode(), file.read())
        file.seek(0)


def _answer(view: View) -> StoredAnswer:
    current.begin_attempt()
    return _stored(_complete(current_app.make_response(view())))


def _complete(response: Response) -> Response:
    """Add the headers that a replay, which loads no record, cannot compute."""
    language = current.resolved_language()
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
