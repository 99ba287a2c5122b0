"""Takes a contribution in, by the interface or by a page."""

from dataclasses import dataclass, field
from secrets import token_urlsafe

from calendar_app.accounts.policy import SENDER
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.calendar.submissions.submission import Contact, SentEvent, Submission
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.resources.submissions.letters import confirm
from calendar_app.resources.submissions.pictures import naming_the_field

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


def receive(sent: Record, language: str, token: str, picture: Upload | None = None) -> Receipt:
    """Store a contribution within the limits; raise ``TooManySubmissions`` beyond."""
    changes = dict(sent)
    contact = Contact(changes.pop("contact_name", ""), changes.pop("contact_email", ""))
    changes.pop("consent", None)
    # Counted before it is stored: of many at once no more are stored than may be.
    _count()
    current.act_as(SENDER)
    with naming_the_field():
        submission = current.services().submissions.hand_in(
            _event(changes, picture), contact, language, token
        )
    link = f"{current.addresses().site}/events/submit/sent/?token={token}"
    confirm(contact, language, link)
    return Receipt(submission, token, link)


def mend(token: str, sent: Record, language: str, picture: Upload | None = None) -> Submission:
    """Change a contribution; another picture counts as one more contribution."""
    if picture is not None:
        _count()
    current.act_as(SENDER)
    with naming_the_field():
        return current.services().submissions.mend(token, _event(sent, picture), language)


def _count() -> None:
    limit, address = current.services().submission_limit, current.request().remote_addr or ""
    limit.refuse_excess(address)
    limit.count(address)


def _event(sent: Record, picture: Upload | None) -> SentEvent:
    changes = dict(sent)
    return SentEvent(changes, picture, changes.pop("alt_text", {}))
