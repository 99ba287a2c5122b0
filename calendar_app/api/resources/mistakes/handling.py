"""Mistakes that readers report: taken in within limits, and answered by letters."""

from collections.abc import Sequence
from dataclasses import asdict

from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.calendar.mistakes import CORRECTED, MistakeReport, SentReport
from calendar_app.changes.mail import Letter, written
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.errors import Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import local_text

LONGEST_REPORT = 2_000
LONGEST_EMAIL = 254
_SUBJECT = Message("{site}: the mistake that you have reported")
_CORRECTED = Message("Thank you. We have corrected “{title}”:")
_NO_MISTAKE = Message("Thank you. We have looked at “{title}”, and found no mistake:")


def takes_reports(event: Record) -> bool:
    """Say whether everybody can read an event, and so report mistakes in it."""
    return event["status"] == PUBLISH and event["password"] is None


def receive(context: Context, report: SentReport, token: str) -> None:
    """Store a report within the limits; raise ``TooManyReports`` beyond."""
    # Counted before it is stored: of many at once no more are stored than may be.
    context.services.report_limit.take(context.request.remote_addr or "")
    context.services.mistakes.take_in(report, token)


def answer(context: Context, report: MistakeReport, state: str, words: str = "") -> bool:
    """Decide about a report; the reader is told a little later, with the editor's ``words``.

    Returns whether nobody else has decided before.
    """
    letter = _letter(context, report, state, words)
    return context.services.mistakes.answer(report, state, asdict(letter) if letter else None)


def is_answered_by_mail(context: Context, report: MistakeReport) -> bool:
    """Say whether a reader is told of the answer: only if everybody still sees the event."""
    is_public = report.event is not None and report.event["status"] == PUBLISH
    return is_public and context.services.mailer.enabled and bool(report.email)


def _letter(context: Context, report: MistakeReport, state: str, words: str) -> Letter | None:
    """Return the answer to a reader; ``None`` where none can be sent."""
    settings, event = context.settings, report.event
    # What is public no more is not named to a stranger.
    if event is None or not is_answered_by_mail(context, report):
        return None
    language = report.language or settings.default_language
    title = local_text(event, "title", (language, *event["variants"])).text
    text = _CORRECTED if state == CORRECTED else _NO_MISTAKE
    page = ReadEvent(event, records.read_context({})).url
    paragraphs: Sequence[str] = [text, page, *filter(None, [words])]
    chain = settings.chain(language)
    return written(report.email, _SUBJECT, paragraphs, chain, site=settings.site_name, title=title)
