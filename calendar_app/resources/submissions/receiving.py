"""Takes a contribution in, by the interface or by a page."""

from dataclasses import dataclass
from secrets import token_urlsafe

from calendar_app.accounts.caller import SENDER
from calendar_app.calendar.submissions.submission import Contact, Submission
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.resources.submissions.letters import confirm

_TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Receipt:
    """A contribution that was taken in, with the secret and the page of its sender."""

    submission: Submission
    token: str
    link: str


def new_token() -> str:
    """Return a secret for the sender of a contribution."""
    return token_urlsafe(_TOKEN_BYTES)


def receive(sent: Record, language: str, token: str) -> Receipt:
    """Store a contribution within the limits; raise ``TooManySubmissions`` beyond."""
    services, address = current.services(), current.request().remote_addr or ""
    services.submission_limit.refuse_excess(address)
    changes = dict(sent)
    contact = Contact(changes.pop("contact_name", ""), changes.pop("contact_email", ""))
    changes.pop("consent", None)
    # Counted before it is stored: of many at once no more are stored than may be.
    services.submission_limit.count(address)
    current.act_as(SENDER)
    submission = services.submissions.hand_in(changes, contact, language, token)
    link = f"{current.addresses().site}/events/submit/sent/?token={token}"
    confirm(contact, language, link)
    return Receipt(submission, token, link)
