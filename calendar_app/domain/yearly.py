"""The rule by which something happens once a year, as RFC 5545 section 3.3.10 writes rules."""

from calendar import monthrange
from collections.abc import Sequence
from datetime import datetime

# A rule that holds this often is one; of fewer dates many rules would be true.
_FEWEST = 4
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEK = 7

Rule = dict[str, str | int | list[int]]


def ruled(dates: Sequence[datetime]) -> tuple[int, Rule]:
    """Return from which of ``dates`` on one rule gives all, and that rule.

    ``dates`` are in order. Where the last ones follow no rule, this is their number, and no rule.
    """
    for at in range(len(dates) - _FEWEST + 1):
        rule = _rule(dates[at:])
        if rule:
            return at, rule
    return len(dates), {}


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
