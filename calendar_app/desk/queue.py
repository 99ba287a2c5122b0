"""The queue of contributions: publish, ask back or refuse, with similar events beside each."""

from dataclasses import dataclass
from http import HTTPStatus

from flask import Response, abort
from markupsafe import Markup
from wtforms import HiddenField, TextAreaField

from calendar_app.accounts.policy import Right, require_decider
from calendar_app.calendar.similar_events import SimilarEvent
from calendar_app.calendar.submissions import Submission
from calendar_app.desk import rendering, sessions
from calendar_app.desk.forms import DeskForm, longest, required
from calendar_app.desk.rendering import notify, render, see, sent_window
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import CalendarError, Message, NotFound, PreconditionFailed
from calendar_app.html import wording
from calendar_app.html.pieces import prose
from calendar_app.http.request import current
from calendar_app.pages.events import picture, read_events
from calendar_app.readmodel.events import ReadEvent
from calendar_app.resources.submissions.handling import ask, publish, queue, reject
from calendar_app.resources.submissions.schemas import LONGEST_TEXT

_PATH = "/queue/"
_PER_PAGE = 12


class PublishForm(DeskForm):
    """The revision that the editor has read; no other one is published."""

    revision = HiddenField()


class QuestionForm(DeskForm):
    question = TextAreaField(Message("Question to the sender"), [required(), longest(LONGEST_TEXT)])


class ReasonForm(DeskForm):
    reason = TextAreaField(
        Message("Reason, which the sender reads"), [required(), longest(LONGEST_TEXT)]
    )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An event that may be the same as a contribution."""

    id: int
    title: str
    when: str
    status: str
    same_place: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A contribution with its event, and similar ones beside it."""

    submission: Submission
    event: ReadEvent
    when: str
    similar: list[Neighbour]

    @property
    def price(self) -> str:
        """Return the price in the language of the desk."""
        return rendering.gettext("Free entry") if self.event.is_free else self.event.price


@dataclass(frozen=True, slots=True)
class SentText:
    """Title and description as they were sent in one language."""

    language: str
    name: str
    title: str
    description: Markup


@page(_PATH, needs=Right.EDIT_OTHERS)
def waiting_submissions() -> Response:
    """List the waiting contributions, the oldest first."""
    _require_decider()
    window = sent_window(_PER_PAGE)
    listed = queue(current.context(), window.number, window.size)
    return render(
        "queue.html",
        entries=_entries(listed.items),
        total=listed.total,
        number=window.number,
        pages=listed.pages,
    )


@page("/queue/<digits:record_id>", needs=Right.EDIT_OTHERS)
def submission(record_id: int) -> Response:
    """Show one contribution with the three decisions."""
    _require_decider()
    return _show(record_id)


@page("/queue/<digits:record_id>/publish", needs=Right.EDIT_OTHERS, methods=["POST"])
def publish_submission(record_id: int) -> Response:
    _require_decider()
    form = PublishForm()
    try:
        publish(current.context(), record_id, _revision(form))
    except PreconditionFailed:
        form.add_problem("", Message("The sender has changed it meanwhile. Look once more."))
        return _show(record_id, HTTPStatus.PRECONDITION_FAILED, publish_form=form)
    except CalendarError as error:
        return _refused(record_id, form, error, publish_form=form)
    notify(Message("The event is published."))
    return see(_PATH)


@page("/queue/<digits:record_id>/ask", needs=Right.EDIT_OTHERS, methods=["POST"])
def ask_sender(record_id: int) -> Response:
    _require_decider()
    form = QuestionForm()
    if not form.validate():
        return _show(record_id, HTTPStatus.BAD_REQUEST, question_form=form)
    try:
        ask(current.context(), record_id, form.question.data or "")
    except CalendarError as error:
        return _refused(record_id, form, error, question_form=form)
    notify(Message("The question waits at the sender's link."))
    return see(_PATH)


@page("/queue/<digits:record_id>/refuse", needs=Right.EDIT_OTHERS, methods=["POST"])
def refuse_submission(record_id: int) -> Response:
    _require_decider()
    form = ReasonForm()
    if not form.validate():
        return _show(record_id, HTTPStatus.BAD_REQUEST, reason_form=form)
    try:
        reject(current.context(), record_id, form.reason.data or "")
    except CalendarError as error:
        return _refused(record_id, form, error, reason_form=form)
    notify(Message("The event is refused and in the trash."))
    return see(_PATH)


def _require_decider() -> None:
    if not current.context().settings.submissions:
        abort(HTTPStatus.NOT_FOUND)
    require_decider(sessions.caller())


def _revision(form: PublishForm) -> int:
    """Return the revision that was read; 0, which none has, where that is not said."""
    return parse_digits(form.revision.data or "") or 0


def _refused(record_id: int, form: DeskForm, error: CalendarError, **forms: DeskForm) -> Response:
    if isinstance(error, NotFound):
        raise error
    return _show(record_id, form.refuse(error), **forms)


def _show(record_id: int, status: int = HTTPStatus.OK, **forms: DeskForm) -> Response:
    context = current.context()
    submissions = context.services.submissions
    try:
        submission = submissions.of_event(record_id)
    except NotFound:
        abort(HTTPStatus.NOT_FOUND)
    if submission.event is None:
        abort(HTTPStatus.NOT_FOUND)
    (entry,) = _entries([submission.event])
    empty: dict[str, DeskForm] = {
        "publish_form": PublishForm(formdata=None),
        "question_form": QuestionForm(formdata=None),
        "reason_form": ReasonForm(formdata=None),
    }
    return render(
        "submission.html",
        status,
        entry=entry,
        texts=_texts(submission.event),
        picture=picture(entry.event.picture),
        mail=context.services.mailer.enabled,
        **{**empty, **forms},
    )


def _texts(event: Record) -> list[SentText]:
    """Return the texts in all languages that the sender has written."""
    context = current.context()
    variants, own = event["variants"], rendering.language()
    return [
        SentText(
            tag,
            wording.language_name(tag, own),
            variants[tag].get("title", ""),
            prose(variants[tag].get("description", ""), context.addresses),
        )
        for tag in context.settings.languages
        if tag in variants
    ]


def _entries(events: list[Record]) -> list[Entry]:
    """Return the desk's entries of events, by a few queries for all of them."""
    services = current.context().services
    similar = services.similar_events.similar_to(events)
    read = {event.id: event for event in read_events(events)}
    return [
        Entry(
            each,
            read[each.id],
            _when(read[each.id].record),
            [_neighbour(event) for event in similar.get(each.id, ())],
        )
        for each in services.submissions.of_events(events)
    ]


def _neighbour(similar: SimilarEvent) -> Neighbour:
    event = similar.event
    title = localize(event["variants"], ["title"], current.context().chain)["title"]
    return Neighbour(event["_id"], title, _when(event), event["status"], similar.same_place)


def _when(event: Record) -> str:
    """Return days and times of an event in the language of the desk."""
    return wording.when(
        event["start_local"], event["end_local"], rendering.language(), all_day=event["all_day"]
    )
