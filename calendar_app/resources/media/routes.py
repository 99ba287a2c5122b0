"""Pictures: uploads below the namespace, files at the root of the site."""

import flask
from flask import Response, request
from werkzeug.exceptions import NotFound as NoRoute
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.http import parse_options_header
from werkzeug.wsgi import FileWrapper

from calendar_app.access.policy import require_role
from calendar_app.domain.files import StoredFile
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.resources.media.kind import MEDIA
from calendar_app.resources.media.presentation import uploaded
from calendar_app.resources.media.schemas import UPLOAD_BODY, UploadedSchema
from calendar_app.rest import current
from calendar_app.rest.answers import answer
from calendar_app.rest.blueprint import Blueprint
from calendar_app.rest.guarding import needs

_FORM, _FIELD = "multipart/form-data", "file"
# A picture never changes: another one gets another id, and thereby another address.
_KEPT = "public, max-age=31536000, immutable"
# As much as one piece of a file in the database.
_PIECE = 255 * 1024

blueprint = Blueprint("media", __name__, description="Pictures")
files = flask.Blueprint("files", __name__)


@blueprint.route("/media", methods=["POST"])
@blueprint.doc(requestBody=dict(UPLOAD_BODY))
@blueprint.response(201, UploadedSchema)
@needs("create", MEDIA)
def upload() -> Response:
    """Take in a picture; its id is what ``image`` of the other records takes."""
    _check_head()
    current.leave_body_unread()
    require_role(current.caller(), "create", MEDIA.singular)
    # A picture has no language, but an unknown one is refused here as anywhere.
    current.language()
    data, filename = _sent_in_form() if request.mimetype == _FORM else _sent_bare()
    media = current.services().pictures.upload(data, filename, current.caller())
    return answer(uploaded(media, current.addresses().root), 201)


@files.route(f"/{MEDIA.name}/<digits:number>/<filename>")
def serve(number: int, filename: str) -> Response:
    """Hand out one file of a picture."""
    try:
        found = current.services().pictures.open(number, filename)
    except NotFound as error:
        raise NoRoute from error
    return _handed_out(found)


def _check_head() -> None:
    """Refuse what can be refused before the body is read."""
    limit = current.settings().max_upload
    # For bodies that do not say their length: reading stops there.
    request.max_content_length = limit
    if (request.content_length or 0) > limit:
        raise RequestEntityTooLarge
    if request.mimetype != _FORM and not request.mimetype.startswith("image/"):
        raise UnsupportedMediaType


def _sent_in_form() -> tuple[bytes, str]:
    sent = request.files.get(_FIELD)
    if sent is None:
        raise InvalidParameters(
            {_FIELD: Message("The form has no file in its field {name}.", name=_FIELD)}
        )
    return sent.read(), sent.filename or ""


def _sent_bare() -> tuple[bytes, str]:
    _, options = parse_options_header(request.headers.get("Content-Disposition"))
    return request.get_data(), options.get("filename", "")


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
    response.make_conditional(request.environ, accept_ranges=True, complete_length=found.size)
    return response
