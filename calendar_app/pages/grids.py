"""The views by date: month and week as tables, the day by the hour."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.pages import wording
from calendar_app.pages.events import read_events
from calendar_app.pages.links import Place, neighbours, next_month
from calendar_app.pages.lists import next_event, today
from calendar_app.pages.questions import Question, ask, between
from calendar_app.readmodel.events import ReadEvent

_WEEK = 7
_MOST_BARS, _MOST_EVENTS = 4, 4


@dataclass(frozen=True, slots=True)
class Cell:
    """Some columns of a row: an event of several days, or room where there is none."""

    span: int
    event: ReadEvent | None = None
    begins: bool = True
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a table: events of that day alone, and how many are not drawn."""

    date: date
    events: Sequence[ReadEvent]
    every: Sequence[ReadEvent]
    more: int
    is_beyond: bool = False


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days, with the events of several days across them."""

    days: Sequence[Day]
    lanes: Sequence[Sequence[Cell]]


def span_of(place: Place) -> tuple[date, date] | None:
    """Return the first and the last day of a page by date."""
    day = place.day or today()
    match place.view:
        case "month":
            first = day.replace(day=1)
            return first, next_month(first) - timedelta(days=1)
        case "week":
            first = _first_of_week(day)
            return first, first + timedelta(days=_WEEK - 1)
        case "day":
            return day, day
        case _:
            return None


def window_of(place: Place) -> dict[str, str]:
    """Return the filters of the days that a page is about; none where it is about no days."""
    span = span_of(place)
    return between(*span) if span else {}


def _first_of_week(day: date) -> date:
    begin = wording.first_weekday(current.language())
    return day - timedelta(days=(day.weekday() - begin) % _WEEK)


def fill_month(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    first, last = span_of(place) or (today(), today())
    question, events, total = _between(fixed, first, last)
    start = _first_of_week(first)
    weeks = []
    while start <= last:
        weeks.append(_week(start, events, (first, last)))
        start += timedelta(days=_WEEK)
    listed = [day for week in weeks for day in week.days if day.every and not day.is_beyond]
    context = {"weeks": weeks, "days": listed}
    return question, context | _shared(place, question, events, total, (first, last))


def fill_week(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    first, last = span_of(place) or (today(), today())
    question, events, total = _between(fixed, first, last)
    week = _week(first, events, (first, last), crowded=True)
    context = {"week": week, "days": week.days, "hours": _hours(week.days)}
    return question, context | _shared(place, question, events, total, (first, last))


def fill_day(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    day = place.day or today()
    question, events, total = _between(fixed, day, day)
    # What came over midnight ends on this day; what goes on beyond it is on all day.
    long = [event for event in events if event.all_day or event.days[0] < day < event.days[1]]
    hours: dict[int, list[ReadEvent]] = {}
    for event in events:
        if event not in long:
            hours.setdefault(_hour(event, day), []).append(event)
    context = {"long": long, "hours": sorted(hours.items())}
    return question, context | _shared(place, question, events, total, (day, day))


def _between(
    fixed: Mapping[str, Any], first: date, last: date
) -> tuple[Question, list[ReadEvent], int]:
    """Return the events between two days, by start."""
    question = ask(fixed, between(first, last), whole=True)
    if question.listing is None:
        return question, [], 0
    page = current.reader().search(EVENT, question.listing, current.caller())
    items = sorted(page.items, key=lambda event: (event["start_local"], event["_id"]))
    return question, read_events(items), page.total


def _shared(
    place: Place,
    question: Question,
    events: Sequence[ReadEvent],
    total: int,
    span: tuple[date, date],
) -> dict[str, Any]:
    first, last = span
    before, after = neighbours(place.view, first)
    return {
        "events": events,
        "total": total,
        "first": first,
        "last": last,
        "previous": place.to(place.view, before).address(),
        "following": place.to(place.view, after).address(),
        "next_event": None if events or question.errors else next_event(question, last),
    }


def _week(
    start: date, events: Sequence[ReadEvent], span: tuple[date, date], *, crowded: bool = False
) -> Week:
    """Return a week; ``crowded``: all of its events are drawn."""
    dates = [start + timedelta(days=number) for number in range(_WEEK)]
    long = [event for event in events if _crosses(event) and _is_on(event, dates[0], dates[-1])]
    lanes, hidden = _lanes(long, dates, span, most=len(long) if crowded else _MOST_BARS)
    days = []
    for day in dates:
        beyond = not span[0] <= day <= span[1]
        every = [] if beyond else [event for event in events if _is_on(event, day, day)]
        short = [event for event in every if not _crosses(event)]
        drawn = short if crowded or len(short) <= _MOST_EVENTS else short[: _MOST_EVENTS - 1]
        more = len(short) - len(drawn) + sum(1 for event in hidden if event in every)
        days.append(Day(day, drawn, every, more, beyond))
    return Week(days, lanes)


def _lanes(
    events: Iterable[ReadEvent], dates: Sequence[date], span: tuple[date, date], most: int
) -> tuple[list[list[Cell]], list[ReadEvent]]:
    """Lay events of several days into rows, each into the first that has room for it."""
    rows: list[list[tuple[int, int, ReadEvent]]] = []
    hidden = []
    for event in events:
        first, last = event.days
        left = (max(first, dates[0], span[0]) - dates[0]).days
        right = (min(last, dates[-1], span[1]) - dates[0]).days
        row = next((row for row in rows if row[-1][1] < left), None)
        if row is None and len(rows) < most:
            rows.append(row := [])
        if row is None:
            hidden.append(event)
        else:
            row.append((left, right, event))
    return [_cells(row, dates) for row in rows], hidden


def _cells(row: Sequence[tuple[int, int, ReadEvent]], dates: Sequence[date]) -> list[Cell]:
    cells, column = [], 0
    for start, right, event in row:
        if start > column:
            cells.append(Cell(start - column))
        first, last = event.days
        begins, ends = dates[start] == first, dates[right] == last
        cells.append(Cell(right - start + 1, event, begins, ends))
        column = right + 1
    if column < _WEEK:
        cells.append(Cell(_WEEK - column))
    return cells


def _hours(days: Sequence[Day]) -> list[tuple[int, list[list[ReadEvent]]]]:
    """Return the hours in which something begins, each with the events of every day."""
    timed = [
        [(_hour(event, day.date), event) for event in day.events if not event.all_day]
        for day in days
    ]
    hours = sorted({hour for day in timed for hour, _ in day})
    return [(hour, [[event for h, event in day if h == hour] for day in timed]) for hour in hours]


def _hour(event: ReadEvent, day: date) -> int:
    """Return the hour at which an event begins on a day; 0 if it began earlier."""
    return event.start.hour if event.days[0] == day else 0


def _crosses(event: ReadEvent) -> bool:
    first, last = event.days
    return first != last and event.is_long


def _is_on(event: ReadEvent, first: date, last: date) -> bool:
    begins, ends = event.days
    return begins <= last and ends >= first
