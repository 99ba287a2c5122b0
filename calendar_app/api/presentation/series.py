"""Presentation of a series: as its first event, with the recurrence in place of feeds."""

from collections.abc import Callable
from typing import Any

from calendar_app.api.presentation.events import EVENT_FIELDS, PresentedEvent, present_as
from calendar_app.api.presentation.json_ld import series_node
from calendar_app.api.presentation.nodes import document
from calendar_app.api.presentation.records import RecordView, date_text, json_ld
from calendar_app.api.presentation.recurrence import RECURRENCE, PresentedRecurrence
from calendar_app.api.presentation.shapes import ABSENT, Field, JSONObject, Shape
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import SERIES


class _PresentedSeries(PresentedEvent):
    """A series that is presented; a locked one tells nothing of its recurrence."""

    def __init__(self, record: Record, view: RecordView, *, single: bool) -> None:
        super().__init__(SERIES, record, view, single=single)
        facts = None if self.read.is_locked else view.context.series.get(record["_id"])
        self.series = PresentedRecurrence(facts, view) if facts else None


def _series_document(it: _PresentedSeries) -> JSONObject | None:
    if it.series is None or it.record["password"] is not None:
        return None
    return document(series_node(it.series.facts, it.read.title.text, it.read.url))


def _of_recurrence(field: Field[PresentedRecurrence]) -> Callable[[_PresentedSeries], Any]:
    return lambda it: field.value(it.series) if it.series else ABSENT


_NOT_OF_SERIES = {"feeds", "recurrence_id", "overrides", "series", "json_ld", "distance"}
SERIES_SHAPE = Shape[_PresentedSeries](
    "Series",
    {
        **{name: field for name, field in EVENT_FIELDS.items() if name not in _NOT_OF_SERIES},
        "events_url": Field(
            "string",
            lambda it: f"{it.context.addresses.record(SERIES.name, it.read.id)}/events",
            "The address of the list of its events.",
        ),
        **json_ld(_series_document),
        "recurrence": Field(
            "object",
            lambda it: it.series.recurrence if it.series else ABSENT,
            "In the form in which it can be sent.",
            sometimes=True,
        ),
        **{
            name: Field(field.type, _of_recurrence(field), field.meaning, sometimes=True)
            for name, field in RECURRENCE.items()
        },
        "dates_until": Field(
            "string",
            lambda it: date_text(it.record["expanded_until"]) if it.series else ABSENT,
            "The time up to which its dates have events.",
            sometimes=True,
        ),
    },
)


def present_series(
    series: Record,
    view: RecordView,
    *,
    single: bool = False,
    shape: Shape[Any] = SERIES_SHAPE,
) -> JSONObject:
    """Present a series as its first event, with the recurrence in place of feeds."""
    return present_as(shape, _PresentedSeries(series, view, single=single))
