"""Views by date: a month or a week as a table, a day by its hours."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, partial
from typing import Any

from werkzeug.local import LocalProxy

from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.fragments import digest
from calendar_app.site.html import wording
from calendar_app.site.pages.choices import wider
from calendar_app.site.pages.events import fields_of_lines, read_events, read_lines
from calendar_app.site.pages.places import Place, neighbors, next_month
from calendar_app.site.pages.questions import MOST_EVENTS, PageQuery, Question, between
from calendar_app.site.pages.views import Filled, next_event, over
from calendar_app.storage.query.list_query import Page

Span = tuple[date, date]
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
    """A day of a table; ``drawn`` are those of its own events that its cell has room for.

    ``events`` are those of the day alone, ``lasting`` is the number of those that go on for days.
    """

    date: date
    events: Sequence[ReadEvent]
    lasting: int
    drawn: Sequence[ReadEvent]
    more: int
    is_beyond: bool = False


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days, with the events of several days across them."""

    days: Sequence[Day]
    lanes: Sequence[Sequence[Cell]]


def days_of(place: Place, today: date, language: str) -> Span:
    """Return the first and the last day of a page by date."""
    day = place.day or today
    match place.view:
        case "month":
            first = day.replace(day=1)
            return first, next_month(first) - timedelta(days=1)
        case "week":
            first = _first_of_week(day, language)
            return first, first + timedelta(days=_WEEK - 1)
        case _:
            return day, day


def _first_of_week(day: date, language: str) -> date:
    begin = wording.first_weekday(language)
    return day - timedelta(days=(day.weekday() - begin) % _WEEK)


def fill_days(page_query: PageQuery, place: Place) -> Filled:
    """Return the events of a month, a week or a day, as its table has them."""
    context = page_query.context
    first, last = span = days_of(place, page_query.today, context.language)
    question = page_query.question(between(first, last), whole=True)
    fill = _day if place.view == "day" else _table
    filled = fill(context, question, place, span, page_query.today)
    before, after = neighbors(place.view, first)
    is_told = filled["total"] or question.errors
    return question, filled | {
        "wider": () if is_told else wider(page_query, question, place),
        "first": first,
        "last": last,
        "previous": place.to(place.view, before).address(),
        "following": place.to(place.view, after).address(),
        "next_event": None if is_told else next_event(context, question, last),
    }


def _day(
    context: Context, question: Question, _place: Place, span: Span, _today: date
) -> dict[str, Any]:
    """Return the events of a day, by the hour."""
    events: list[ReadEvent] = []
    total = 0
    if question.listing:
        page = context.reader.search(EVENT, question.listing, context.caller)
        events, total = read_events(_by_start(page)), page.total
    hours = _single_day(events, span)
    return {"events": events, "over": over(context, events), "total": total, **hours}


def _by_start(page: Page) -> list[Record]:
    return sorted(page.items, key=lambda event: (event["start_local"], event["_id"]))


# A month or a week. Its lines are read only where they are drawn anew.


# How many events the description of a page names.
_FIRSTS = 5


@dataclass(frozen=True, slots=True)
class Lines:
    """What is kept of the lines of a table.

    ``version`` digests all that they show, ``ending`` are the ids of those that end today, each
    with its end, ``firsts`` the first few documents.
    """

    version: bytes = b""
    total: int = 0
    ending: Sequence[tuple[int, datetime]] = ()
    firsts: Sequence[Record] = ()


class LazyEvents(Sequence[ReadEvent]):
    """The events of lines; ``read`` reads them when somebody looks beyond the first few."""

    def __init__(self, lines: Lines, read: Callable[[], Sequence[ReadEvent]]) -> None:
        self._lines = lines
        self._read = read

    def __len__(self) -> int:
        return self._lines.total

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice) and place.stop is not None and 0 <= place.stop <= _FIRSTS:
            return read_lines(self._lines.firsts)[place]
        return self._read()[place]


def _table(
    context: Context, question: Question, place: Place, span: Span, today: date
) -> dict[str, Any]:
    """Return the lines of a month or a week, laid out when they are drawn."""
    fields, listing = fields_of_lines(context.chain), question.listing
    pages: list[Page] = []

    def page() -> Page:
        if not pages and listing:
            pages.append(context.reader.search(EVENT, listing, context.caller, fields))
        return pages[0]

    @cache
    def events() -> list[ReadEvent]:
        return read_lines(_by_start(page())) if listing else []

    def make() -> tuple[Sequence[int] | None, Lines]:
        ending = [(each.id, each.record["end"]) for each in events() if each.days[1] == today]
        items = _by_start(page())
        lines = Lines(digest(items), page().total, ending, items[:_FIRSTS])
        is_whole = len(events()) < MOST_EVENTS
        return array("q", (each.id for each in events())) if is_whole else None, lines

    lines = Lines()
    if listing:
        described = (today, tuple(fields))
        lines = context.reader.kept_list(EVENT, listing, context.caller, described, make)
    laid_out = cache(lambda: _TABLES[place.view](events(), span, context.language))
    minute = context.minute()
    return {
        "events": LazyEvents(lines, events),
        "over": tuple(number for number, end in lines.ending if end <= minute),
        "total": lines.total,
        "lines_version": lines.version,
        "chosen_day": LocalProxy(lambda: _chosen_day(events(), span, today)),
        **{name: LocalProxy(partial(_part, laid_out, name)) for name in _PARTS[place.view]},
    }


def _part(laid_out: Callable[[], Mapping[str, Any]], name: str) -> Any:
    return laid_out()[name]


def _chosen_day(events: Sequence[ReadEvent], span: Span, today: date) -> date:
    """Return the day that a narrow screen shows first: today, else the first with own events."""
    first, last = span
    if first <= today <= last:
        return today
    own = (event.days[0] for event in events if not _crosses(event))
    return min((max(day, first) for day in own), default=first)


def _month(events: Sequence[ReadEvent], span: Span, language: str) -> dict[str, Any]:
    first, last = span
    start, weeks = _first_of_week(first, language), []
    by_day = _on_days(events, span)
    long = [event for event in events if _crosses(event)]
    while start <= last:
        weeks.append(_week(start, by_day, long, span))
        start += timedelta(days=_WEEK)
    return {"weeks": weeks, "lasting": long}


def _single_week(events: Sequence[ReadEvent], span: Span, _language: str) -> dict[str, Any]:
    long = [event for event in events if _crosses(event)]
    week = _week(span[0], _on_days(events, span), long, span, crowded=True)
    return {"week": week, "days": week.days, "lasting": long, "hours": _hours(week.days)}


def _single_day(events: Sequence[ReadEvent], span: Span) -> dict[str, Any]:
    day = span[0]
    # What came over midnight ends on this day; what goes on beyond it is on all day.
    long = [event for event in events if event.all_day or event.days[0] < day < event.days[1]]
    hours: dict[int, list[ReadEvent]] = {}
    for event in events:
        if event not in long:
            hours.setdefault(_hour(event, day), []).append(event)
    return {"long": long, "hours": sorted(hours.items())}


_TABLES = {"month": _month, "week": _single_week}
_PARTS = {"month": ("weeks", "lasting"), "week": ("week", "days", "lasting", "hours")}
BY_DATE = frozenset({*_TABLES, "day"})


def _on_days(events: Sequence[ReadEvent], span: Span) -> Mapping[date, Sequence[ReadEvent]]:
    """Return the events of each day, in their order."""
    by_day: dict[date, list[ReadEvent]] = {}
    for event in events:
        first, last = event.days
        day, last = max(first, span[0]), min(last, span[1])
        while day <= last:
            by_day.setdefault(day, []).append(event)
            day += timedelta(days=1)
    return by_day


def _week(
    start: date,
    by_day: Mapping[date, Sequence[ReadEvent]],
    crossing: Sequence[ReadEvent],
    span: Span,
    *,
    crowded: bool = False,
) -> Week:
    """Return a week; ``crowded``: all of its events are drawn."""
    dates = [start + timedelta(days=number) for number in range(_WEEK)]
    long = [event for event in crossing if _is_on(event, dates[0], dates[-1])]
    lanes, hidden = _lanes(long, dates, span, most=len(long) if crowded else _MOST_BARS)
    days = []
    for day in dates:
        every = by_day.get(day, ())
        short = [event for event in every if not _crosses(event)]
        drawn = short if crowded or len(short) <= _MOST_EVENTS else short[: _MOST_EVENTS - 1]
        more = len(short) - len(drawn) + sum(1 for event in hidden if event in every)
        is_beyond = not span[0] <= day <= span[1]
        days.append(Day(day, short, len(every) - len(short), drawn, more, is_beyond))
    return Week(days, lanes)


def _lanes(
    events: Iterable[ReadEvent], dates: Sequence[date], span: Span, most: int
) -> tuple[list[list[Cell]], list[ReadEvent]]:
    """Lay events of several days into rows, each into the first that has room for it."""
    rows: list[list[tuple[int, int, ReadEvent]]] = []
    hidden = []
    for event in events:
        first, last = event.days
        offset = (max(first, dates[0], span[0]) - dates[0]).days
        right = (min(last, dates[-1], span[1]) - dates[0]).days
        row = next((row for row in rows if row[-1][1] < offset), None)
        if row is None and len(rows) < most:
            rows.append(row := [])
        if row is None:
            hidden.append(event)
        else:
            row.append((offset, right, event))
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
