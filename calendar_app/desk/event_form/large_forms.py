"""Forms that are too large for the interface: read all the same, and refused beside the field."""

from calendar_app.desk import sessions
from calendar_app.desk.addresses import PREFIX
from calendar_app.desk.event_form.values import Values
from calendar_app.desk.routing import blueprint
from calendar_app.errors import Message
from calendar_app.http.request import current

# A picture from a camera and a pasted book; what is larger ends the whole request.
_MOST = 256 << 20
_MOST_TEXT = 32 << 20
_MEGABYTE = 1 << 20
_FOLDERS = (f"{PREFIX}/events/", f"{PREFIX}/series/")
_LONG_TEXTS = ("description", "excerpt")


@blueprint.before_request
def admit_large_form() -> None:
    """Let users who are logged in send a large form of an event.

    Its files go to the disk while they are read.
    """
    request = current.request()
    token = request.cookies.get(sessions.COOKIE, "")
    if request.method != "POST" or not request.path.startswith(_FOLDERS) or not token:
        return
    if (request.content_length or 0) <= current.settings().max_body:
        return
    if current.services().accounts.sessions.find(token):
        request.max_content_length = max(_MOST, current.settings().max_upload)
        request.max_form_memory_size = _MOST_TEXT


def too_long(values: Values) -> dict[str, str]:
    """Return the texts that are longer than the interface takes, with the reason."""
    most = current.settings().max_body
    reason = Message("The text is too long: at most {most} MB.", most=max(most // _MEGABYTE, 1))
    return {name: reason for name in _LONG_TEXTS if len(values[name].encode()) > most}
