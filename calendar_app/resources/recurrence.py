"""Previews of recurrences: the dates and the words, while an event is being written."""

from datetime import datetime
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.content.recurrence_text.describing import describe, template_language
from calendar_app.domain import timespan
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.changing import unused
from calendar_app.domain.recurrence.expansion import expand, last_start, listed_from, unskipped
from calendar_app.domain.recurrence.notation import SentRecurrence, as_json
from calendar_app.domain.recurrence.rules import InvalidRecurrence, Occurrence, Recurrence
from calendar_app.domain.timespan import EndBeforeStart, TimeSpan
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.answers.answering import answer
from calendar_app.http.fields.changes import DATE_TIME, moment
from calendar_app.http.fields.scalars import Converted, Flag
from calendar_app.http.fields.schema import RequestSchema, Values
from calendar_app.http.presentation import AnswerShape
from calendar_app.http.request import current
from calendar_app.http.request.current import Context
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.presentation.records import JSONObject, date_text
from calendar_app.resources.events.schemas import RecurrenceField, zone_name

# An event can be previewed under its own names.
_NAMES_IN_EVENTS = {"start_date": "start", "end_date": "end"}


class RecurrencePreviewRequestSchema(RequestSchema):
    """The times of an event that is not stored, and its recurrence."""

    start = Converted(
        moment,
        DATE_TIME,
        required=True,
        description="The start of the event, on the clocks of its zone.",
    )
    end = Converted(
        moment,
        DATE_TIME,
        required=True,
        description="The end of the event, on the clocks of its zone.",
    )
    timezone = Converted(
        zone_name,
        {"type": "string"},
        description="An IANA zone or an offset; else the zone of the site.",
    )
    all_day = Flag(description="Whether it lasts the whole day.")
    recurrence = RecurrenceField(
        description="Rules, extra dates and exceptions; or lines of RFC 5545.",
    )

    @ma.pre_load
    def rename(self, body: Values, **_: Any) -> Values:
        """Read an event's own names for its times."""
        renamed = {name: body[alias] for alias, name in _NAMES_IN_EVENTS.items() if alias in body}
        return Values(renamed | body, body.context)


class OccurrenceShape(AnswerShape):
    """One date of a series."""

    recurrence_id = ma.fields.String(metadata={"description": "The start by the rule."})
    start_date = ma.fields.String()
    end_date = ma.fields.String()
    utc_start_date = ma.fields.String()
    utc_end_date = ma.fields.String()


class RecurrencePreviewSchema(AnswerShape):
    """The first dates of a series, and its recurrence in words."""

    text = ma.fields.String(
        metadata={"description": "The recurrence in words; empty for one event."}
    )
    dates = ma.fields.List(ma.fields.Nested(OccurrenceShape))
    more = ma.fields.Boolean(metadata={"description": "Whether there are more dates than these."})
    dates_from = ma.fields.String(
        allow_none=True,
        metadata={"description": "The date from which all are listed; null: the first."},
    )
    unused_exdate = ma.fields.List(
        ma.fields.String(),
        metadata={"description": "Exceptions on which nothing would take place anyway."},
    )
    recurrence = ma.fields.Dict(metadata={"description": "The recurrence as it would be stored."})


_MOST_DATES = 50


def present(
    recurrence: Recurrence, span: TimeSpan, since: datetime | None, language: str
) -> JSONObject:
    """Return the words for a recurrence, and its first dates, those of rules ``since`` then."""
    occurrences = expand(recurrence, span, since=since, until=None, limit=_MOST_DATES + 1)
    listed = {occurrence.recurrence_id for occurrence in occurrences}
    begin = since and listed_from(recurrence, span, listed, since)
    is_endless = bool(recurrence.rules) and last_start(recurrence, span) is None
    return {
        "text": describe(recurrence, span, language) if recurrence else "",
        "dates": [_present_date(occurrence) for occurrence in occurrences[:_MOST_DATES]],
        "more": is_endless or len(occurrences) > _MOST_DATES,
        "dates_from": begin and date_text(begin),
        "unused_exdate": [date_text(wall) for wall in unused(recurrence, span)],
        "recurrence": as_json(recurrence),
    }


def _present_date(occurrence: Occurrence) -> JSONObject:
    span = occurrence.span
    return {
        "recurrence_id": date_text(occurrence.recurrence_id),
        "start_date": date_text(span.start_local),
        "end_date": date_text(span.end_local),
        "utc_start_date": date_text(span.start),
        "utc_end_date": date_text(span.end),
    }


blueprint = Blueprint("recurrence", __name__, description="When events recur")


@blueprint.route("/recurrence/preview")
class RecurrencePreview(ResourceView):
    @blueprint.arguments(RecurrencePreviewRequestSchema)
    @blueprint.response(200, RecurrencePreviewSchema)
    def post(self, sent: Record) -> Response:
        """Show the first 50 dates of a recurrence, and its words; nothing is stored."""
        return answer(preview(sent, current.context()))


def preview(sent: Record, context: Context) -> JSONObject:
    """Return the dates and the words of a loaded request."""
    span = unskipped(_settle_span(sent, context.settings.timezone), sent["start"], sent["end"])
    sent_recurrence = sent.get("recurrence", SentRecurrence())
    try:
        schedule = context.services.schedule
        recurrence = schedule.settle(sent_recurrence, span)
        since = schedule.since(recurrence, span)
        return present(recurrence, span, since, template_language(context.chain))
    except InvalidRecurrence as error:
        raise InvalidParameters({"recurrence": error.args[0]}) from error


def _settle_span(sent: Record, site_timezone: str) -> TimeSpan:
    try:
        return timespan.settle(
            None,
            start=sent["start"],
            end=sent["end"],
            timezone=sent.get("timezone"),
            all_day=sent.get("all_day"),
            site_timezone=site_timezone,
        )
    except EndBeforeStart as error:
        raise InvalidParameters({"end": Message("end lies before start.")}) from error
    except ValueError as error:
        raise InvalidParameters({"start": Message("start is out of range.")}) from error
