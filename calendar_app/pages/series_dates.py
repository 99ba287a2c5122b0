"""The series of an event on its page: its rule in words, its next dates, its feed."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.calendar.reading.event_lists import ending_by, starting_from
from calendar_app.content.recurrence_text.describing import describe
from calendar_app.domain.moments import default_window
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.http.request import current
from calendar_app.pages.events import read_events, search
from calendar_app.pages.links import Place
from calendar_app.pages.subscriptions import subscription
from calendar_app.query.clauses import all_of, equals
from calendar_app.readmodel.events import ReadEvent

_MOST_DATES = 6


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """A series: its recurrence in words, its coming ``events``, its list and its feed."""

    text: str
    events: Sequence[ReadEvent]
    list_page: str
    ics: str


def series_dates(event: ReadEvent) -> SeriesDates | None:
    """Return the other dates of the series of an event; ``None`` for a single event."""
    facts = event.series
    if facts is None:
        return None
    own_filter = {"series": str(event.record["series"])}
    begin, end = default_window(current.today(), current.site_zone())
    own_dates = equals("series", event.record["series"])
    coming = read_events(
        search(all_of([starting_from(begin), ending_by(end), own_dates]), _MOST_DATES + 1).items
    )
    return SeriesDates(
        text=describe(facts.recurrence, span_of(facts.record), event.language),
        events=[date for date in coming if date.id != event.id][:_MOST_DATES],
        list_page=Place("list", query=tuple(own_filter.items())).address(),
        ics=subscription(own_filter).ics,
    )
