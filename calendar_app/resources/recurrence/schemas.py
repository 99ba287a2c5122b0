"""Request and response schemas of previews."""

from typing import Any

import marshmallow as ma

from calendar_app.http.fields.changes import DATE_TIME, moment
from calendar_app.http.fields.recurrence import RecurrenceField
from calendar_app.http.fields.scalars import Converted, Flag
from calendar_app.http.presentation.shapes import AnswerShape
from calendar_app.resources.events.schemas import zone_name

# An event can be previewed under its own names.
_NAMES_IN_EVENTS = {"start_date": "start", "end_date": "end"}


class RecurrencePreviewRequestSchema(ma.Schema):
    """The times of an event that is not stored, and its recurrence."""

    class Meta:
        unknown = ma.EXCLUDE

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
    def rename(self, body: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Read an event's own names for its times."""
        renamed = {name: body[alias] for alias, name in _NAMES_IN_EVENTS.items() if alias in body}
        return renamed | dict(body)


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
