"""Short notices on the page that follows a write."""

from typing import Literal

from calendar_app.desk import sessions
from calendar_app.desk.languages import message_text
from calendar_app.domain.kind import Record
from calendar_app.errors import Message, Unavailable
from calendar_app.http.request import current

Tone = Literal["done", "warning", "problem"]


def notify(message: str, tone: Tone = "done") -> None:
    """Show a notice on the next page of this session."""
    pattern = message.pattern if isinstance(message, Message) else message
    gaps = dict(message.gaps) if isinstance(message, Message) else {}
    notice = {"pattern": pattern, "gaps": gaps, "tone": tone}
    current.services().accounts.sessions.add_notice(sessions.session(), notice)


def take_notices() -> list[tuple[str, str]]:
    """Return tone and text of the notices that wait, each of them once."""
    session = sessions.find_session()
    if session is None or not session.notices:
        return []
    try:
        current.services().accounts.sessions.clear_notices(session)
    except Unavailable:  # They wait: the page that says so must be shown without the database.
        return []
    return [(notice["tone"], message_text(_message(**notice))) for notice in session.notices]


def _message(pattern: str, gaps: Record, tone: str) -> Message:
    del tone
    return Message(pattern, **gaps)


def notify_other_slug(sent: str, present: str) -> None:
    """Say that a record has another name in its address than was asked for."""
    changed = Message(
        "The name «{slug}» in the address is changed to «{present}».", slug=sent, present=present
    )
    notify(changed, "warning")
