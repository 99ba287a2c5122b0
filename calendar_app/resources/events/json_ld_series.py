"""Schema.org JSON-LD of the series of an event: ``EventSeries`` with its ``Schedule``."""

from datetime import UTC, datetime, timedelta

from calendar_app.calendar.reading.series import SeriesFacts
from calendar_app.domain.recurrence.documents import span_of
from calendar_app.domain.recurrence.model import Recurrence
from calendar_app.domain.recurrence.rules import Rule, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import wall_of, zone_of
from calendar_app.http.presentation.linked_data import Node, node, one_or_all

_SCHEMA = "https://schema.org"
_UNITS = {"DAILY": "D", "WEEKLY": "W", "MONTHLY": "M", "YEARLY": "Y"}
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
# What a Schedule has no property for; the dates of such a rule are those of its events.
_INEXPRESSIBLE = (
    *("positions", "week_numbers", "year_days"),
    *("hours", "minutes", "seconds"),
)


def series_node(facts: SeriesFacts, name: str | None, url: str) -> Node:
    """Return the series as a node, with a schedule for each rule that schema.org can say."""
    span, recurrence = span_of(facts.record), facts.recurrence
    rules = [parse_rule(text) for text in recurrence.rules]
    schedules = [_schedule(rule, recurrence, span) for rule in rules if _is_expressible(rule)]
    properties = {"name": name, "url": url, "eventSchedule": one_or_all(schedules)}
    return node("EventSeries", properties)


def _is_expressible(rule: Rule) -> bool:
    within = [number for number, _ in rule.days if number]
    is_within_year = bool(within) and rule.freq == "YEARLY"
    return not is_within_year and not any(getattr(rule, name) for name in _INEXPRESSIBLE)


def _schedule(rule: Rule, recurrence: Recurrence, span: TimeSpan) -> Node:
    dates = recurrence.exdates
    days = [f"{number or ''}{day}" for number, day in rule.days]
    is_numbered = any(number for number, _ in rule.days)
    properties = {
        "repeatFrequency": f"P{rule.interval}{_UNITS[rule.freq]}",
        "repeatCount": rule.count,
        "byDay": one_or_all(days if is_numbered else [f"{_SCHEMA}/{_DAYS[day]}" for day in days]),
        "byMonth": one_or_all(list(rule.months)),
        "byMonthDay": one_or_all(list(rule.month_days)),
        "startDate": span.start_local.date().isoformat(),
        "endDate": _last_day(rule, span),
        "startTime": None if span.all_day else span.start_local.time().isoformat(),
        "endTime": None if span.all_day or _is_long(span) else span.end_local.time().isoformat(),
        "duration": _duration(span.end_local - span.start_local) if _is_long(span) else None,
        "scheduleTimezone": span.timezone,
        "exceptDate": one_or_all([_date(each, span) for each in dates]),
    }
    return node("Schedule", properties)


def _is_long(span: TimeSpan) -> bool:
    return not span.all_day and span.end_local.date() != span.start_local.date()


def _duration(length: timedelta) -> str:
    return f"PT{int(length.total_seconds()) // 60}M"


def _last_day(rule: Rule, span: TimeSpan) -> str | None:
    until = rule.until
    if isinstance(until, datetime):
        instant = until.astimezone(UTC).replace(tzinfo=None)
        return wall_of(instant, zone_of(span.timezone)).date().isoformat()
    return until.isoformat() if until else None


def _date(wall: datetime, span: TimeSpan) -> str:
    return wall.date().isoformat() if span.all_day else wall.isoformat()
