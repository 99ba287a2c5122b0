"""Files of pictures: uploads, and permanent, unguessable addresses below the root of the site."""

import re
from contextlib import suppress
from functools import wraps
from http import HTTPStatus
from typing import Any

import flask
from flask import Request, Response
from werkzeug.exceptions import NotFound as NoRoute
from werkzeug.http import parse_options_header
from werkzeug.wsgi import FileWrapper

from calendar_app.accounts.policy import require_role
from calendar_app.api.http.answers.answering import make_conditional
from calendar_app.api.http.errors.refusals import Refusal
from calendar_app.api.http.request import current
from calendar_app.api.http.request.bodies import limit_body, read_body
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.forms import MULTIPART
from calendar_app.api.http.views.guarding import ViewFunction, declare_permission
from calendar_app.api.http.views.loading import Refused
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.domain.pictures import StoredFile
from calendar_app.errors import InvalidParameters, Message, NotFound

_FIELD = "file"
_GENERIC_TYPES = (MULTIPART, "", "application/octet-stream")
# An encoded file name (RFC 8187) takes precedence over the plain one (RFC 6266).
_EXTENDED_NAME = re.compile(r";\s*(filename\*\s*=\s*[^;\s]+)", re.IGNORECASE)


def accept_upload(view: ViewFunction) -> ViewFunction:
    """Check an upload before reading its file; parameters come from query and form."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        context = current.context()
        _check_head(context)
        context.ignore_body()
        require_role(context.caller, "create", MEDIA.singular)
        if context.request.mimetype == MULTIPART:
            context.read_upload_form()
        context.require_languages()
        return view(*args, **kwargs)

    return declare_permission("create", MEDIA)(checked)


def read_upload(changes: Record, context: Context) -> Upload:
    """Return the uploaded file, with its texts."""
    request = context.request
    if request.mimetype != MULTIPART:
        body = read_body(request, context.settings.max_upload)
        return Upload(body, _file_name(request), changes)
    file = request.files.get(_FIELD)
    if file is None:
        raise InvalidParameters(
            {_FIELD: Message("The form has no file in its field {name}.", name=_FIELD)}
        )
    return Upload(file.read(), file.filename or "", changes)


def _check_head(context: Context) -> None:
    request = context.request
    limit_body(request, context.settings.max_upload)
    # The type is read from the file itself.
    if request.mimetype not in _GENERIC_TYPES and not request.mimetype.startswith("image/"):
        message = Message("The body must be a picture, or a form with a picture in it.")
        raise Refused(Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message))


def _file_name(request: Request) -> str:
    """Return the file name of a bare upload, in UTF-8 or Latin-1."""
    header = request.headers.get("Content-Disposition", "")
    # WSGI decodes headers as Latin-1.
    with suppress(UnicodeError):
        header = header.encode("latin-1").decode()
    extended = _EXTENDED_NAME.search(header)
    _, options = parse_options_header(f"attachment; {extended[1]}" if extended else header)
    return options.get("filename", "")


# A changed picture has another id, and therefore another address.
_CACHE_CONTROL = "public, max-age=31536000, immutable"
# The chunk size of GridFS.
_CHUNK_SIZE = 255 * 1024
# A range, an open range, or a suffix range.
_RANGE = re.compile(
    r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-[0-9]{1,18})", re.ASCII | re.IGNORECASE
)

files = flask.Blueprint("files", __name__)


@files.route(f"/{MEDIA.name}/<digits:number>/<token>/<filename>")
def serve(number: int, token: str, filename: str) -> Response:
    """Serve one file of a picture."""
    try:
        file = current.context().services.pictures.open(number, token, filename)
    except NotFound as error:
        raise NoRoute from error
    return file_response(file)


def private_file(picture: Record, filename: str, context: Context) -> Response:
    """Return a file of a picture to somebody who may see it before everybody does."""
    pictures = context.services.pictures
    file = pictures.open(picture["_id"], picture["token"], filename, withheld=True)
    response = file_response(file)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def preview_name(picture: Record) -> str:
    """Return the file of a picture that fits on a page."""
    size = picture["sizes"].get("large")
    return str(size["filename"] if size else picture["filename"])


def file_response(file: StoredFile) -> Response:
    response = Response(
        FileWrapper(file.stream, _CHUNK_SIZE), mimetype=file.mime, direct_passthrough=True
    )
    response.content_length = file.size
    response.last_modified = file.stored
    response.set_etag(file.digest)
    response.headers["Cache-Control"] = _CACHE_CONTROL
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Disposition"] = "inline"
    range_length = file.size if _is_single_range() else None
    make_conditional(response, accept_ranges=True, complete_length=range_length)
    return response


def _is_single_range() -> bool:
    """Return whether ``Range`` has one valid part; others are ignored (RFC 9110 14.2)."""
    byte_range = _RANGE.fullmatch(current.context().request.headers.get("Range", ""))
    if byte_range is None:
        return False
    first, last = byte_range.groups()
    return not last or int(first) <= int(last)
