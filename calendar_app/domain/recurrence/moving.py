"""Moves all dates of a recurrence by the step of its event."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

from calendar_app.domain.recurrence.model import (
    OUT_OF_RANGE,
    ExtraDate,
    InvalidRecurrence,
    Recurrence,
)
from calendar_app.domain.recurrence.rules import DAYS, Numbers, Rule, Until, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.errors import Message

_LAST_DAY_OF_EACH_MONTH = 28


def shifted(recurrence: Recurrence, old: TimeSpan, new: TimeSpan) -> Recurrence:
    """Move the recurrence of an event from the time ``old`` to ``new``.

    Dates keep their distance to the start in wall clock, also in another zone. Raises
    ``InvalidRecurrence`` where the days of a rule cannot move by this step.
    """
    try:
        return _shifted(recurrence, old, new)
    except InvalidRecurrence:
        raise
    except (OverflowError, ValueError) as error:
        raise InvalidRecurrence(OUT_OF_RANGE) from error


def _shifted(recurrence: Recurrence, old: TimeSpan, new: TimeSpan) -> Recurrence:
    step = new.start_local - old.start_local
    rules = (_shifted_rule(parse_rule(text), old, new) for text in recurrence.rules)
    lengthened = (new.end_local - new.start_local) - (old.end_local - old.start_local)
    return Recurrence(
        tuple(str(rule) for rule in rules),
        tuple(
            ExtraDate(_begin(extra.start + step, new), extra.end and extra.end + step + lengthened)
            for extra in recurrence.rdates
        ),
        tuple(_begin(wall + step, new) for wall in recurrence.exdates),
    )


def _begin(wall: datetime, span: TimeSpan) -> datetime:
    return datetime.combine(wall.date(), time.min) if span.all_day else wall


def _shifted_rule(rule: Rule, old: TimeSpan, new: TimeSpan) -> Rule:
    rule = replace(rule, until=_shifted_until(rule.until, old, new))
    rule = _with_times(rule, old.start_local, new.start_local)
    days = (new.start_local.date() - old.start_local.date()).days
    return _with_days(rule, old.start_local, new.start_local, days) if days else rule


def _shifted_until(until: Until | None, old: TimeSpan, new: TimeSpan) -> Until | None:
    if until is None:
        return None
    step = new.start_local - old.start_local
    if isinstance(until, datetime):
        wall = wall_of(until.replace(tzinfo=None), zone_of(old.timezone)) + step
    else:
        wall = datetime.combine(until, old.start_local.time()) + step
    if new.all_day:
        return wall.date()
    return instant_of(wall, zone_of(new.timezone)).replace(tzinfo=UTC)


def _with_times(rule: Rule, old: datetime, new: datetime) -> Rule:
    """Move the times of day that a rule names; only those of the start itself can move."""
    if old.time() == new.time() or not (rule.hours or rule.minutes or rule.seconds):
        return rule
    return replace(
        rule,
        hours=_replaced(rule.hours, old.hour, new.hour),
        minutes=_replaced(rule.minutes, old.minute, new.minute),
        seconds=_replaced(rule.seconds, old.second, new.second),
    )


def _replaced(numbers: Numbers, old: int, new: int) -> Numbers:
    if not numbers or old == new:
        return numbers
    if numbers != (old,):
        _refuse()
    return (new,)


def _with_days(rule: Rule, old: datetime, new: datetime, step: int) -> Rule:
    if rule.week_numbers or rule.year_days or (rule.positions and rule.freq != "WEEKLY"):
        _refuse()
    if rule.freq in ("WEEKLY", "DAILY"):
        return _with_weekdays(rule, step)
    if rule.days and rule.month_days:
        _refuse()
    if (old.year, old.month) != (new.year, new.month) and rule.freq == "MONTHLY":
        _refuse_unless(rule.interval == 1 and not rule.months)
    months = _months(rule, old, new)
    if rule.days:
        return replace(rule, months=months, days=(_nth_day(rule, old, new),))
    return replace(rule, months=months, month_days=_month_days(rule.month_days, old, new, step))


def _with_weekdays(rule: Rule, step: int) -> Rule:
    """Rotate weekdays, and the first day of the week, which groups the days of long intervals."""
    _refuse_unless(not (rule.months or rule.month_days))
    days = tuple((number, _rotated(day, step)) for number, day in rule.days)
    is_grouped = rule.freq == "WEEKLY" and (rule.positions or (rule.interval > 1 and rule.days))
    return replace(
        rule,
        days=tuple(sorted(days, key=lambda day: DAYS.index(day[1]))),
        week_start=_rotated(rule.week_start, step) if is_grouped else rule.week_start,
    )


def _rotated(day: str, step: int) -> str:
    return DAYS[(DAYS.index(day) + step) % 7]


def _months(rule: Rule, old: datetime, new: datetime) -> Numbers:
    if not rule.months or old.month == new.month:
        return rule.months
    _refuse_unless(rule.months == (old.month,))
    return (new.month,)


def _nth_day(rule: Rule, old: datetime, new: datetime) -> tuple[int, str]:
    """Return the weekday of the new start in its month, counted from the same end."""
    _refuse_unless(len(rule.days) == 1 and (rule.freq == "MONTHLY" or bool(rule.months)))
    number, day = rule.days[0]
    _refuse_unless(number != 0 and DAYS[old.weekday()] == day)
    moved_number = _place(new, backwards=number < 0)
    _refuse_unless(_place(old, backwards=number < 0) == number)
    return moved_number, DAYS[new.weekday()]


def _place(day: date, *, backwards: bool) -> int:
    if not backwards:
        return (day.day - 1) // 7 + 1
    following = (day.replace(day=28) + timedelta(4)).replace(day=1)
    last = (following - timedelta(1)).day
    return -((last - day.day) // 7 + 1)


def _month_days(days: Numbers, old: datetime, new: datetime, step: int) -> Numbers:
    if days == (old.day,):
        return (new.day,)
    moved = tuple(day + step for day in days)
    for day, moved_day in zip(days, moved, strict=True):
        _refuse_unless(
            day * moved_day > 0
            and abs(moved_day) <= _LAST_DAY_OF_EACH_MONTH
            and abs(day) <= _LAST_DAY_OF_EACH_MONTH
        )
    return moved


def _refuse_unless(condition: bool) -> None:
    if not condition:
        _refuse()


def _refuse() -> None:
    raise InvalidRecurrence(
        Message("The days of the rule cannot move by this step: send a rule with the new time.")
    )
