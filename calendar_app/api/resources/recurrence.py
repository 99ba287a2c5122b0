"""Previews of recurrences: the dates and the words, while an event is being written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.changes import DATE_TIME, moment
from calendar_app.api.http.fields.scalars import Converted, Flag
from calendar_app.api.http.fields.schema import RequestSchema, Values
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape
from calendar_app.api.resources.events.schemas import RecurrenceField, zone_name
from calendar_app.domain import timespan
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.changing import unused
from calendar_app.domain.recurrence.expansion import expand, last_start, listed_from, unskipped
from calendar_app.domain.recurrence.notation import SentRecurrence, as_json
from calendar_app.domain.recurrence.rules import InvalidRecurrence, Occurrence, Recurrence
from calendar_app.domain.texts.recurrence_text.describing import describe, template_language
from calendar_app.domain.timespan import EndBeforeStart, TimeSpan
from calendar_app.errors import InvalidParameters, Message

# An event can be previewed under its own names.
_NAMES_IN_EVENTS = {"start_date": "start", "end_date": "end"}


class RecurrencePreviewRequestSchema(RequestSchema):
    """The times of an event that is not stored, and its recurrence."""

    start = Converted(
        moment,
        DATE_TIME,
        required=True,
        description="The start of the event, in its time zone.",
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


_OCCURRENCE = Shape[Occurrence](
    "Occurrence",
    {
        "recurrence_id": Field(
            "string", lambda it: date_text(it.recurrence_id), "The start by the rule."
        ),
        "start_date": Field(
            "string",
            lambda it: date_text(it.span.start_local),
            "When it starts, in its time zone.",
        ),
        "end_date": Field(
            "string",
            lambda it: date_text(it.span.end_local),
            "When it ends, in its time zone.",
        ),
        "utc_start_date": Field(
            "string", lambda it: date_text(it.span.start), "When it starts, in UTC."
        ),
        "utc_end_date": Field("string", lambda it: date_text(it.span.end), "When it ends, in UTC."),
    },
)


@dataclass(frozen=True, slots=True)
class _Preview:
    """A recurrence in the ``language`` of the reader, with its first dates and some more."""

    recurrence: Recurrence
    span: TimeSpan
    language: str
    occurrences: Sequence[Occurrence]
    begin: datetime | None
    most: int


def _text(preview: _Preview) -> str:
    is_empty = not preview.recurrence
    return "" if is_empty else describe(preview.recurrence, preview.span, preview.language)


def _has_more(preview: _Preview) -> bool:
    recurrence = preview.recurrence
    is_endless = bool(recurrence.rules) and last_start(recurrence, preview.span) is None
    return is_endless or len(preview.occurrences) > preview.most


_PREVIEW = Shape[_Preview](
    "RecurrencePreview",
    {
        "text": Field("string", _text, "The recurrence in words; empty for one event."),
        "dates": Field(
            [_OCCURRENCE],
            lambda it: [_OCCURRENCE.present(date) for date in it.occurrences[: it.most]],
            "The first dates.",
        ),
        "more": Field("boolean", _has_more, "Whether there are more dates than these."),
        "dates_from": Field(
            "string|null",
            lambda it: it.begin and date_text(it.begin),
            "The date from which all are listed; null: the first.",
        ),
        "unused_exdate": Field(
            ["string"],
            lambda it: [date_text(wall) for wall in unused(it.recurrence, it.span)],
            "Exceptions on dates without an event.",
        ),
        "recurrence": Field(
            "object", lambda it: as_json(it.recurrence), "The recurrence, as it would be stored."
        ),
    },
)
_MOST_DATES = 50


def present(
    recurrence: Recurrence,
    span: TimeSpan,
    since: datetime | None,
    language: str,
    most: int = _MOST_DATES,
) -> JSONObject:
    """Return the words for a recurrence, and its first dates, those of rules ``since`` then."""
    occurrences = expand(recurrence, span, since=since, until=None, limit=most + 1)
    listed = {occurrence.recurrence_id for occurrence in occurrences}
    begin = since and listed_from(recurrence, span, listed, since)
    return _PREVIEW.present(_Preview(recurrence, span, language, occurrences, begin, most))


blueprint = Blueprint("recurrence", __name__, description="Recurrence rules")


@blueprint.route("/recurrence/preview")
class RecurrencePreview(ResourceView):
    @blueprint.arguments(RecurrencePreviewRequestSchema)
    @blueprint.response(200, _PREVIEW)
    def post(self, sent: Record) -> Response:
        """Show the first 50 dates of a recurrence, and its words; nothing is stored."""
        context = current.context()
        return answer(preview(sent, context, template_language(context.chain)))


def preview(sent: Record, context: Context, language: str, most: int = _MOST_DATES) -> JSONObject:
    """Return the dates, so many at ``most``, and the words of a loaded request."""
    span = unskipped(_settle_span(sent, context.settings.timezone), sent["start"], sent["end"])
    sent_recurrence = sent.get("recurrence", SentRecurrence())
    try:
        schedule = context.services.schedule
        recurrence = schedule.settle(sent_recurrence, span)
        since = schedule.since(recurrence, span)
        return present(recurrence, span, since, language, most)
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
        raise InvalidParameters({"end": Message("end is before start.")}) from error
    except ValueError as error:
        raise InvalidParameters({"start": Message("start is out of range.")}) from error
