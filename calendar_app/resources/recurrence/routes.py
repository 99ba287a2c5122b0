"""Previews of recurrences: the dates and the words, while an event is being written."""

from flask import Response

from calendar_app.content.recurrence_text.describing import template_language
from calendar_app.domain import timespan
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.expansion import unskipped
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import InvalidRecurrence
from calendar_app.domain.timespan import EndBeforeStart, TimeSpan
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.answers.answering import answer
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.presentation.records import JSONObject
from calendar_app.resources.recurrence.presentation import present
from calendar_app.resources.recurrence.schemas import (
    RecurrencePreviewRequestSchema,
    RecurrencePreviewSchema,
)

blueprint = Blueprint("recurrence", __name__, description="When events recur")


@blueprint.route("/recurrence/preview")
class RecurrencePreview(ResourceView):
    @blueprint.arguments(RecurrencePreviewRequestSchema)
    @blueprint.response(200, RecurrencePreviewSchema)
    def post(self, sent: Record) -> Response:
        """Show the first 50 dates of a recurrence, and its words; nothing is stored."""
        return answer(preview(sent))


def preview(sent: Record) -> JSONObject:
    """Return the dates and the words of a loaded request."""
    span = unskipped(_settle_span(sent), sent["start"], sent["end"])
    sent_recurrence = sent.get("recurrence", SentRecurrence())
    try:
        schedule = current.services().schedule
        recurrence = schedule.settle(sent_recurrence, span)
        since = schedule.since(recurrence, span)
        return present(recurrence, span, since, template_language(current.chain()))
    except InvalidRecurrence as error:
        raise InvalidParameters({"recurrence": error.args[0]}) from error


def _settle_span(sent: Record) -> TimeSpan:
    try:
        return timespan.settle(
            None,
            start=sent["start"],
            end=sent["end"],
            timezone=sent.get("timezone"),
            all_day=sent.get("all_day"),
            site_timezone=current.settings().timezone,
        )
    except EndBeforeStart as error:
        raise InvalidParameters({"end": Message("end lies before start.")}) from error
    except ValueError as error:
        raise InvalidParameters({"start": Message("start is out of range.")}) from error
