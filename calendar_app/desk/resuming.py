"""Keeps the fields of a form that came after its session had ended."""

from collections.abc import Iterable

from flask import Response

from calendar_app.desk.csrf import FIELD
from calendar_app.desk.rendering import render
from calendar_app.http.request import current

# In front of the names of fields that wait behind the login form.
_PREFIX = "kept:"
_FORBIDDEN = 403
Pairs = list[tuple[str, str]]


def sent_fields() -> Pairs:
    """Return the fields of the form that was sent, as they go behind a login form."""
    sent = current.request().form.items(multi=True)
    return [(f"{_PREFIX}{name}", text) for name, text in sent if name != FIELD]


def kept_fields() -> Pairs:
    """Return the fields behind a login form, as they stood there."""
    sent = current.request().form.items(multi=True)
    return [(name, text) for name, text in sent if name.startswith(_PREFIX)]


def resume(path: str, fields: Iterable[tuple[str, str]], status: int = 200) -> Response:
    """Show a form of an earlier session, to be sent again in this one."""
    own = [(name.removeprefix(_PREFIX), text) for name, text in fields]
    return render("resume.html", status, action=path, fields=own)


def resume_sent() -> Response:
    """Let the form that was sent be sent again, with the token of this session."""
    return resume(current.request().full_path.rstrip("?"), sent_fields(), _FORBIDDEN)
