"""Dates in numbered weeks, which belong to the year that has most of their days (RFC 5545).

dateutil miscounts the weeks at the turn of the year, and gives each of their days to its own year.
"""

from calendar import isleap, monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, time, timedelta
from itertools import product

from calendar_app.domain.recurrence.rules import DAYS, Numbers, Rule

_WEEK = timedelta(weeks=1)


def dates_in_weeks(
    rule: Rule, start: datetime, begin: datetime, interval: int
) -> Iterator[datetime]:
    """Yield the dates of a yearly rule with BYWEEKNO, from the year of ``begin`` on or earlier."""
    first = _year_of(start.date(), rule)
    passed = (_year_of(begin.date(), rule) - first) // rule.interval * rule.interval
    year = first + max(passed, 0)
    times = _times(rule, start)
    while year < MAXYEAR:
        days = sorted(day for day in _days_of_weeks(rule, year) if _fits(rule, day))
        walls = [datetime.combine(day, clock) for day in days for clock in times]
        yield from _at_positions(walls, rule.positions) if rule.positions else walls
        year += interval  # counts the years of a search


def _first_day(year: int, rule: Rule) -> date:
    """Return the begin of the first week, which has the 4th of January."""
    fourth = date(year, 1, 4)
    return fourth - timedelta((fourth.weekday() - DAYS.index(rule.week_start)) % 7)


def _year_of(day: date, rule: Rule) -> int:
    """Return the year to which the week of a day belongs."""
    if day < _first_day(day.year, rule):
        return day.year - 1
    return day.year + (day >= _first_day(day.year + 1, rule))


def _days_of_weeks(rule: Rule, year: int) -> set[date]:
    first = _first_day(year, rule)
    number_of_weeks = (_first_day(year + 1, rule) - first) // _WEEK
    weeks = {week if week > 0 else number_of_weeks + 1 + week for week in rule.week_numbers}
    return {
        first + (week - 1) * _WEEK + timedelta(day)
        for week in weeks
        if 1 <= week <= number_of_weeks
        for day in range(7)
    }


def _fits(rule: Rule, day: date) -> bool:
    """Return whether the other parts of a rule let a day pass."""
    days_of_month = monthrange(day.year, day.month)[1]
    days_of_year = 365 + isleap(day.year)
    return (
        (not rule.months or day.month in rule.months)
        and _is_among(day.day, rule.month_days, days_of_month)
        and _is_among(day.timetuple().tm_yday, rule.year_days, days_of_year)
        and (not rule.days or (0, DAYS[day.weekday()]) in rule.days)
    )


def _is_among(number: int, numbers: Numbers, most: int) -> bool:
    """Return whether a number is there, counted from the begin or from the end."""
    return not numbers or number in numbers or number - most - 1 in numbers


def _times(rule: Rule, start: datetime) -> list[time]:
    hours, minutes = rule.hours or (start.hour,), rule.minutes or (start.minute,)
    return [time(*each) for each in product(hours, minutes, rule.seconds or (start.second,))]


def _at_positions(walls: list[datetime], positions: Numbers) -> list[datetime]:
    number = len(walls)
    indexes = {position - 1 if position > 0 else number + position for position in positions}
    return [walls[index] for index in sorted(indexes) if 0 <= index < number]
