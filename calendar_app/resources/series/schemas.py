"""Request and response schemas of series."""

from collections.abc import Collection
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.http.presentation.shapes import PageShape, PostShape
from calendar_app.kinds import SERIES
from calendar_app.resources.events.response_schemas import EventSchema, SeriesInEventSchema
from calendar_app.resources.events.schemas import EventChangeSchema


class SeriesChangeSchema(EventChangeSchema):
    """Request body of a series: what is sent is changed in all its events."""

    class Meta(EventChangeSchema.Meta):
        exclude = ("scope",)

    kind = SERIES


class SeriesSchema(EventSchema):
    """Response body of a series: the fields of its events, and its recurrence."""

    class Meta:
        exclude = ("feeds", "recurrence_id", "overrides", "series", "distance")

    # A protected series tells nothing of its recurrence.
    sometimes: ClassVar[Collection[str]] = (
        *PostShape.sometimes,
        *("recurrence", "rrule", "rdate", "exdate", "text", "next", "count", "dates_from"),
    )

    events_url = ma.fields.String()
    recurrence = ma.fields.Dict(metadata={"description": "As it can be sent."})
    rrule = SeriesInEventSchema._declared_fields["rrule"]  # noqa: SLF001  # the same field
    rdate = SeriesInEventSchema._declared_fields["rdate"]  # noqa: SLF001
    exdate = SeriesInEventSchema._declared_fields["exdate"]  # noqa: SLF001
    text = ma.fields.String()
    next = ma.fields.String(allow_none=True)
    count = ma.fields.Integer()
    dates_from = SeriesInEventSchema._declared_fields["dates_from"]  # noqa: SLF001


class SeriesPageSchema(PageShape):
    series: Any = ma.fields.List(ma.fields.Nested(SeriesSchema))
