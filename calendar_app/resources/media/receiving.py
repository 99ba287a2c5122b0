"""A picture as it is sent: the bare file, or a form with a file in it."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from http import HTTPStatus
from typing import Any

from flask import request
from werkzeug.http import parse_options_header

from calendar_app.accounts.policy import require_role
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.errors.refusals import Refusal
from calendar_app.http.request import current
from calendar_app.http.request.bodies import bound_body, read_body
from calendar_app.http.request.forms import MULTIPART
from calendar_app.http.views.blueprint import Refused
from calendar_app.http.views.guarding import needs
from calendar_app.resources.media.kind import MEDIA

View = Callable[..., Any]

_FIELD = "file"
_UNSPECIFIC = (MULTIPART, "", "application/octet-stream")
# The name of a file in any language (RFC 8187); it goes before the plain one (RFC 6266).
_EXTENDED_NAME = re.compile(r";\s*(filename\*\s*=\s*[^;\s]+)", re.IGNORECASE)


def receiving(view: View) -> View:
    """Refuse what can be refused before the file is read; parameters stand beside the file."""

    @wraps(view)
    def checked(*args: Any, **named: Any) -> Any:
        _check_head()
        current.leave_body_unread()
        require_role(current.caller(), "create", MEDIA.singular)
        if request.mimetype == MULTIPART:
            current.take_form()
        current.chain()
        return view(*args, **named)

    return needs("create", MEDIA)(checked)


def received(changes: Record) -> Upload:
    """Return the file that was sent, with its texts."""
    if request.mimetype != MULTIPART:
        return Upload(read_body(request, current.settings().max_upload), _name(), changes)
    sent = request.files.get(_FIELD)
    if sent is None:
        raise InvalidParameters(
            {_FIELD: Message("The form has no file in its field {name}.", name=_FIELD)}
        )
    return Upload(sent.read(), sent.filename or "", changes)


def _check_head() -> None:
    bound_body(request, current.settings().max_upload)
    # The file itself says of which type it is.
    if request.mimetype not in _UNSPECIFIC and not request.mimetype.startswith("image/"):
        message = Message("The body must be a picture, or a form with a picture in it.")
        raise Refused(Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message))


def _name() -> str:
    """Return the file name of a bare upload; programs send it as UTF-8, seldom as Latin-1."""
    header = request.headers.get("Content-Disposition", "")
    # WSGI hands over every byte as one character.
    with suppress(UnicodeError):
        header = header.encode("latin-1").decode()
    extended = _EXTENDED_NAME.search(header)
    _, options = parse_options_header(f"attachment; {extended[1]}" if extended else header)
    return options.get("filename", "")
