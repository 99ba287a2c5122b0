"""The views by date: month and week as tables, the day by the hour."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from calendar_app.http.request import current
from calendar_app.pages import wording
from calendar_app.pages.cards import Card, cards_of
from calendar_app.pages.links import Place, neighbours, next_month
from calendar_app.pages.lists import next_card, today
from calendar_app.pages.questions import Question, ask, between
from calendar_app.resources.events.kind import EVENT

_WEEK = 7
_MOST_BARS, _MOST_CARDS = 4, 4


@dataclass(frozen=True, slots=True)
class Cell:
    """Some columns of a row: an event of several days, or room where there is none."""

    span: int
    card: Card | None = None
    begins: bool = True
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a table: events of that day alone, and how many are not drawn."""

    date: date
    cards: Sequence[Card]
    every: Sequence[Card]
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
    question, cards, total = _between(fixed, first, last)
    start = _first_of_week(first)
    weeks = []
    while start <= last:
        weeks.append(_week(start, cards, (first, last)))
        start += timedelta(days=_WEEK)
    listed = [day for week in weeks for day in week.days if day.every and not day.is_beyond]
    context = {"weeks": weeks, "days": listed}
    return question, context | _shared(place, question, cards, total, (first, last))


def fill_week(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    first, last = span_of(place) or (today(), today())
    question, cards, total = _between(fixed, first, last)
    week = _week(first, cards, (first, last), crowded=True)
    context = {"week": week, "days": week.days, "hours": _hours(week.days)}
    return question, context | _shared(place, question, cards, total, (first, last))


def fill_day(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    day = place.day or today()
    question, cards, total = _between(fixed, day, day)
    # What came over midnight ends on this day; what goes on beyond it is on all day.
    long = [card for card in cards if card.all_day or card.days[0] < day < card.days[1]]
    hours: dict[int, list[Card]] = {}
    for card in cards:
        if card not in long:
            hours.setdefault(_hour(card, day), []).append(card)
    context = {"long": long, "hours": sorted(hours.items())}
    return question, context | _shared(place, question, cards, total, (day, day))


def _between(fixed: Mapping[str, Any], first: date, last: date) -> tuple[Question, list[Card], int]:
    """Return the events between two days, by start."""
    question = ask(fixed, between(first, last), whole=True)
    if question.listing is None:
        return question, [], 0
    page = current.reader().search(EVENT, question.listing, current.caller())
    items = sorted(page.items, key=lambda event: (event["start_local"], event["_id"]))
    return question, cards_of(items), page.total


def _shared(
    place: Place, question: Question, cards: Sequence[Card], total: int, span: tuple[date, date]
) -> dict[str, Any]:
    first, last = span
    before, after = neighbours(place.view, first)
    return {
        "cards": cards,
        "total": total,
        "first": first,
        "last": last,
        "previous": place.to(place.view, before).address(),
        "following": place.to(place.view, after).address(),
        "next_card": None if cards or question.errors else next_card(question, last),
    }


def _week(
    start: date, cards: Sequence[Card], span: tuple[date, date], *, crowded: bool = False
) -> Week:
    """Return a week; ``crowded``: all of its events are drawn."""
    dates = [start + timedelta(days=number) for number in range(_WEEK)]
    long = [card for card in cards if _crosses(card) and _is_on(card, dates[0], dates[-1])]
    lanes, hidden = _lanes(long, dates, span, most=len(long) if crowded else _MOST_BARS)
    days = []
    for day in dates:
        beyond = not span[0] <= day <= span[1]
        every = [] if beyond else [card for card in cards if _is_on(card, day, day)]
        short = [card for card in every if not _crosses(card)]
        drawn = short if crowded or len(short) <= _MOST_CARDS else short[: _MOST_CARDS - 1]
        more = len(short) - len(drawn) + sum(1 for card in hidden if card in every)
        days.append(Day(day, drawn, every, more, beyond))
    return Week(days, lanes)


def _lanes(
    cards: Iterable[Card], dates: Sequence[date], span: tuple[date, date], most: int
) -> tuple[list[list[Cell]], list[Card]]:
    """Lay events of several days into rows, each into the first that has room for it."""
    rows: list[list[tuple[int, int, Card]]] = []
    hidden = []
    for card in cards:
        first, last = card.days
        left = (max(first, dates[0], span[0]) - dates[0]).days
        right = (min(last, dates[-1], span[1]) - dates[0]).days
        row = next((row for row in rows if row[-1][1] < left), None)
        if row is None and len(rows) < most:
            rows.append(row := [])
        if row is None:
            hidden.append(card)
        else:
            row.append((left, right, card))
    return [_cells(row, dates) for row in rows], hidden


def _cells(row: Sequence[tuple[int, int, Card]], dates: Sequence[date]) -> list[Cell]:
    cells, column = [], 0
    for start, right, card in row:
        if start > column:
            cells.append(Cell(start - column))
        first, last = card.days
        begins, ends = dates[start] == first, dates[right] == last
        cells.append(Cell(right - start + 1, card, begins, ends))
        column = right + 1
    if column < _WEEK:
        cells.append(Cell(_WEEK - column))
    return cells


def _hours(days: Sequence[Day]) -> list[tuple[int, list[list[Card]]]]:
    """Return the hours in which something begins, each with the events of every day."""
    timed = [
        [(_hour(card, day.date), card) for card in day.cards if not card.all_day] for day in days
    ]
    hours = sorted({hour for day in timed for hour, _ in day})
    return [(hour, [[card for h, card in day if h == hour] for day in timed]) for hour in hours]


def _hour(card: Card, day: date) -> int:
    """Return the hour at which an event begins on a day; 0 if it began earlier."""
    return card.start.hour if card.days[0] == day else 0


def _crosses(card: Card) -> bool:
    first, last = card.days
    return first != last and card.is_long


def _is_on(card: Card, first: date, last: date) -> bool:
    begins, ends = card.days
    return begins <= last and ends >= first
