"""The views of the calendar: lists by day, as cards or by place; month, week and day as tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from flask import abort
from marshmallow import ValidationError

from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.nodes import Node, document
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.fragments import digest
from calendar_app.readmodel.records import LocalText
from calendar_app.site.html import wording
from calendar_app.site.pages.choices import OF_DATES, wider
from calendar_app.site.pages.events import fields_of_lines, read_events, read_lines
from calendar_app.site.pages.places import Place, day_in_field, neighbors, next_month
from calendar_app.site.pages.questions import PageQuery, Question, between, load
from calendar_app.storage.query.list_query import Page, Window

# The question of a view, and what its template shows.
Filled = tuple[Question, dict[str, Any]]
Span = tuple[date, date]
_MISSING = 404
# Some twenty sheets of paper.
MOST_PRINTED = 200


_WEEK = 7
_MOST_BARS, _MOST_EVENTS = 4, 4


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page of a list stands, and its neighbors."""

    number: int
    pages: int
    total: int
    earlier: str
    later: str


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """The events at one venue."""

    name: LocalText
    point: tuple[float, float] | None
    events: Sequence[ReadEvent]


def fill_list(page_query: PageQuery, place: Place) -> Filled:
    """Return one page of a list, by day."""
    question, context = page_query.question(), page_query.context
    if question.listing is None:
        return question, {
            **dict.fromkeys(("events", "groups", "over", "wider"), ()),
            **dict.fromkeys(("paging", "next_event", "results_version", "item_list")),
        }
    page = context.reader.search(EVENT, question.listing, context.caller)
    if not page.items and page.window.number > max(page.pages, 1):
        abort(_MISSING)
    events = read_events(page.items)
    return question, {
        "events": events,
        "over": over(context, events),
        "groups": _by_day(events, question),
        "results_version": _version(events),
        "paging": _paging(page, question, place, page_query.today),
        "next_event": None if events else _next_event(context, question, page_query.today),
        "wider": () if events else wider(page_query, question, place),
        "item_list": _item_list(events),
    }


def _item_list(events: Sequence[ReadEvent]) -> Node | None:
    """Return the list as search engines read it, each event by its page; ``None`` without any."""
    entries = [
        {"@type": "ListItem", "position": number, "url": event.url}
        for number, event in enumerate(events, 1)
    ]
    return document({"@type": "ItemList", "itemListElement": entries}) if entries else None


def fill_programme(page_query: PageQuery, _place: Place) -> Filled:
    """Return all events of a list, as far as paper has room, by day."""
    question, context = page_query.question(whole=True), page_query.context
    if question.listing is None:
        return question, {"events": (), "groups": (), "total": 0}
    listing = replace(question.listing, window=Window(1, MOST_PRINTED))
    page = context.reader.search(EVENT, listing, context.caller)
    events = read_events(page.items)
    return question, {
        "events": events,
        "groups": _by_day(events, question),
        "total": page.total,
        "results_version": _version(events),
        "printed_on": page_query.today,
    }


def over(context: Context, events: Iterable[ReadEvent]) -> tuple[int, ...]:
    """Return which of the events have ended today."""
    minute, day = context.minute(), context.today().date()
    return tuple(
        [each.id for each in events if each.days[1] == day and each.record["end"] <= minute]
    )


def _version(events: Sequence[ReadEvent]) -> bytes | None:
    """Return a digest of all that is read of events, if there are any that are kept."""
    versions = [event.version or b"" for event in events]
    return digest(b"".join(versions).hex()) if versions and all(versions) else None


def fill_map(page_query: PageQuery, place: Place) -> Filled:
    """Return one page of a list, by place."""
    question, content = fill_list(page_query, place)
    events: list[ReadEvent] = content["events"]
    by_place: dict[tuple[str, Any], list[ReadEvent]] = {}
    for event in events:
        by_place.setdefault((event.where.text, event.point), []).append(event)
    places = [PlaceGroup(group[0].where, point, group) for (_, point), group in by_place.items()]
    return question, content | {"places": places}


def _next_event(context: Context, question: Question, day: date) -> ReadEvent | None:
    """Return the first event after a day that the other filters select."""
    filters = {name: value for name, value in question.filters.items() if name not in OF_DATES}
    later = {**filters, "starts_after": day.isoformat(), "per_page": 1}
    try:
        listing = load(later).listing
    except ValidationError:
        return None
    events = read_events(context.reader.search(EVENT, listing, context.caller).items)
    return events[0] if events else None


def _by_day(
    events: Sequence[ReadEvent], question: Question
) -> list[tuple[date | None, list[ReadEvent]]]:
    """Return events by the day on which they start, where they are in that order.

    What has begun before the first day that was asked for stands under that day.
    """
    if not question.is_by_day:
        return [(None, list(events))] if events else []
    first_day = day_in_field(question.sent.get("overlaps_from", ""))
    first = date.fromisoformat(first_day) if first_day else date.min
    by_day = groupby(events, key=lambda event: max(event.days[0], first))
    return [(day, list(group)) for day, group in by_day]


def _paging(page: Page, question: Question, place: Place, today: date) -> Paging:
    """Return the neighboring pages; past events lie before the first one, latest first."""
    number, total = page.window.number, page.total
    pages = max(page.pages, 1)
    following = place.having(page=str(number + 1)).address() if number < pages else ""
    previous = _numbered(place, number - 1) if number > 1 else ""
    if question.sent.get("order", "").lower() == "desc":
        return Paging(
            number, pages, total, following, previous or place.without(*OF_DATES).address()
        )
    if not previous and not OF_DATES & question.sent.keys():
        yesterday = today - timedelta(days=1)
        past = place.having(ends_before=yesterday.isoformat(), order="desc")
        previous = past.address()
    return Paging(number, pages, total, previous, following)


def _numbered(place: Place, number: int) -> str:
    page = place.having(page=str(number)) if number > 1 else place.without("page")
    return page.address()


# Views by date.


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
    question, total = page_query.question(between(first, last), whole=True), 0
    events: list[ReadEvent] = []
    items: list[Record] = []
    if question.listing:
        # The tables of a month and of a week have lines alone.
        is_table = place.view != "day"
        fields = fields_of_lines(context.chain) if is_table else ()
        page = context.reader.search(EVENT, question.listing, context.caller, fields)
        items = sorted(page.items, key=lambda event: (event["start_local"], event["_id"]))
        events, total = (read_lines if is_table else read_events)(items), page.total
    before, after = neighbors(place.view, first)
    is_told = events or question.errors
    return question, _TABLES[place.view](events, span, context.language) | {
        "events": events,
        "over": over(context, events),
        "wider": () if is_told else wider(page_query, question, place),
        "total": total,
        "lines_version": digest(items),
        "first": first,
        "last": last,
        "chosen_day": _chosen_day(events, span, page_query.today),
        "previous": place.to(place.view, before).address(),
        "following": place.to(place.view, after).address(),
        "next_event": None if is_told else _next_event(context, question, last),
    }


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


def _single_day(events: Sequence[ReadEvent], span: Span, _language: str) -> dict[str, Any]:
    day = span[0]
    # What came over midnight ends on this day; what goes on beyond it is on all day.
    long = [event for event in events if event.all_day or event.days[0] < day < event.days[1]]
    hours: dict[int, list[ReadEvent]] = {}
    for event in events:
        if event not in long:
            hours.setdefault(_hour(event, day), []).append(event)
    return {"long": long, "hours": sorted(hours.items())}


_TABLES = {"month": _month, "week": _single_week, "day": _single_day}
BY_DATE = frozenset(_TABLES)


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
