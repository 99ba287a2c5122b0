"""The inbox: pending records, their publication from the list, and their conversations."""

from http import HTTPStatus

from flask import Response, abort
from wtforms import HiddenField, TextAreaField

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import has_inbox, may_decide
from calendar_app.api.http.request import current
from calendar_app.api.http.views.managing_users import tell_author
from calendar_app.api.resources.submissions.handling import ask, publish_for_now, reject
from calendar_app.api.resources.submissions.schemas import LONGEST_TEXT
from calendar_app.calendar.inbox import AUTHOR, DESK
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.errors import (
    CalendarError,
    Message,
    NotAllowed,
    NotFound,
    PreconditionFailed,
    SubmissionDecided,
)
from calendar_app.site.desk import sessions
from calendar_app.site.desk.entries import KINDS, PATH, InboxEntry, entries_of, sent_texts
from calendar_app.site.desk.forms import DeskForm, longest, required, saved_meanwhile
from calendar_app.site.desk.rendering import Undo, notify, render, render_list, see, sent_window
from calendar_app.site.desk.routing import page

_PER_PAGE = 12
_OF_EVENT = "/queue/<digits:record_id>"
_OF_OTHERS = "/queue/<any(series,venues,organizers):name>/<digits:record_id>"


class PublishForm(DeskForm):
    """The revision that the editor has read; no other one is published."""

    revision = HiddenField()


class QuestionForm(DeskForm):
    question = TextAreaField(Message("Question to the sender"), [required(), longest(LONGEST_TEXT)])


class ReasonForm(DeskForm):
    reason = TextAreaField(
        Message("Reason, which the sender reads"), [required(), longest(LONGEST_TEXT)]
    )


class AnswerForm(DeskForm):
    answer = TextAreaField(Message("Your answer"), [required(), longest(LONGEST_TEXT)])


@page(PATH, needs=Right.EDIT)
def inbox() -> Response:
    """List the records that wait for a decision, the soonest first; or for an answer."""
    context, caller = current.context(), sessions.caller()
    if not has_inbox(caller):
        raise NotAllowed
    window, shows_questions = sent_window(_PER_PAGE), "asked" in context.request.args
    listed = context.services.inbox.page(window, caller, asked=shows_questions)
    return render_list(
        "queue.html",
        entries=entries_of(listed.items),
        numbers=context.services.inbox.numbers(caller),
        mistakes=context.services.mistakes.waiting(caller),
        asked=shows_questions,
        number=window.number,
        pages=listed.pages,
    )


@page(_OF_EVENT, also=_OF_OTHERS, needs=Right.EDIT)
def waiting_record(record_id: int, name: str = EVENT.name) -> Response:
    """Show a contribution with the decisions; to its author, the conversation."""
    return _show(_entry_of_path(name, record_id, for_author=True))


@page(f"{_OF_EVENT}/publish", also=f"{_OF_OTHERS}/publish", needs=Right.EDIT, methods=["POST"])
def publish_record(record_id: int, name: str = EVENT.name) -> Response:
    """Publish the state that was read, with a press that takes it back."""
    entry, form = _entry_of_path(name, record_id), PublishForm()
    try:
        revision = _publish(entry, parse_digits(form.revision.data or "") or 0)
    except PreconditionFailed:
        present = _entry_of_path(name, record_id)
        form.add_problem("", saved_meanwhile(present.kind, present.read.record, _LOOK))
        return _show(present, HTTPStatus.PRECONDITION_FAILED, publish_form=form)
    except CalendarError as error:
        return _refused(entry, form, error, publish_form=form)
    undo = Undo(f"{entry.path}/undo", {"revision": str(revision)})
    notify(Message("“{title}” is published.", title=entry.title.text), undo=undo)
    return see(PATH)


@page(f"{_OF_EVENT}/undo", also=f"{_OF_OTHERS}/undo", needs=Right.EDIT, methods=["POST"])
def undo_publishing(record_id: int, name: str = EVENT.name) -> Response:
    """Let a record wait again that was published a moment ago."""
    context = current.context()
    entry = _entry_of_path(name, record_id, in_any_state=True)
    revision = parse_digits(context.request.form.get("revision", "")) or 0
    try:
        _unpublish(entry, revision)
    except PreconditionFailed:
        notify(Message("It was changed since. It stays published."), "problem")
        return see(PATH)
    notify(Message("“{title}” waits again.", title=entry.title.text))
    return see(PATH)


@page(f"{_OF_EVENT}/ask", also=f"{_OF_OTHERS}/ask", needs=Right.EDIT, methods=["POST"])
def ask_sender(record_id: int, name: str = EVENT.name) -> Response:
    entry, form = _entry_of_path(name, record_id), QuestionForm()
    if not form.validate():
        return _show(entry, HTTPStatus.BAD_REQUEST, question_form=form)
    try:
        _ask(entry, form.question.data or "")
    except CalendarError as error:
        return _refused(entry, form, error, question_form=form)
    notify(
        _QUESTION_SENT
        if entry.submission
        else Message("{name} reads your question.", name=entry.sender)
    )
    return see(PATH)


@page(f"{_OF_EVENT}/refuse", also=f"{_OF_OTHERS}/refuse", needs=Right.EDIT, methods=["POST"])
def refuse_record(record_id: int, name: str = EVENT.name) -> Response:
    entry, form = _entry_of_path(name, record_id), ReasonForm()
    if not form.validate():
        return _show(entry, HTTPStatus.BAD_REQUEST, reason_form=form)
    try:
        _refuse(entry, form.reason.data or "")
    except CalendarError as error:
        return _refused(entry, form, error, reason_form=form)
    notify(_REFUSED if entry.submission else _DRAFTED)
    return see(PATH)


@page(f"{_OF_EVENT}/answer", also=f"{_OF_OTHERS}/answer", needs=Right.EDIT, methods=["POST"])
def answer_desk(record_id: int, name: str = EVENT.name) -> Response:
    """Take the answer of the author, which brings the record back to the inbox."""
    entry, form = _entry_of_path(name, record_id, for_author=True), AnswerForm()
    if not form.validate():
        return _show(entry, HTTPStatus.BAD_REQUEST, answer_form=form)
    answer = (AUTHOR, sessions.caller().id, form.answer.data or "")
    current.context().services.conversations.say(entry.kind, entry.read.record, answer, DESK)
    notify(Message("Your answer is sent."))
    return see(entry.path)


_LOOK = Message("{saved} Look once more, then decide.")
_QUESTION_SENT = Message("The question waits at the sender's link.")
_REFUSED = Message("The event is refused and in the trash.")
_DRAFTED = Message("It is a draft again, and its author reads your reason.")


# The decisions: those about contributions forget who sent them.


def _publish(entry: InboxEntry, revision: int) -> int:
    """Publish a state, and return the revision that this makes."""
    context = current.context()
    if entry.submission:
        event = publish_for_now(context, entry.id, revision).event or {}
        return int(event["revision"])
    services, language = context.services, context.language
    change, decision = services.editor.change, {"status": PUBLISH}
    _require_open(entry)
    record = change(entry.kind, entry.id, decision, context.caller, language, revision=revision)
    services.conversations.settle(entry.kind, entry.id)
    return int(record["revision"])


def _unpublish(entry: InboxEntry, revision: int) -> None:
    context = current.context()
    services, caller, language = context.services, context.caller, context.language
    if entry.submission:
        services.submissions.unpublish(entry.id, caller, language, revision)
    else:
        back = {"status": PENDING}
        services.editor.change(entry.kind, entry.id, back, caller, language, revision=revision)


def _ask(entry: InboxEntry, question: str) -> None:
    context = current.context()
    if entry.submission:
        ask(context, entry.id, question)
        return
    _require_open(entry)
    _write_to_author(entry, entry.read.record, question, is_refused=False)


def _refuse(entry: InboxEntry, reason: str) -> None:
    """Refuse a contribution, which goes to the trash; a user's event becomes a draft again."""
    context = current.context()
    if entry.submission:
        reject(context, entry.id, reason)
        return
    _require_open(entry)
    draft, language = {"status": DRAFT}, context.language
    change = context.services.editor.change
    record = change(entry.kind, entry.id, draft, context.caller, language)
    _write_to_author(entry, record, reason, is_refused=True)


def _write_to_author(entry: InboxEntry, record: Record, text: str, *, is_refused: bool) -> None:
    """Add a message of the desk to the conversation, and send it to the author."""
    context = current.context()
    message = (DESK, context.caller.id, text)
    context.services.conversations.say(entry.kind, record, message, AUTHOR)
    title, path = entry.title.text, f"/desk{entry.path}"
    tell_author(record["author"], title, text, path, is_refused=is_refused)


def _require_open(entry: InboxEntry) -> None:
    if not entry.is_open:
        raise SubmissionDecided


def _entry_of_path(
    name: str, record_id: int, *, for_author: bool = False, in_any_state: bool = False
) -> InboxEntry:
    """Return a record of the inbox; only its author and deciders may see it."""
    context, kind, caller = current.context(), KINDS[name], sessions.caller()
    record = context.reader.find(kind, record_id)
    is_own = for_author and record is not None and record["author"] == caller.id
    if not (is_own or may_decide(caller, record or {})):
        raise NotAllowed
    (entry,) = entries_of([{"kind": kind, "record": record}]) if record else (None,)
    if entry is None or not (entry.is_open or entry.submission or entry.remarks or in_any_state):
        abort(HTTPStatus.NOT_FOUND)
    return entry


def _refused(
    entry: InboxEntry, form: DeskForm, error: CalendarError, **forms: DeskForm
) -> Response:
    if isinstance(error, NotFound):
        raise error
    return _show(entry, form.refuse(error), **forms)


def _show(entry: InboxEntry, status: int = HTTPStatus.OK, **forms: DeskForm) -> Response:
    context, caller = current.context(), sessions.caller()
    users = {each.user for each in entry.remarks if each.user}
    empty: dict[str, DeskForm] = {
        "publish_form": PublishForm(formdata=None),
        "question_form": QuestionForm(formdata=None),
        "reason_form": ReasonForm(formdata=None),
        "answer_form": AnswerForm(formdata=None),
    }
    return render(
        "submission.html",
        status,
        entry=entry,
        texts=sent_texts(entry.kind, entry.read.record),
        names=context.services.profiles.shown_names(users),
        decides=may_decide(caller, entry.read.record),
        is_own=bool(caller.id) and entry.read.record["author"] == caller.id,
        mail=context.services.mailer.enabled,
        **{**empty, **forms},
    )
