"""The page at which readers report a mistake in an event."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from flask import Response, abort

from calendar_app.accounts.callers import ANYONE
from calendar_app.accounts.secrets import SOONEST
from calendar_app.api.http.request import current
from calendar_app.api.http.views.guarding import find_by_slug
from calendar_app.api.http.views.resource_view import in_snapshot
from calendar_app.api.resources.mistakes.handling import (
    LONGEST_EMAIL,
    LONGEST_REPORT,
    receive,
    takes_reports,
)
from calendar_app.calendar.mistakes import SentReport
from calendar_app.domain.addresses import is_email
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.slugs import path_as_slug
from calendar_app.errors import Message, TooManyReports
from calendar_app.site.html.answers import redirect
from calendar_app.site.pages import record_pages
from calendar_app.site.pages.answers import moved, page
from calendar_app.site.pages.events import read_events
from calendar_app.site.pages.forms import Problems
from calendar_app.site.pages.places import PageLinks, same_path, slug_of
from calendar_app.site.pages.submitting import TRAP, asks_for_language

_REPORT = "report/"
_SENT = "sent"
_LABELS: Mapping[str, Message] = {
    "text": Message("What is wrong"),
    "email": Message("Your e-mail"),
}
_NEEDED = Message("Please fill this in.")
_TOO_LONG = Message("This may be {most} characters long at most.", most=LONGEST_REPORT)
_NO_EMAIL = Message("Write an e-mail address: name@example.org")
_TOO_FAST = Message("That was very quick. Please look once more, then send it.")
_TOO_LATE = Message("This page has been open for long. Please send it once more.")
_TOO_MANY = Message(
    "Many mistakes have been reported recently. Please send yours again in {minutes} minutes."
)


@dataclass(frozen=True, slots=True)
class _Form:
    """The form as it is shown: its ``stamp``, what was typed, and what is wrong with that."""

    stamp: str
    values: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(_LABELS, ""))
    problems: Problems = field(default_factory=dict)
    notice: Message | None = None


def report(slug: str) -> Response:
    """Show the form for a public event, or take a report in."""
    context = current.context()
    if not context.site.mistake_reports:
        abort(HTTPStatus.NOT_FOUND)
    context.settle_languages()
    is_sent = context.request.method == "POST"
    record = in_snapshot(lambda: _public_event(slug))
    if record is None:
        return in_snapshot(lambda: record_pages.show(EVENT.singular, slug))
    address = f"{PageLinks(context).record_page(EVENT, record, context.chain)}{_REPORT}"
    if not is_sent and path_as_slug(slug) != slug_of(record, context.chain):
        return moved(address)
    # What this page shows depends on the time, so that no answer is remembered.
    context.now()
    if not is_sent:
        return _show(record, _Form(context.services.form_stamps.issue()))
    if context.sent.body.get(TRAP):
        return _thank(address)
    if asks_for_language():
        return _show(record, _Form(_sent("form"), _values()))
    return _receive(record, address)


def _public_event(slug: str) -> Record | None:
    """Return the event of a slug as far as everybody may read it."""
    current.context().caller = ANYONE
    record = find_by_slug(EVENT, slug)
    if record is not None and not takes_reports(record):
        abort(HTTPStatus.NOT_FOUND)
    return record


def _receive(record: Record, address: str) -> Response:
    context, values = current.context(), _values()
    stamps, sent = context.services.form_stamps, _sent("form")
    stamp, problems = stamps.read(sent), _problems_of(values)
    if stamp is None or stamp.is_stale:
        sent, notice = stamps.issue(SOONEST), _TOO_LATE
    else:
        notice = _TOO_FAST
    if stamp is None or stamp.is_stale or stamp.is_hasty or problems:
        # Who has something to mend need not read that they were quick.
        form = _Form(sent, values, problems, None if problems else notice)
        return _show(record, form, HTTPStatus.BAD_REQUEST)
    report_ = SentReport(record["_id"], values["text"], values["email"], context.language)
    try:
        receive(context, report_, stamp.token)
    except TooManyReports as error:
        notice = Message(_TOO_MANY.pattern, minutes=-(-error.retry_after // 60))
        form = _Form(sent, values, notice=notice)
        response = _show(record, form, HTTPStatus.TOO_MANY_REQUESTS)
        response.headers["Retry-After"] = str(error.retry_after)
        return response
    return _thank(address)


def _thank(address: str) -> Response:
    """Lead to the thanks, so that nothing is sent twice by loading the page again."""
    response = redirect(f"{address}?done={_SENT}", HTTPStatus.SEE_OTHER)
    response.headers["Cache-Control"] = "no-store"
    return response


def _sent(name: str) -> str:
    value = current.context().sent.body.get(name)
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else ""


def _values() -> dict[str, str]:
    """Return the typed values; an address only if mail can be sent."""
    takes_email = current.context().services.mailer.enabled
    return {"text": _sent("text"), "email": _sent("email") if takes_email else ""}


def _problems_of(values: Mapping[str, str]) -> Problems:
    problems: Problems = {}
    if not values["text"]:
        problems["text"] = _NEEDED
    elif len(values["text"]) > LONGEST_REPORT:
        problems["text"] = _TOO_LONG
    email = values["email"]
    if email and (len(email) > LONGEST_EMAIL or not is_email(email)):
        problems["email"] = _NO_EMAIL
    return problems


def _labels_of(name: str, _values: Any) -> list[Message]:
    return [_LABELS[name]]


def _show(record: Record, form: _Form, status: int = HTTPStatus.OK) -> Response:
    context = current.context()
    (event,) = read_events([record])
    response = page(
        "report.html",
        status,
        event=event,
        values=form.values,
        problems=form.problems,
        labels_of=_labels_of,
        labels=_LABELS,
        longest=LONGEST_REPORT,
        stamp=form.stamp,
        notice=form.notice,
        trap=TRAP,
        is_sent=context.parameters.get("done") == _SENT,
        mail=context.services.mailer.enabled,
        alternates=same_path(context),
    )
    # The stamp belongs to one reader.
    response.headers["Cache-Control"] = "private, no-store"
    return response
