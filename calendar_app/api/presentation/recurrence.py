"""The recurrence of a series, in the answer of the series and in those of its events."""

from calendar_app.api.presentation.records import RecordView, date_text
from calendar_app.api.presentation.shapes import Field, Shape, ShapeFields, either
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.domain.kinds import SERIES
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.domain.texts.recurrence_text.describing import describe


class PresentedRecurrence:
    """A series that is presented: its facts, with the recurrence as it can be sent."""

    def __init__(self, facts: SeriesFacts, view: RecordView) -> None:
        self.facts = facts
        self.id: int = facts.record["_id"]
        self.rest_url = view.context.addresses.record(SERIES.name, self.id)
        self.recurrence = as_json(facts.recurrence)
        self.text = describe(facts.recurrence, span_of(facts.record), view.context.chain[0])


RECURRENCE: ShapeFields[PresentedRecurrence] = {
    "rrule": Field(
        either("string", ["string"]),
        lambda it: it.recurrence["rrule"],
        "The rule; a list where there are several, empty where there is none.",
    ),
    "rdate": Field(
        [either("string", {"type": "object"})],
        lambda it: it.recurrence["rdate"],
        "Further dates; an object where one has an end of its own.",
    ),
    "exdate": Field(
        ["string"], lambda it: it.recurrence["exdate"], "The dates on which it does not take place."
    ),
    "text": Field(
        "string", lambda it: it.text, "The rule in words, in the language of the reader."
    ),
    "next": Field(
        "string|null",
        lambda it: it.facts.next and date_text(it.facts.next),
        "When the next event starts; null after the last one.",
    ),
    "count": Field("integer", lambda it: it.facts.count, "How many events the reader can see."),
    "dates_from": Field(
        "string|null",
        lambda it: it.facts.dates_from and date_text(it.facts.dates_from),
        "The date from which all have events; null: the first.",
    ),
}
SERIES_IN_EVENT = Shape[PresentedRecurrence](
    "SeriesInEvent",
    {
        "id": Field("integer", lambda it: it.id, "The id of the series."),
        "rest_url": Field(
            "string", lambda it: it.rest_url, "The address of the series in this interface."
        ),
        **RECURRENCE,
    },
)
