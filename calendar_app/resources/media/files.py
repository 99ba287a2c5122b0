"""Picture files at permanent, unguessable addresses below the root of the site."""

import re

import flask
from flask import Response
from werkzeug.exceptions import NotFound as NoRoute
from werkzeug.wsgi import FileWrapper

from calendar_app.domain.kind import Record
from calendar_app.domain.pictures import StoredFile
from calendar_app.errors import NotFound
from calendar_app.http.answers.answering import make_conditional
from calendar_app.http.request import current
from calendar_app.kinds import MEDIA

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
        file = current.services().pictures.open(number, token, filename)
    except NotFound as error:
        raise NoRoute from error
    return file_response(file)


def private_file(picture: Record, filename: str) -> Response:
    """Return a file of a picture to somebody who may see it before everybody does."""
    pictures = current.services().pictures
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
    byte_range = _RANGE.fullmatch(current.request().headers.get("Range", ""))
    if byte_range is None:
        return False
    first, last = byte_range.groups()
    return not last or int(first) <= int(last)
