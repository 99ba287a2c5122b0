"""Contributions by people without an account: taken in, decided, and answered by letters."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import wraps
from secrets import token_urlsafe
from typing import Any, Protocol

from flask import Response

from calendar_app.accounts.callers import SENDER
from calendar_app.api.http.request import current
from calendar_app.api.http.request.bodies import limit_body
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.forms import MULTIPART
from calendar_app.api.http.views import records
from calendar_app.api.http.views.guarding import ViewFunction
from calendar_app.api.resources.media_files import preview_name, private_file
from calendar_app.calendar.pictures.rendering import check_head
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.calendar.submissions import (
    ASKED,
    PUBLISHED,
    REFUSED,
    Contact,
    SentEvent,
    Submission,
)
from calendar_app.changes.mail import Letter, Mailer, written
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import PENDING
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import local_text
from calendar_app.storage.query.clauses import equals
from calendar_app.storage.query.list_query import Listing, Page, Window

FIELD = "image"
_MEGABYTE = 1 << 20


def accept_picture(view: ViewFunction) -> ViewFunction:
    """Let a form have a picture, and be as large as one."""

    @wraps(view)
    def accepting(*args: Any, **kwargs: Any) -> Any:
        read_form(current.context())
        return view(*args, **kwargs)

    return accepting


def read_form(context: Context) -> None:
    """Read a form with files; every other body stays unread."""
    if context.request.mimetype == MULTIPART:
        limit_body(context.request, context.settings.max_upload)
        context.read_upload_form()


def sent_picture(context: Context) -> Upload | None:
    """Return the picture of the form, if it has one; raise ``InvalidParameters``."""
    request = context.request
    file = request.files.get(FIELD) if request.mimetype == MULTIPART else None
    if file is None:
        return None
    most = context.settings.max_upload
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


def preview(submission: Submission, context: Context) -> Response:
    """Return the picture of a contribution for those who see it before it is published."""
    pictures = context.services.submissions.pictures
    picture = pictures.of_event(submission.event) if submission.event else None
    if picture is None:
        raise NotFound("media")
    return private_file(picture, preview_name(picture), context)


_TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Receipt:
    """A contribution that was taken in, with the secret and the page of its sender."""

    submission: Submission
    token: str = field(repr=False)
    link: str = field(repr=False)


def new_token() -> str:
    """Return a secret for the sender of a contribution."""
    return token_urlsafe(_TOKEN_BYTES)


def receive(
    context: Context, sent: Record, language: str, token: str, picture: Upload | None = None
) -> Receipt:
    """Store a contribution within the limits; raise ``TooManySubmissions`` beyond."""
    changes = dict(sent)
    contact = Contact(changes.pop("contact_name", ""), changes.pop("contact_email", ""))
    changes.pop("consent", None)
    # Counted before it is stored: of many at once no more are stored than may be.
    _count(context)
    context.caller = SENDER
    with naming_the_field():
        submission = context.services.submissions.hand_in(
            _event(changes, picture), contact, language, token
        )
    context.caller = context.services.submissions.sender(submission)
    link = f"{context.addresses.site}/events/submit/sent/?token={token}"
    arrived = (_THANKS, _FOLLOW, link, _NOT_YOURS)
    if letter := _letter(context, contact, language, _ARRIVED, arrived):
        context.services.mailer.send_later(letter)
    return Receipt(submission, token, link)


def mend(
    context: Context, token: str, sent: Record, language: str, picture: Upload | None = None
) -> Submission:
    """Change a contribution; another picture counts as one more contribution."""
    if picture is not None:
        _count(context)
    submissions = context.services.submissions
    context.caller = submissions.sender(submissions.find(token))
    with naming_the_field():
        submission = submissions.mend(token, _event(sent, picture), language)
    context.caller = submissions.sender(submission)
    return submission


def answer_question(context: Context, token: str, text: str) -> Submission:
    """Add an answer of the sender, which counts as one more contribution."""
    _count(context)
    submissions = context.services.submissions
    submission = submissions.answer(token, text)
    context.caller = submissions.sender(submission)
    return submission


def _count(context: Context) -> None:
    context.services.submission_limit.take(context.request.remote_addr or "")


def _event(sent: Record, picture: Upload | None) -> SentEvent:
    changes = dict(sent)
    return SentEvent(changes, picture, changes.pop("alt_text", {}))


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
_ANSWER = Message("Answer at the link from our first e-mail, where you can also edit your event.")
_ARRIVED = Message("{site}: your event has arrived")
_THANKS = Message("Thank you. An event was sent to {site} with this address of e-mail.")
_FOLLOW = Message("At this link you can follow it, and edit it until it is published:")
_NOT_YOURS = Message("If you have sent nothing, ignore this e-mail.")


def _tell(context: Context, contact: Contact, submission: Submission) -> None:
    """Send the sender the question or the decision."""
    letter = _decision(context, contact, submission)
    if letter:
        context.services.mailer.send_later(letter)


def _decision(context: Context, contact: Contact, submission: Submission) -> Letter | None:
    """Return the letter of a question or a decision; ``None`` where none can be sent."""
    state, event = submission.state, submission.event
    if event is None or state not in _TEXTS:
        return None
    messages = {ASKED: submission.question, REFUSED: submission.reason, PUBLISHED: _page(event)}
    paragraphs = [
        *((Message(_GREETING.pattern, sender=contact.name),) if contact.name else ()),
        Message(_TEXTS[state].pattern, title=_title(event, submission.language)),
        messages[state],
        *((_ANSWER,) if state == ASKED else ()),
    ]
    return _letter(context, contact, submission.language, _SUBJECTS[state], paragraphs)


def _letter(
    context: Context, contact: Contact, language: str, subject: Message, paragraphs: Sequence[str]
) -> Letter | None:
    settings = context.settings
    if not context.services.mailer.enabled or not contact.email:
        return None
    chain = settings.chain(language or settings.default_language)
    return written(contact.email, subject, paragraphs, chain, site=settings.site_name)


def _title(event: Record, language: str) -> str:
    return local_text(event, "title", (language, *event["variants"])).text


def _page(event: Record) -> str:
    return ReadEvent(event, records.read_context({})).url


def queue(context: Context, number: int, size: int) -> Page:
    """Return a page of the queue, the longest waiting first."""
    listing = Listing(Window(number, size), [("_id", 1)], equals("author", SENDER.id), (PENDING,))
    return context.reader.search(EVENT, listing, context.caller)


def publish(context: Context, event_id: int, revision: int | None = None) -> Submission:
    """Publish a contribution, if it is at ``revision`` still."""
    submissions = context.services.submissions
    contact = submissions.contact(event_id)
    submission = submissions.publish(event_id, context.caller, context.language, revision)
    _tell(context, contact, submission)
    return submission


def publish_for_now(context: Context, event_id: int, revision: int | None) -> Submission:
    """Publish a contribution so that it can be taken back; its sender is told a little later."""
    submissions, language = context.services.submissions, context.language
    contact = submissions.contact(event_id)
    submission = submissions.publish(event_id, context.caller, language, revision, forget=False)
    letter = _decision(context, contact, submission)
    submissions.tell_later(event_id, asdict(letter) if letter else {})
    return submission


class LettersDue(Protocol):
    """Yields the letters about decisions that were not taken back for a while, each once."""

    def letters_due(self) -> Iterator[Record]: ...


def send_letters_due(decisions: LettersDue, mailer: Mailer) -> None:
    """Send the letters about decisions that were not taken back for a while."""
    for letter in decisions.letters_due():
        mailer.send(Letter(**letter))


def ask(context: Context, event_id: int, question: str) -> Submission:
    """Ask the sender something."""
    submissions = context.services.submissions
    submission = submissions.ask(event_id, context.caller, question)
    _tell(context, submissions.contact(event_id), submission)
    return submission


def reject(context: Context, event_id: int, reason: str) -> Submission:
    """Refuse a contribution for a reason."""
    submissions = context.services.submissions
    contact = submissions.contact(event_id)
    submission = submissions.reject(event_id, context.caller, reason)
    _tell(context, contact, submission)
    return submission
