"""Rules that name the days which they else take from the start of the event."""

from dataclasses import replace
from datetime import datetime

from calendar_app.domain.recurrence.rules import DAYS, Rule


def explicit(rule: Rule, start: datetime) -> Rule:
    """Return a rule with the same dates that names its days and months."""
    if rule.days or rule.month_days or rule.year_days:
        return rule
    if rule.freq == "WEEKLY" or rule.week_numbers:
        return replace(rule, days=((0, DAYS[start.weekday()]),))
    if rule.freq == "MONTHLY":
        return replace(rule, month_days=(start.day,))
    if rule.freq == "YEARLY":
        return replace(rule, months=rule.months or (start.month,), month_days=(start.day,))
    return rule
