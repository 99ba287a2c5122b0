"""The events of a stored series: which of them take place, and which differ from its rule."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from calendar_app.accounts.policy import listed_for
from calendar_app.api.http.request import current
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import CANCELED, POSTPONED, TRASH
from calendar_app.domain.statuses import STATUSES as ALL_STATUSES
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.event_form.dates import PreviewDate
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.desk.rendering import language
from calendar_app.site.html import wording
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    at_most,
    equals,
    one_of,
)
from calendar_app.storage.query.list_query import Listing, Window

LEFT_OUT, MOVED = "left-out", "moved"
_NOT_TAKING_PLACE = (CANCELED, POSTPONED)
_WHOLE_YEAR, _MOST_CHANGED = Window(1, 400), 500
_START = "start_local"


@dataclass(frozen=True, slots=True)
class SeriesDate:
    """One event of a series: when it is, and whether it takes place.

    ``state`` is empty, that of an event called off or postponed, or that it is left out.
    """

    id: int
    when: str
    state: str
    is_moved: bool
    reason: str
    is_past: bool


def when_of(event: Record) -> str:
    """Return when an event is, shortly where it is within a day."""
    start, end, all_day = event[_START], event["end_local"], event["all_day"]
    if start.date() != end.date() and not all_day:
        return wording.when(start, end, language(), all_day=False)
    return wording.short_moment(start, end, language(), all_day=all_day)


def event_in_words(event: Record) -> str:
    """Return the title of an event, and when it is."""
    title = local_text(event, "title", current.context().chain).text
    return ", ".join(filter(None, (title, when_of(event))))


def moved_texts(before: Record, after: Record) -> dict[str, str]:
    """Return the former and the new time of an event, for a message."""
    old, new = ((event[_START], event["end_local"]) for event in (before, after))
    all_day = bool(before["all_day"] and after["all_day"])
    is_short = all(start.date() == end.date() for start, end in (old, new))
    if is_short and before["all_day"] == after["all_day"]:
        texts = wording.move(old, new, language(), all_day=all_day)
    else:
        texts = when_of(before), when_of(after)
    return dict(zip(("date", "new_date"), texts, strict=True))


@dataclass(frozen=True, slots=True)
class SeriesYear:
    """The dates of a series in a year, and the years before and after; 0 where none has dates."""

    year: int
    dates: Sequence[SeriesDate]
    earlier: int
    later: int


def dates_in_year(series_id: int, sent_year: int | None, how: Notation) -> SeriesYear:
    """Return the dates in the year that was sent; without one in this year, or the next to it."""
    years = [
        record[_START].year
        for direction in (1, -1)
        for record in _dates(series_id, EVERYTHING, Window(1, 1), direction)
    ]
    if not years:
        return SeriesYear(sent_year or how.today.year, (), 0, 0)
    first, last = years[0], years[-1]
    year = min(max(sent_year or how.today.year, first), last)
    begins, ends = datetime(year, 1, 1), datetime(year, 12, 31, 23, 59, 59)  # noqa: DTZ001  # wall clock
    clause = all_of([at_least(_START, begins), at_most(_START, ends)])
    dates = [series_date(each, how) for each in _dates(series_id, clause, _WHOLE_YEAR)]
    earlier, later = year - 1 if year > first else 0, year + 1 if year < last else 0
    return SeriesYear(year, dates, earlier, later)


def _dates(series_id: int, clause: Clause, window: Window, direction: int = 1) -> list[Record]:
    context = current.context()
    clause = all_of(
        [equals("series", series_id), listed_for(context.caller, by_title=True), clause]
    )
    order = ((_START, direction), ("_id", direction))
    listing = Listing(window, order, clause, statuses=ALL_STATUSES)
    return list(context.reader.search(EVENT, listing, context.caller).items)


def series_date(record: Record, how: Notation) -> SeriesDate:
    """Return an event of a series with its state."""
    status = record.get("event_status", "")
    state = LEFT_OUT if record["status"] == TRASH else status if status in _NOT_TAKING_PLACE else ""
    return SeriesDate(
        record["_id"],
        when_of(record),
        state,
        _START in record.get("overrides", ()),
        local_text(record, "status_reason", current.context().chain).text,
        record["end_local"].date() < how.today,
    )


def with_changes(series_id: int, dates: Sequence[PreviewDate], how: Notation) -> list[PreviewDate]:
    """Return the dates of a rule, marked where their events are called off or moved."""
    context = current.context()
    is_changed = any_of(
        [
            one_of("event_status", _NOT_TAKING_PLACE),
            equals("overrides", _START),
            equals("status", TRASH),
        ]
    )
    clause = all_of([equals("series", series_id), is_changed])
    listing = Listing(Window(1, _MOST_CHANGED), ((_START, 1),), clause, statuses=ALL_STATUSES)
    changed = {
        record["recurrence_id"].isoformat(): series_date(record, how)
        for record in context.reader.search(EVENT, listing, context.caller).items
    }
    return [
        replace(date, state=own.state or MOVED, note=own.reason if own.state else own.when)
        if (own := changed.get(date.id)) and not date.state
        else date
        for date in dates
    ]
