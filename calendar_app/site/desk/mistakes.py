"""The mistakes that readers report, in the inbox of those who decide about the events."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from flask import Response, abort

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import require_inbox
from calendar_app.api.http.request import current
from calendar_app.api.resources.mistakes.handling import LONGEST_REPORT, answer, is_answered_by_mail
from calendar_app.calendar.mistakes import ANSWERS, MistakeReport
from calendar_app.errors import Message, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk import sessions
from calendar_app.site.desk.rendering import Undo, notify, render_list, see, sent_window
from calendar_app.site.desk.rendering import language as desk_language
from calendar_app.site.desk.routing import page
from calendar_app.site.html import wording
from calendar_app.site.pages.events import read_events

PATH = "/queue/mistakes/"
_ONE = f"{PATH}<digits:report_id>"
_PER_PAGE = 12
_ANSWERED = Message("The report is answered.")
_DECIDED = Message("Somebody else has answered this report already.")
_REOPENED = Message("The report waits again.")
_TOO_LONG = Message("This may be {most} characters long at most.", most=LONGEST_REPORT)


@dataclass(frozen=True, slots=True)
class MistakeEntry:
    """A report with its event as the caller reads it; ``None`` where that is deleted."""

    report: MistakeReport
    event: ReadEvent | None
    is_answered_by_mail: bool

    @property
    def path(self) -> str:
        return f"{PATH}{self.report.id}"

    @property
    def when(self) -> str:
        """Return days and times of the event in the language of the desk."""
        if self.event is None:
            return ""
        start, end, all_day = self.event.start, self.event.end, self.event.all_day
        return wording.when(start, end, desk_language(), all_day=all_day)


@page(PATH, needs=Right.EDIT)
def mistakes() -> Response:
    """List the reports that wait, the earliest one first."""
    return _list()


@page(_ONE, needs=Right.EDIT, methods=["POST"])
def answer_report(report_id: int) -> Response:
    """Say that a mistake is corrected, or that there is none."""
    context = current.context()
    report, sent = _find(report_id), context.request.form
    state, words = sent.get("answer", ""), sent.get("words", "").replace("\r\n", "\n").strip()
    if state not in ANSWERS:
        abort(HTTPStatus.BAD_REQUEST)
    if len(words) > LONGEST_REPORT:
        return _list(HTTPStatus.BAD_REQUEST, refused=report_id, words=words)
    if answer(context, report, state, words):
        notify(_ANSWERED, undo=Undo(f"{PATH}{report_id}/reopen", {}))
    else:
        notify(_DECIDED, "problem")
    return see(PATH)


@page(f"{_ONE}/reopen", needs=Right.EDIT, methods=["POST"])
def reopen_report(report_id: int) -> Response:
    """Let a report wait again that was answered."""
    current.context().services.mistakes.reopen(_find(report_id))
    notify(_REOPENED)
    return see(PATH)


def _find(report_id: int) -> MistakeReport:
    try:
        return current.context().services.mistakes.find(report_id, sessions.caller())
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)


def _list(status: int = HTTPStatus.OK, *, refused: int = 0, words: str = "") -> Response:
    context, caller = current.context(), sessions.caller()
    require_inbox(caller)
    services, window = context.services, sent_window(_PER_PAGE)
    listed = services.mistakes.page(window, caller)
    return render_list(
        "mistakes.html",
        status,
        entries=_entries([item["report"] for item in listed.items]),
        numbers=services.inbox.numbers(caller),
        mistakes=services.mistakes.waiting(caller),
        refused=refused,
        words=words,
        problem=_TOO_LONG,
        longest=LONGEST_REPORT,
        number=window.number,
        pages=listed.pages,
    )


def _entries(reports: Sequence[MistakeReport]) -> list[MistakeEntry]:
    """Return the entries, with all their events read in one query."""
    context = current.context()
    read = read_events([each.event for each in reports if each.event])
    events = {each.id: each for each in read}
    return [
        MistakeEntry(each, events.get(each.event_id), is_answered_by_mail(context, each))
        for each in reports
    ]
