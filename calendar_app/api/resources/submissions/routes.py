"""Contributions by people without an account, and the queue of those who publish them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any

from flask import Response, abort

from calendar_app.accounts.policy import require_decider
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.lists.paging import answer_page, list_address
from calendar_app.api.http.presentation import PAGE
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.records import expected_revision, view_of
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.events import EVENT_SHAPE, present_event
from calendar_app.api.presentation.records import RecordView, date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields, either
from calendar_app.api.resources.submissions.handling import (
    Receipt,
    accept_picture,
    answer_question,
    ask,
    mend,
    new_token,
    preview,
    publish,
    queue,
    receive,
    reject,
    sent_picture,
)
from calendar_app.api.resources.submissions.schemas import (
    BINARY,
    WITH_PICTURE,
    AnswerSchema,
    QuestionSchema,
    QueueSchema,
    ReasonSchema,
    SubmissionChangeSchema,
    SubmissionSchema,
    TokenSchema,
)
from calendar_app.calendar.inbox import DESK, Remark
from calendar_app.calendar.similar_events import SimilarEvent
from calendar_app.calendar.submissions import STATES, WAITING, Submission
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.languages import localize
from calendar_app.readmodel.records import ReadContext

_SIMILAR = Shape[tuple[SimilarEvent, ReadContext]](
    "Similar",
    {
        "id": Field("integer", lambda it: it[0].event["_id"], "The id of the event."),
        "title": Field(
            "string",
            lambda it: localize(it[0].event["variants"], ["title"], it[1].chain)["title"],
            "The title of the event.",
        ),
        "start_date": Field(
            "string",
            lambda it: date_text(it[0].event["start_local"]),
            "When it starts, in its time zone.",
        ),
        "status": Field("string", lambda it: it[0].event["status"], "The status of the event."),
        "same_place": Field(
            "boolean", lambda it: it[0].same_place, "Whether it is at the same venue."
        ),
        "rest_url": Field(
            "string",
            lambda it: it[1].addresses.record(EVENT.name, it[0].event["_id"]),
            "The address of the event in this interface.",
        ),
    },
)


@dataclass(frozen=True, slots=True)
class _ShownSubmission:
    """A contribution, and the view of its event."""

    submission: Submission
    view: RecordView
    similar: Sequence[SimilarEvent] = ()


def _event(it: _ShownSubmission) -> JSONObject | None:
    event = it.submission.event
    return event and present_event(event, it.view)


def _moment(moment: datetime | None) -> str | None:
    return date_text(moment) if moment else None


_MESSAGE = Shape[Remark](
    "SubmissionMessage",
    {
        "from": Field(
            {"type": "string", "enum": ["desk", "sender"]},
            lambda it: "desk" if it.by == DESK else "sender",
            "Who wrote it.",
        ),
        "text": Field("string", lambda it: it.text, "What was written."),
        "date": Field("string", lambda it: date_text(it.moment), "In UTC."),
    },
)
# A contribution as its sender sees it, who knows all of the event already.
_SENT: ShapeFields[_ShownSubmission] = {
    "id": Field("integer", lambda it: it.submission.id, "The id of the contribution."),
    "state": Field(
        {"type": "string", "enum": list(STATES), "example": WAITING},
        lambda it: it.submission.state,
        "What has become of the contribution.",
    ),
    "language": Field(
        "string", lambda it: it.submission.language, "The language in which its sender wrote."
    ),
    "submitted": Field("string|null", lambda it: _moment(it.submission.submitted), "In UTC."),
    "mended": Field("string|null", lambda it: _moment(it.submission.mended), "In UTC."),
    "question": Field("string", lambda it: it.submission.question, "What is asked of the sender."),
    "reason": Field("string", lambda it: it.submission.reason, "Why it was refused."),
    "messages": Field(
        [_MESSAGE],
        lambda it: [_MESSAGE.present(each) for each in it.submission.remarks],
        "The messages between editors and sender, the first one first.",
    ),
    "event": Field(
        either(EVENT_SHAPE, "null"), _event, "The event as it is now; null where it is gone."
    ),
}
_SENT_SHAPE = Shape("Sent", _SENT)
_RECEIPT = Shape[_ShownSubmission](
    "Receipt",
    {
        **_SENT,
        "token": Field("string", meaning="The secret to follow and edit it with."),
        "url": Field("string", meaning="The page at which to follow it."),
    },
)
# A contribution as those see it who decide.
_QUEUED = Shape[_ShownSubmission](
    "QueuedSubmission",
    {
        **_SENT,
        "similar": Field(
            [_SIMILAR],
            lambda it: [_SIMILAR.present((event, it.view.context)) for event in it.similar],
            "Events on the same day that resemble it.",
        ),
    },
)
_QUEUE = Shape[object](
    "SubmissionPage",
    {**PAGE, "submissions": Field([_QUEUED], meaning="The contributions, the earliest one first.")},
)


def present_sent(submission: Submission) -> JSONObject:
    """Return a contribution as its sender sees it."""
    events = [submission.event] if submission.event else []
    return _SENT_SHAPE.present(_ShownSubmission(submission, records.view_of(EVENT, events)))


def present_all(
    submissions: list[Submission], similar: Mapping[int, list[SimilarEvent]]
) -> list[JSONObject]:
    """Return contributions with similar events, as those see them who decide."""
    view = records.view_of(EVENT, [each.event for each in submissions if each.event])
    return [
        _QUEUED.present(_ShownSubmission(each, view, similar.get(each.id, ())))
        for each in submissions
    ]


blueprint = Blueprint("submissions", __name__, description="What people without an account send")
# A list of contributions is one of events under another name.
_SUBMISSION = replace(EVENT, name="submissions", singular="submission", fed=False)


@blueprint.before_request
def require_open_door() -> None:
    """Answer as if there were no contributions where the desk has switched them off."""
    if not current.context().site.submissions:
        abort(HTTPStatus.NOT_FOUND)


@blueprint.route("/submissions")
class SubmissionList(ResourceView):
    @blueprint.arguments(QueueSchema, location="query")
    @blueprint.response(200, _QUEUE)
    def get(self, sent: Record) -> Response:
        """List the waiting contributions, the oldest first; for editors."""
        context = _deciding()
        settings, services = context.settings, context.services
        size = min(sent.get("per_page", settings.per_page), settings.max_per_page)
        page = queue(context, sent["page"], size)
        similar = services.similar_events.similar_to(page.items)
        items = present_all(services.submissions.of_events(page.items), similar)
        return answer_page(_SUBMISSION, page, lambda: items, list_address(_SUBMISSION, context))

    @accept_picture
    @blueprint.arguments(SubmissionSchema)
    @blueprint.doc(requestBody=dict(WITH_PICTURE))
    @blueprint.response(201, _RECEIPT)
    def post(self, sent: Record) -> Response:
        """Send an event, to be published by those who may; no account is needed."""
        context = current.context()
        picture = sent_picture(context)
        receipt = receive(context, sent, context.language, new_token(), picture)
        return answer(_present_receipt(receipt), 201)


@blueprint.route("/submissions/sent")
class SentSubmission(ResourceView):
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, _SENT_SHAPE)
    def get(self, sent: Record) -> Response:
        """Read a contribution as its sender, by the token."""
        context = current.context()
        submission = context.services.submissions.find(sent["token"])
        context.caller = context.services.submissions.sender(submission)
        return _private(answer(present_sent(submission)))

    @accept_picture
    @blueprint.arguments(SubmissionChangeSchema(partial=True))
    @blueprint.doc(requestBody=dict(WITH_PICTURE))
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, _SENT_SHAPE)
    def post(self, changes: Record, sent: Record) -> Response:
        """Change a contribution as its sender until it is decided; omitted fields stay."""
        context = current.context()
        picture = sent_picture(context)
        submission = mend(context, sent["token"], changes, context.language, picture)
        return _private(answer(present_sent(submission)))

    put = patch = post

    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, _SENT_SHAPE)
    def delete(self, sent: Record) -> Response:
        """Withdraw a contribution as its sender until it is decided."""
        context = current.context()
        submission = context.services.submissions.withdraw(sent["token"])
        context.caller = context.services.submissions.sender(submission)
        return _private(answer(present_sent(submission)))


@blueprint.route("/submissions/sent/answer")
class AnsweredSubmission(ResourceView):
    @blueprint.arguments(AnswerSchema)
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, _SENT_SHAPE)
    def post(self, words: Record, sent: Record) -> Response:
        """Answer a question as the sender, in words."""
        submission = answer_question(current.context(), sent["token"], words["answer"])
        return _private(answer(present_sent(submission)))


@blueprint.route("/submissions/sent/picture")
class SentPicture(ResourceView):
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, dict(BINARY), content_type="image/*")
    def get(self, sent: Record) -> Response:
        """Read the picture of a contribution as its sender, by the token."""
        context = current.context()
        submission = context.services.submissions.find(sent["token"])
        context.caller = context.services.submissions.sender(submission)
        return preview(submission, context)


@blueprint.route("/submissions/<digits:id>/picture")
class QueuedPicture(ResourceView):
    @blueprint.response(200, dict(BINARY), content_type="image/*")
    def get(self, **path: Any) -> Response:
        """Read the picture of a contribution; for editors."""
        context = _deciding()
        return preview(context.services.submissions.of_event(path["id"]), context)


@blueprint.route("/submissions/<digits:id>")
class SubmissionById(ResourceView):
    @blueprint.response(200, _QUEUED)
    def get(self, **path: Any) -> Response:
        """Read a contribution with similar events; for editors."""
        services = _deciding().services
        submission = services.submissions.of_event(path["id"])
        events = [submission.event] if submission.event else []
        similar = services.similar_events.similar_to(events)
        return answer(present_all([submission], similar)[0])


@blueprint.route("/submissions/<digits:id>/publish")
class PublishedSubmission(ResourceView):
    @blueprint.response(200, _SENT_SHAPE)
    def post(self, **path: Any) -> Response:
        """Publish a contribution with its new venue and organizer."""
        context, event_id = _deciding(), path["id"]
        submission = publish(context, event_id, _revision(event_id, context))
        return answer(present_sent(submission))


@blueprint.route("/submissions/<digits:id>/ask")
class AskedSubmission(ResourceView):
    @blueprint.arguments(QuestionSchema)
    @blueprint.response(200, _SENT_SHAPE)
    def post(self, sent: Record, **path: Any) -> Response:
        """Ask the sender a question."""
        submission = ask(_deciding(), path["id"], sent["question"])
        return answer(present_sent(submission))


@blueprint.route("/submissions/<digits:id>/refuse")
class RefusedSubmission(ResourceView):
    @blueprint.arguments(ReasonSchema)
    @blueprint.response(200, _SENT_SHAPE)
    def post(self, sent: Record, **path: Any) -> Response:
        """Refuse a contribution with a reason for the sender."""
        submission = reject(_deciding(), path["id"], sent["reason"])
        return answer(present_sent(submission))


def _deciding() -> Context:
    """Return the context of one who decides about contributions; refuse everybody else."""
    context = current.context()
    require_decider(context.caller)
    return context


def _revision(event_id: int, context: Context) -> int | None:
    """Return the revision that ``If-Match`` names, if it is sent."""
    if not context.request.if_match:
        return None
    event = context.services.submissions.of_event(event_id).event or {}
    return expected_revision(EVENT, event, view_of(EVENT, [event]), present_event)


def _present_receipt(receipt: Receipt) -> Record:
    submission = present_sent(receipt.submission)
    return {**submission, "token": receipt.token, "url": receipt.link}


def _private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    return response
