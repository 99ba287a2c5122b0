"""Presents the series of events."""

from calendar_app.calendar.reading.links import Linked, readable_overrides
from calendar_app.calendar.reading.series import SeriesFacts
from calendar_app.content.recurrence_text.describing import describe
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.documents import span_of
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.http.presentation.field_names import field_names
from calendar_app.http.presentation.presenting import JSONObject, View, date_text
from calendar_app.resources.events.kind import EVENT


def overridden_fields(event: Record, series: Record, linked: Linked) -> list[str]:
    """Return the names of the fields in which an event differs from its series.

    A text counts in whichever language it differs; a language that the event lacks alone is
    called ``translations``. Venues and organizers count as far as the caller may read them.
    """
    paths = readable_overrides(event, series, linked)
    return list(dict.fromkeys(name for path in paths for name in _names(path)))


def present_facts(facts: SeriesFacts, view: View) -> JSONObject:
    """Present the recurrence of a series, its next date, number and first of all its events."""
    return {
        **as_json(facts.recurrence),
        "text": describe(facts.recurrence, span_of(facts.record), view.chain[0]),
        "next": facts.next and date_text(facts.next),
        "count": facts.count,
        "dates_from": facts.dates_from and date_text(facts.dates_from),
    }


def _names(path: str) -> tuple[str, ...]:
    first, _, rest = path.partition(".")
    if first == "variants":
        return (rest.partition(".")[2] or "translations",)
    return field_names(EVENT, path)
