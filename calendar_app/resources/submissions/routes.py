"""Contributions by people without an account, and the queue of those who publish them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from flask import Response

from calendar_app.accounts.policy import SENDER, require_decider
from calendar_app.calendar.similar_events import SimilarEvent
from calendar_app.calendar.submissions import Submission
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import localize
from calendar_app.http.answers.answering import answer
from calendar_app.http.lists.paging import answer_page, list_address
from calendar_app.http.request import current
from calendar_app.http.request.current import Context
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.records import expected_revision, view_of
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import EVENT
from calendar_app.presentation.events import present_event
from calendar_app.presentation.records import JSONObject, date_text
from calendar_app.readmodel.records import ReadContext
from calendar_app.resources.submissions.handling import (
    Receipt,
    accept_picture,
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
from calendar_app.resources.submissions.schemas import (
    BINARY,
    WITH_PICTURE,
    QuestionSchema,
    QueuedSubmissionShape,
    QueueSchema,
    ReasonSchema,
    ReceiptShape,
    SentShape,
    SubmissionChangeSchema,
    SubmissionPageShape,
    SubmissionSchema,
    TokenSchema,
)


def present_sent(submission: Submission) -> JSONObject:
    """Return a contribution as its sender sees it, who knows all of the event already."""
    event = submission.event
    presented = event and present_event(event, records.view_of(EVENT, [event]))
    return {**_present_state(submission), "event": presented}


def present_all(
    submissions: list[Submission], similar: Mapping[int, list[SimilarEvent]]
) -> list[JSONObject]:
    """Return contributions with similar events, as those see them who decide."""
    events = [each.event for each in submissions if each.event]
    view = records.view_of(EVENT, events)
    return [
        {
            **_present_state(each),
            "event": each.event and present_event(each.event, view),
            "similar": [
                _present_similar(event, view.context) for event in similar.get(each.id, ())
            ],
        }
        for each in submissions
    ]


def _present_state(submission: Submission) -> JSONObject:
    return {
        "id": submission.id,
        "state": submission.state,
        "language": submission.language,
        "submitted": _moment(submission.submitted),
        "mended": _moment(submission.mended),
        "question": submission.question,
        "reason": submission.reason,
    }


def _present_similar(similar: SimilarEvent, context: ReadContext) -> JSONObject:
    event = similar.event
    texts = localize(event["variants"], ["title"], context.chain)
    return {
        "id": event["_id"],
        "title": texts["title"],
        "start_date": date_text(event["start_local"]),
        "status": event["status"],
        "same_place": similar.same_place,
        "rest_url": context.addresses.record(EVENT.name, event["_id"]),
    }


def _moment(moment: datetime | None) -> str | None:
    return date_text(moment) if moment else None


blueprint = Blueprint("submissions", __name__, description="What people without an account send")
# A list of contributions is one of events under another name.
_SUBMISSION = replace(EVENT, name="submissions", singular="submission", fed=False)


@blueprint.route("/submissions")
class SubmissionList(ResourceView):
    @blueprint.arguments(QueueSchema, location="query")
    @blueprint.response(200, SubmissionPageShape)
    def get(self, sent: Record) -> Response:
        """List the waiting contributions, the oldest first; for editors."""
        context = _deciding()
        settings, services = context.settings, context.services
        size = min(sent.get("per_page", settings.per_page), settings.max_per_page)
        page = queue(context, sent["page"], size)
        similar = services.similar_events.similar_to(page.items)
        items = present_all(services.submissions.of_events(page.items), similar)
        return answer_page(_SUBMISSION, page, items, list_address(_SUBMISSION, context))

    @accept_picture
    @blueprint.arguments(SubmissionSchema)
    @blueprint.doc(requestBody=dict(WITH_PICTURE))
    @blueprint.response(201, ReceiptShape)
    def post(self, sent: Record) -> Response:
        """Send an event, to be published by those who may; no account is needed."""
        context = current.context()
        picture = sent_picture(context)
        receipt = receive(context, sent, context.language, new_token(), picture)
        return answer(_present_receipt(receipt), 201)


@blueprint.route("/submissions/sent")
class SentSubmission(ResourceView):
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, SentShape)
    def get(self, sent: Record) -> Response:
        """Read a contribution as its sender, by the token."""
        context = current.context()
        context.caller = SENDER
        submission = context.services.submissions.find(sent["token"])
        return _private(answer(present_sent(submission)))

    @accept_picture
    @blueprint.arguments(SubmissionChangeSchema(partial=True))
    @blueprint.doc(requestBody=dict(WITH_PICTURE))
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, SentShape)
    def post(self, changes: Record, sent: Record) -> Response:
        """Change a contribution as its sender until it is decided; omitted fields stay."""
        context = current.context()
        picture = sent_picture(context)
        submission = mend(context, sent["token"], changes, context.language, picture)
        return _private(answer(present_sent(submission)))

    put = patch = post

    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, SentShape)
    def delete(self, sent: Record) -> Response:
        """Withdraw a contribution as its sender until it is decided."""
        context = current.context()
        context.caller = SENDER
        submission = context.services.submissions.withdraw(sent["token"])
        return _private(answer(present_sent(submission)))


@blueprint.route("/submissions/sent/picture")
class SentPicture(ResourceView):
    @blueprint.arguments(TokenSchema, location="query")
    @blueprint.response(200, dict(BINARY), content_type="image/*")
    def get(self, sent: Record) -> Response:
        """Read the picture of a contribution as its sender, by the token."""
        context = current.context()
        context.caller = SENDER
        return preview(context.services.submissions.find(sent["token"]), context)


@blueprint.route("/submissions/<digits:id>/picture")
class QueuedPicture(ResourceView):
    @blueprint.response(200, dict(BINARY), content_type="image/*")
    def get(self, **path: Any) -> Response:
        """Read the picture of a contribution; for editors."""
        context = _deciding()
        return preview(context.services.submissions.of_event(path["id"]), context)


@blueprint.route("/submissions/<digits:id>")
class SubmissionById(ResourceView):
    @blueprint.response(200, QueuedSubmissionShape)
    def get(self, **path: Any) -> Response:
        """Read a contribution with similar events; for editors."""
        services = _deciding().services
        submission = services.submissions.of_event(path["id"])
        events = [submission.event] if submission.event else []
        similar = services.similar_events.similar_to(events)
        return answer(present_all([submission], similar)[0])


@blueprint.route("/submissions/<digits:id>/publish")
class PublishedSubmission(ResourceView):
    @blueprint.response(200, SentShape)
    def post(self, **path: Any) -> Response:
        """Publish a contribution with its new venue and organizer."""
        context, event_id = _deciding(), path["id"]
        submission = publish(context, event_id, _revision(event_id, context))
        return answer(present_sent(submission))


@blueprint.route("/submissions/<digits:id>/ask")
class AskedSubmission(ResourceView):
    @blueprint.arguments(QuestionSchema)
    @blueprint.response(200, SentShape)
    def post(self, sent: Record, **path: Any) -> Response:
        """Ask the sender a question."""
        submission = ask(_deciding(), path["id"], sent["question"])
        return answer(present_sent(submission))


@blueprint.route("/submissions/<digits:id>/refuse")
class RefusedSubmission(ResourceView):
    @blueprint.arguments(ReasonSchema)
    @blueprint.response(200, SentShape)
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
    return expected_revision(event, view_of(EVENT, [event]), present_event)


def _present_receipt(receipt: Receipt) -> Record:
    submission = present_sent(receipt.submission)
    return {**submission, "token": receipt.token, "url": receipt.link}


def _private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    return response
