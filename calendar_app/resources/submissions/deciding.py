"""Decides about contributions, by the interface or at the desk, and tells their senders."""

from calendar_app.accounts.policy import SENDER
from calendar_app.calendar.submissions.submission import Submission
from calendar_app.domain.statuses import PENDING
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.query.clauses import equals
from calendar_app.query.list_query import Listing, Page, Window
from calendar_app.resources.submissions.letters import tell


def queue(number: int, size: int) -> Page:
    """Return a page of the queue, the longest waiting first."""
    listing = Listing(Window(number, size), [("_id", 1)], equals("author", SENDER.id), (PENDING,))
    return current.reader().search(EVENT, listing, current.caller())


def publish(event_id: int, revision: int | None = None) -> Submission:
    """Publish a contribution, if it is at ``revision`` still."""
    submissions = current.services().submissions
    contact = submissions.contact(event_id)
    submission = submissions.publish(event_id, current.caller(), current.language(), revision)
    tell(contact, submission)
    return submission


def ask(event_id: int, question: str) -> Submission:
    """Ask the sender something."""
    submissions = current.services().submissions
    submission = submissions.ask(event_id, current.caller(), question)
    tell(submissions.contact(event_id), submission)
    return submission


def reject(event_id: int, reason: str) -> Submission:
    """Refuse a contribution for a reason."""
    submissions = current.services().submissions
    contact = submissions.contact(event_id)
    submission = submissions.reject(event_id, current.caller(), reason)
    tell(contact, submission)
    return submission
