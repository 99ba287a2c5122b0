"""Letters to the sender of a contribution, where mail is set.

The first one goes to an address that nobody has checked, so it repeats nothing that was sent.
"""

from collections.abc import Sequence

from calendar_app.calendar.submissions.submission import (
    ASKED,
    PUBLISHED,
    REFUSED,
    Contact,
    Submission,
)
from calendar_app.content.messages import translated
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.kinds import EVENT
from calendar_app.mail import Letter
from calendar_app.presentation.events import present_event as present

_SUBJECTS = {
    ASKED: Message("{site}: a question about your event"),
    PUBLISHED: Message("{site}: your event is published"),
    REFUSED: Message("{site}: your event is not published"),
}
_TEXTS = {
    ASKED: Message("We have a question about “{title}”:"),
    PUBLISHED: Message("“{title}” is in the calendar now:"),
    REFUSED: Message("“{title}” is not published in the calendar. The reason:"),
}
_GREETING = Message("Dear {sender}")
_ANSWER = Message("Answer by mending your event at the link from our first letter.")
_ARRIVED = Message("{site}: your event has arrived")
_THANKS = Message("Thank you. An event was sent to {site} with this address of e-mail.")
_FOLLOW = Message("At this link you see what becomes of it, and can mend it until it is published:")
_NOT_YOURS = Message("If you have sent nothing, ignore this letter.")


def confirm(contact: Contact, language: str, link: str) -> None:
    """Send the sender's link."""
    _send(contact, language, _ARRIVED, (_THANKS, _FOLLOW, link, _NOT_YOURS))


def tell(contact: Contact, submission: Submission) -> None:
    """Send the sender the question or the decision."""
    state, event = submission.state, submission.event
    if event is None or state not in _TEXTS:
        return
    said = {ASKED: submission.question, REFUSED: submission.reason, PUBLISHED: _page(event)}
    paragraphs = [
        *((Message(_GREETING.pattern, sender=contact.name),) if contact.name else ()),
        Message(_TEXTS[state].pattern, title=_title(event, submission.language)),
        said[state],
        *((_ANSWER,) if state == ASKED else ()),
    ]
    _send(contact, submission.language, _SUBJECTS[state], paragraphs)


def _send(contact: Contact, language: str, subject: Message, paragraphs: Sequence[str]) -> None:
    mailer = current.services().mailer
    if not mailer.enabled or not contact.email:
        return
    chain = current.settings().chain(language or current.settings().default_language)
    site = current.settings().site_name

    def text(part: str) -> str:
        if not isinstance(part, Message):
            return part
        return str(translated(Message(part.pattern, **{"site": site, **part.gaps}), chain))

    body = "\n\n".join(map(text, paragraphs)) + "\n"
    mailer.send_later(Letter(contact.email, text(subject), body))


def _title(event: Record, language: str) -> str:
    variants = event["variants"]
    titles = (variants.get(tag, {}).get("title") for tag in (language, *variants))
    return decoded(next((title for title in titles if title), ""))


def _page(event: Record) -> str:
    return str(present(event, records.view_of(EVENT, [event]))["url"])
