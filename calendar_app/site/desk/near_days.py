"""The events of today and tomorrow, each with its actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from calendar_app.accounts.policy import editable_by
from calendar_app.api.http.request.current import Context
from calendar_app.calendar.reading.event_lists import on_day
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.event_form.occurrences import SeriesDate, series_date
from calendar_app.site.desk.event_form.showing import notation
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.desk.rendering import language
from calendar_app.site.html import wording
from calendar_app.site.pages.events import read_events, today
from calendar_app.storage.query.clauses import all_of, any_of
from calendar_app.storage.query.list_query import Listing, Window

_BY_START = (("start_local", 1), ("_id", 1))
_STATUSES = (PUBLISH, FUTURE, PRIVATE, DRAFT, PENDING)
_MOST = 60


@dataclass(frozen=True, slots=True)
class NearEvent:
    """An event of a near day, with its ``time`` on this day and its ``state``."""

    event: ReadEvent
    time: str
    state: SeriesDate


@dataclass(frozen=True, slots=True)
class NearDay:
    """A day and its events by start; running ones come last."""

    day: date
    events: Sequence[NearEvent]


def near_days(context: Context) -> list[NearDay]:
    """Return today and tomorrow with the events that the user may edit."""
    first, how = today(context), notation()
    days = (first, first + timedelta(days=1))
    on_either = any_of(on_day(day, context.night_to(day)) for day in days)
    clause = all_of([editable_by(context.caller), on_either])
    listing = Listing(Window(1, _MOST), _BY_START, clause, _STATUSES, first_in_series=False)
    events = read_events(context.reader.search(EVENT, listing, context.caller).items)
    return [NearDay(day, _of_day(events, day, how, is_first=day == first)) for day in days]


def _of_day(
    events: Sequence[ReadEvent], day: date, how: Notation, *, is_first: bool
) -> list[NearEvent]:
    """Return the events that begin on a day, and the running ones on the first."""
    beginning = [event for event in events if event.start.date() == day]
    going_on = [event for event in events if event.start.date() < day <= event.end.date()]
    listed = [*beginning, *(going_on if is_first else ())]
    return [NearEvent(event, _time(event, day), series_date(event.record, how)) for event in listed]


def _time(event: ReadEvent, day: date) -> str:
    """Return the hours of an event on a day, or all its days; empty for one whole day."""
    if event.start.date() < day or (event.all_day and event.end.date() > day):
        return wording.date_range(event.start.date(), event.end.date(), language())
    return "" if event.all_day else wording.hours(event.start, event.end, language())
