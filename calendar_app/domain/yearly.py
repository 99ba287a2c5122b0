"""The rule by which something happens once a year, as RFC 5545 section 3.3.10 writes rules."""

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Sequence
from datetime import datetime

# So long it takes until the days of a year fall on the same weekdays in the same order again: what
# has held for that time is no chance.
_FEWEST = 28
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK = 7

Rule = dict[str, str | int | list[int]]


def ruled(dates: Sequence[datetime]) -> tuple[int, Rule]:
    """Return from which of ``dates`` on one rule gives all, and that rule.

    ``dates`` are in order. Where the last ones follow no rule, this is their number, and no rule.
    """
    latest = len(dates) - _FEWEST
    if latest < 0 or not _rule(dates[latest:]):
        return len(dates), {}
    # What gives the dates from one on gives those from a later one on as well.
    at = bisect_left(range(latest), True, key=lambda first: bool(_rule(dates[first:])))
    return at, _rule(dates[at:])


def _rule(dates: Sequence[datetime]) -> Rule:
    """Return the rule that gives exactly these, one each year; empty where there is none."""
    first = dates[0]
    each_year = [date.year - first.year for date in dates] == list(range(len(dates)))
    if not each_year or len({(date.month, date.time()) for date in dates}) > 1:
        return {}
    yearly: Rule = {"FREQ": "YEARLY", "BYMONTH": first.month}
    if len({date.day for date in dates}) == 1 and first.day < monthrange(2001, first.month)[1]:
        return yearly | {"BYMONTHDAY": first.day}
    on_weekday = _on_weekday(dates)
    return yearly | on_weekday if on_weekday else {}


def _on_weekday(dates: Sequence[datetime]) -> Rule:
    """Return the part of a rule that names a weekday: the last, the second, one from the 23rd."""
    weekdays = {date.weekday() for date in dates}
    if len(weekdays) > 1:
        return {}
    weekday = _DAYS[weekdays.pop()]
    if all(date.day > monthrange(date.year, date.month)[1] - _WEEK for date in dates):
        return {"BYDAY": f"-1{weekday}"}
    if len(weeks := {(date.day - 1) // _WEEK for date in dates}) == 1:
        return {"BYDAY": f"{weeks.pop() + 1}{weekday}"}
    earliest = min(date.day for date in dates)
    if max(date.day for date in dates) < earliest + _WEEK:
        return {"BYMONTHDAY": list(range(earliest, earliest + _WEEK)), "BYDAY": weekday}
    return {}
