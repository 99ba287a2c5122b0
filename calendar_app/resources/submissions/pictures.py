"""The picture of a contribution: sent with the form, and shown to its sender and to editors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from flask import Response

from calendar_app.calendar.pictures.rendering import check_head
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.calendar.submissions.submission import Submission
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.http.request import current
from calendar_app.http.request.parameters import MULTIPART, limit_body
from calendar_app.resources.media.files import preview_name, private_file

FIELD = "image"
_MEGABYTE = 1 << 20
View = Callable[..., Any]


def accept_picture(view: View) -> View:
    """Let a form have a picture, and be as large as one."""

    @wraps(view)
    def accepting(*args: Any, **kwargs: Any) -> Any:
        read_form()
        return view(*args, **kwargs)

    return accepting


def read_form() -> None:
    """Read a form with files; every other body stays unread."""
    request = current.request()
    if request.mimetype == MULTIPART:
        limit_body(request, current.settings().max_upload)
        current.read_upload_form()


def sent_picture() -> Upload | None:
    """Return the picture of the form, if it has one; raise ``InvalidParameters``."""
    request = current.request()
    file = request.files.get(FIELD) if request.mimetype == MULTIPART else None
    if file is None:
        return None
    most = current.settings().max_upload
    data = file.stream.read(most + 1)
    # Browsers send a field without a file as one that is empty and has no name.
    if not data and not file.filename:
        return None
    if len(data) > most:
        reason = Message("The picture has more than {most} MB.", most=most // _MEGABYTE)
        raise InvalidParameters({FIELD: reason})
    with naming_the_field():
        check_head(data)
    return Upload(data, file.filename or "")


@contextmanager
def naming_the_field() -> Iterator[None]:
    """Let a refused file be named as the form names it."""
    try:
        yield
    except InvalidParameters as error:
        reasons = {FIELD if name == "file" else name: why for name, why in error.reasons.items()}
        raise InvalidParameters(reasons) from error


def preview(submission: Submission) -> Response:
    """Return the picture of a contribution for those who see it before it is published."""
    pictures = current.services().submissions.pictures
    picture = pictures.of_event(submission.event) if submission.event else None
    if picture is None:
        raise NotFound("media")
    return private_file(picture, preview_name(picture))
