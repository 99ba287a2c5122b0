"""Files of forms: read up to the limit, and stored as pictures."""

from flask import request
from werkzeug.datastructures import FileStorage

from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Record
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.http.errors.refusals import refusal_of
from calendar_app.http.request import current

_FILE = "image_file"
# A picture out of those that are here already.
_PICK, _NONE = "image_pick", "0"
_MEGABYTE = 1 << 20


def received_image(image: str, language: str, texts: Record | None = None) -> tuple[str, str]:
    """Return the picture that a form names, and why another one is refused.

    A new one is stored at once, so that the form names it, whatever else is refused.
    """
    sent = request.form
    picked = sent.get(_PICK, _NONE)
    image = "" if sent.get("image_remove") else image if picked == _NONE else picked
    file = request.files.get(_FILE)
    if file is None or not file.filename:
        return image, ""
    try:
        upload = read_upload(file, texts or {})
        picture = current.services().pictures.upload(upload, current.caller(), language)
    except InvalidParameters as error:
        return image, next(iter(error.reasons.values()))
    except CalendarError as error:
        return image, refusal_of(error).message
    return str(picture["_id"]), ""


def read_upload(file: FileStorage, changes: Record) -> Upload:
    """Return a file of a form; raise ``InvalidParameters`` where it is too large."""
    most = current.settings().max_upload
    data = file.stream.read(most + 1)
    file.close()
    if len(data) > most:
        reason = Message("The picture has more than {most} MB.", most=most // _MEGABYTE)
        raise InvalidParameters({"file": reason})
    return Upload(data, file.filename or "", changes)
