"""Uploads of pictures: a bare file, or a form with a file."""

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
from calendar_app.http.request.parameters import MULTIPART, limit_body, read_body
from calendar_app.http.views.blueprint import Refused
from calendar_app.http.views.guarding import declare_permission
from calendar_app.kinds import MEDIA

View = Callable[..., Any]

_FIELD = "file"
_GENERIC_TYPES = (MULTIPART, "", "application/octet-stream")
# An encoded file name (RFC 8187) takes precedence over the plain one (RFC 6266).
_EXTENDED_NAME = re.compile(r";\s*(filename\*\s*=\s*[^;\s]+)", re.IGNORECASE)


def accept_upload(view: View) -> View:
    """Check an upload before reading its file; parameters come from query and form."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        _check_head()
        current.ignore_body()
        require_role(current.caller(), "create", MEDIA.singular)
        if request.mimetype == MULTIPART:
            current.read_upload_form()
        current.chain()
        return view(*args, **kwargs)

    return declare_permission("create", MEDIA)(checked)


def read_upload(changes: Record) -> Upload:
    """Return the uploaded file, with its texts."""
    if request.mimetype != MULTIPART:
        return Upload(read_body(request, current.settings().max_upload), _file_name(), changes)
    file = request.files.get(_FIELD)
    if file is None:
        raise InvalidParameters(
            {_FIELD: Message("The form has no file in its field {name}.", name=_FIELD)}
        )
    return Upload(file.read(), file.filename or "", changes)


def _check_head() -> None:
    limit_body(request, current.settings().max_upload)
    # The type is read from the file itself.
    if request.mimetype not in _GENERIC_TYPES and not request.mimetype.startswith("image/"):
        message = Message("The body must be a picture, or a form with a picture in it.")
        raise Refused(Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message))


def _file_name() -> str:
    """Return the file name of a bare upload, in UTF-8 or Latin-1."""
    header = request.headers.get("Content-Disposition", "")
    # WSGI decodes headers as Latin-1.
    with suppress(UnicodeError):
        header = header.encode("latin-1").decode()
    extended = _EXTENDED_NAME.search(header)
    _, options = parse_options_header(f"attachment; {extended[1]}" if extended else header)
    return options.get("filename", "")
