"""Mistakes that readers report in events, and the answers of those who decide about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any

from flask import Response, abort

from calendar_app.accounts.policy import require_inbox
from calendar_app.api.http.answers.answering import answer as respond
from calendar_app.api.http.lists.paging import answer_page, list_address
from calendar_app.api.http.presentation import PAGE
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.events import EVENT_SHAPE, present_event
from calendar_app.api.presentation.records import RecordView, date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, either
from calendar_app.api.resources.mistakes.handling import answer, receive, takes_reports
from calendar_app.api.resources.mistakes.schemas import (
    MistakeAnswerSchema,
    MistakeListSchema,
    MistakeSchema,
)
from calendar_app.calendar.mistakes import OPEN, STATES, MistakeReport, SentReport
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import MistakeAnswered, NotFound
from calendar_app.storage.query.list_query import Window


@dataclass(frozen=True, slots=True)
class _Shown:
    """A report, and the view of its event."""

    report: MistakeReport
    view: RecordView


def _event(it: _Shown) -> JSONObject | None:
    return present_event(it.report.event, it.view) if it.report.event else None


_STATE = {"type": "string", "enum": list(STATES), "example": OPEN}
_TAKEN = Shape[object](
    "TakenMistake",
    {
        "event": Field("integer", meaning="The id of the event."),
        "state": Field(_STATE, meaning="It waits for an answer."),
    },
)
_MISTAKE = Shape[_Shown](
    "ReportedMistake",
    {
        "id": Field("integer", lambda it: it.report.id, "The id of the report."),
        "state": Field(_STATE, lambda it: it.report.state, "Whether it waits, or the answer."),
        "text": Field("string", lambda it: it.report.text, "What is wrong, as plain text."),
        "language": Field(
            "string", lambda it: it.report.language, "The language in which its reader wrote."
        ),
        "date": Field("string", lambda it: date_text(it.report.sent), "When it came, in UTC."),
        "awaits_letter": Field(
            "boolean",
            lambda it: bool(it.report.email),
            "Whether its reader has left an address for the answer.",
        ),
        "event": Field(
            either(EVENT_SHAPE, "null"), _event, "The event as it is now; null where it is gone."
        ),
    },
)
_PAGE = Shape[object](
    "MistakePage",
    {**PAGE, "mistakes": Field([_MISTAKE], meaning="The reports that wait, the earliest first.")},
)

blueprint = Blueprint("mistakes", __name__, description="Mistakes that readers report")
# A list of reports is one of events under another name.
_LIST = replace(EVENT, name="mistakes", singular="mistake", fed=False)


@blueprint.before_request
def require_open_door() -> None:
    """Answer as if there were no reports where the desk has switched them off."""
    if not current.context().site.mistake_reports:
        abort(HTTPStatus.NOT_FOUND)


@blueprint.route("/events/<digits:id>/mistakes")
class MistakesOfEvent(ResourceView):
    @blueprint.arguments(MistakeSchema)
    @blueprint.response(201, _TAKEN)
    def post(self, sent: Record, **path: Any) -> Response:
        """Report a mistake in an event that everybody can read; no account is needed."""
        context, number = current.context(), path["id"]
        event = context.reader.find(EVENT, number)
        if event is None or not takes_reports(event):
            raise NotFound(EVENT.singular, number)
        email = sent.get("email", "") if context.services.mailer.enabled else ""
        report = SentReport(number, sent["text"], email, context.language)
        receive(context, report, token_urlsafe())
        return respond({"event": number, "state": OPEN}, 201)


@blueprint.route("/mistakes")
class MistakeList(ResourceView):
    @blueprint.arguments(MistakeListSchema, location="query")
    @blueprint.response(200, _PAGE)
    def get(self, sent: Record) -> Response:
        """List the reports that wait; for editors, and for keepers those of their sources."""
        context = _deciding()
        settings = context.settings
        size = min(sent.get("per_page", settings.per_page), settings.max_per_page)
        window = Window(sent["page"], size)
        page = context.services.mistakes.page(window, context.caller)
        reports = [item["report"] for item in page.items]
        return answer_page(_LIST, page, lambda: _present(reports), list_address(_LIST, context))


@blueprint.route("/mistakes/<digits:id>")
class MistakeById(ResourceView):
    @blueprint.response(200, _MISTAKE)
    def get(self, **path: Any) -> Response:
        """Read a report, open or answered."""
        return _respond(_deciding(), path["id"])


@blueprint.route("/mistakes/<digits:id>/answer")
class AnsweredMistake(ResourceView):
    @blueprint.arguments(MistakeAnswerSchema)
    @blueprint.response(200, _MISTAKE)
    def post(self, sent: Record, **path: Any) -> Response:
        """Say that a mistake is corrected, or that there is none; the reader is told."""
        context = _deciding()
        report = context.services.mistakes.find(path["id"], context.caller)
        if not answer(context, report, sent["answer"], sent["words"].strip()):
            raise MistakeAnswered
        return _respond(context, path["id"])


@blueprint.route("/mistakes/<digits:id>/reopen")
class ReopenedMistake(ResourceView):
    @blueprint.response(200, _MISTAKE)
    def post(self, **path: Any) -> Response:
        """Take an answer back; a letter that was not sent yet never is."""
        context = _deciding()
        mistakes = context.services.mistakes
        mistakes.reopen(mistakes.find(path["id"], context.caller))
        return _respond(context, path["id"])


def _deciding() -> Context:
    """Return the context of one who decides about some events; refuse everybody else."""
    context = current.context()
    require_inbox(context.caller)
    return context


def _respond(context: Context, report_id: int) -> Response:
    report = context.services.mistakes.find(report_id, context.caller)
    return respond(_present([report])[0])


def _present(reports: Sequence[MistakeReport]) -> list[JSONObject]:
    view = records.view_of(EVENT, [each.event for each in reports if each.event])
    return [_MISTAKE.present(_Shown(each, view)) for each in reports]
