"""Serves the files of pictures, each at an address that nobody guesses and that never changes."""

import re

import flask
from flask import Response
from werkzeug.exceptions import NotFound as NoRoute
from werkzeug.wsgi import FileWrapper

from calendar_app.domain.files import StoredFile
from calendar_app.errors import NotFound
from calendar_app.http.answers.conditional import heed_conditions
from calendar_app.http.request import current
from calendar_app.resources.media.kind import MEDIA

# A picture never changes: another one gets another id, and thereby another address.
_KEPT = "public, max-age=31536000, immutable"
# As much as one piece of a file in the database.
_PIECE = 255 * 1024
# From one byte to another, from one on, or so many at the end.
_PART = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-[0-9]{1,18})", re.ASCII | re.IGNORECASE)

files = flask.Blueprint("files", __name__)


@files.route(f"/{MEDIA.name}/<digits:number>/<token>/<filename>")
def serve(number: int, token: str, filename: str) -> Response:
    """Hand out one file of a picture."""
    try:
        found = current.services().pictures.open(number, token, filename)
    except NotFound as error:
        raise NoRoute from error
    return _handed_out(found)


def _handed_out(found: StoredFile) -> Response:
    response = Response(
        FileWrapper(found.stream, _PIECE), mimetype=found.mime, direct_passthrough=True
    )
    response.content_length = found.size
    response.last_modified = found.stored
    response.set_etag(found.digest)
    response.headers["Cache-Control"] = _KEPT
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Disposition"] = "inline"
    divisible = found.size if _asks_for_one_part() else None
    heed_conditions(response, accept_ranges=True, complete_length=divisible)
    return response


def _asks_for_one_part() -> bool:
    """Say whether ``Range`` is one that is heeded; others count as not sent (RFC 9110 14.2)."""
    part = _PART.fullmatch(current.request().headers.get("Range", ""))
    if part is None:
        return False
    first, last = part.groups()
    return not last or int(first) <= int(last)
