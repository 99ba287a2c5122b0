"""Change recurrences: dates that leave or come back, splits, and moves of all dates."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, takewhile

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.expansion import (
    Candidate,
    candidates,
    matches,
    rule_dates,
    span_at,
    unskipped,
)
from calendar_app.domain.recurrence.rules import (
    DAYS,
    OUT_OF_RANGE,
    ExtraDate,
    InvalidRecurrence,
    Numbers,
    Recurrence,
    Rule,
    Until,
    explicit,
    parse_rule,
)
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.errors import Message

# Dates that leave a series, and come back.

# How many dates are compared with the exceptions.
_MOST_CANDIDATES = 11_000
# A gap of the clocks moves no date further.
_DAY = timedelta(days=1)


def without(recurrence: Recurrence, span: TimeSpan, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence with one more exception, unless it lacks the date already."""
    if unused(replace(recurrence, exdates=(recurrence_id,)), span):
        return recurrence
    exceptions = {*recurrence.exdates, recurrence_id}
    return replace(recurrence, exdates=tuple(sorted(exceptions)))


def restored(recurrence: Recurrence, span: TimeSpan, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence without the exception of this date."""
    zone = zone_of(span.timezone)
    date = instant_of(recurrence_id, zone)
    exceptions = (wall for wall in recurrence.exdates if instant_of(wall, zone) != date)
    return replace(recurrence, exdates=tuple(exceptions))


def concealing(recurrence: Recurrence, span: TimeSpan, hidden: Collection[datetime]) -> Recurrence:
    """Return a recurrence in which hidden dates look like deleted ones.

    Extra dates that are hidden or deleted are left out, without an exception.
    """
    exceptions = {*recurrence.exdates, *hidden}
    extra_dates = tuple(extra for extra in recurrence.rdates if extra.start not in exceptions)
    if len(extra_dates) < len(recurrence.rdates):
        left_out = {extra.start for extra in recurrence.rdates} & exceptions
        by_rule = Recurrence(recurrence.rules, exdates=tuple(sorted(left_out)))
        exceptions -= set(unused(by_rule, span))
    return Recurrence(recurrence.rules, extra_dates, tuple(sorted(exceptions)))


def unused(recurrence: Recurrence, span: TimeSpan) -> list[datetime]:
    """Return the exceptions on which the series has no date anyway."""
    zone = zone_of(span.timezone)
    instants = {instant_of(wall, zone): wall for wall in recurrence.exdates}
    if not instants:
        return []
    latest, earliest = max(instants), min(recurrence.exdates)
    since = max(span.start_local, earliest - _DAY) if earliest > span.start_local else None
    dates = islice(candidates(recurrence, span, since), _MOST_CANDIDATES)
    hit = {date.instant for date in takewhile(lambda date: date.instant <= latest, dates)}
    return [wall for instant, wall in instants.items() if instant not in hit]


# The two halves of a series that is split at one of its occurrences.

_MOST_DATES = 1000
# Behind all dates.
_NEVER = datetime(9999, 12, 31)  # noqa: DTZ001  # a wall clock


def ended_before(recurrence: Recurrence, span: TimeSpan, recurrence_id: datetime) -> Recurrence:
    """Return the recurrence of the part before an occurrence, which is not the first."""
    rules = (_ended(parse_rule(text), span, recurrence_id) for text in recurrence.rules)
    return Recurrence(
        tuple(str(rule) for rule in rules),
        tuple(extra for extra in recurrence.rdates if extra.start < recurrence_id),
        tuple(wall for wall in recurrence.exdates if wall < recurrence_id),
    )


def portable(recurrence: Recurrence, span: TimeSpan) -> Recurrence:
    """Return the same recurrence with UNTIL in place of COUNT, and BYDAY beside BYWEEKNO.

    Programs differ in whether they show and count a start that the rule itself does not give, and
    in which days of a numbered week they take. Such a start is named as an extra date.
    """
    rules = [parse_rule(text) for text in recurrence.rules]
    ended = (_ended(rule, span, _NEVER) if rule.count else rule for rule in rules)
    explicit_rules = (
        explicit(rule, span.start_local) if rule.week_numbers else rule for rule in ended
    )
    extra = () if _is_given(span.start_local, rules, span) else (ExtraDate(span.start_local),)
    return replace(
        recurrence,
        rules=tuple(str(rule) for rule in explicit_rules),
        rdates=(*extra, *recurrence.rdates),
    )


def by_first_rule(recurrence: Recurrence, span: TimeSpan, dates: Sequence[datetime]) -> Recurrence:
    """Return a recurrence with its first rule alone, and the other ``dates`` as extra ones.

    Some programs refuse a file with several rules in one series, others read one of them. RFC 5545
    advises against that (section 3.8.5.3).
    """
    alone = replace(recurrence, rules=recurrence.rules[:1])
    latest = max(dates, default=span.start_local)
    walls = (date.wall for date in candidates(alone, span))
    given = set(takewhile(lambda wall: wall <= latest, walls))
    extra = [ExtraDate(wall) for wall in dates if wall not in given]
    explicit_dates = replace(alone, rdates=(*alone.rdates, *extra))
    superfluous = set(unused(explicit_dates, span))
    exceptions = [wall for wall in recurrence.exdates if wall not in superfluous]
    return replace(explicit_dates, exdates=tuple(exceptions))


def _is_given(start: datetime, rules: Sequence[Rule], span: TimeSpan) -> bool:
    """Say whether one of the rules gives the start of a series; true without any rule."""
    return not rules or any(next(matches(rule, span), None) == start for rule in rules)


def from_date(recurrence: Recurrence, span: TimeSpan, recurrence_id: datetime) -> Recurrence:
    """Return the recurrence of a series that begins with an occurrence; its COUNT is the rest.

    A date apart from the rule may begin another rhythm: a rule that ends becomes dates then.
    Raises ``InvalidRecurrence`` for one without end.
    """
    rules = [parse_rule(text) for text in recurrence.rules]
    is_finite = all(rule.count or rule.until for rule in rules)
    expected = _starts(candidates(recurrence, span, recurrence_id), recurrence_id)
    first = unskipped(span_at(span, recurrence_id, recurrence.rdates), Moment(recurrence_id))
    explicit_rules = [explicit(rule, span.start_local) for rule in rules]
    for notation in (rules, explicit_rules):
        rest_rules = (_rest(rule, span, recurrence_id) for rule in notation)
        texts = tuple(str(rule) for rule in rest_rules if rule)
        rest = _later(recurrence, texts, recurrence_id)
        starts = _starts(candidates(rest, first), recurrence_id)
        if starts == expected or (
            not is_finite and all(a == b for a, b in zip(starts, expected, strict=False))
        ):
            return rest
    if not is_finite or len(expected) > _MOST_DATES:
        raise InvalidRecurrence(
            Message("The rule cannot begin on this date: send a rule for the new series.")
        )
    return _as_dates(_later(recurrence, (), recurrence_id), expected)


def _ended(rule: Rule, span: TimeSpan, recurrence_id: datetime) -> Rule:
    """End a rule with its last date before an occurrence."""
    last = _last_before(rule, span, recurrence_id)
    until = last.wall.date() if span.all_day else last.instant.replace(tzinfo=UTC)
    return replace(rule, count=None, until=until)


def _last_before(rule: Rule, span: TimeSpan, recurrence_id: datetime) -> Candidate:
    """Return the last date of a rule before a date; rules without COUNT are searched backwards."""
    passed = recurrence_id - span.start_local
    back = timedelta(days=100) if rule.count is None else passed
    while True:
        since = recurrence_id - back if back < passed else None
        dates = rule_dates(rule, span, since=since)
        *_, last = takewhile(lambda date: date.wall < recurrence_id, dates)
        if since is None or last.wall >= since:
            return last
        back *= 10


def _rest(rule: Rule, span: TimeSpan, recurrence_id: datetime) -> Rule | None:
    """Return a rule with the rest of its COUNT; none where no date of it is left."""
    if rule.count is None:
        if (
            next(
                iter(_starts(rule_dates(rule, span, since=recurrence_id), recurrence_id, most=1)),
                None,
            )
            is None
        ):
            return None
        return rule
    rest = _starts(rule_dates(rule, span), recurrence_id, most=rule.count)
    if not rest:
        return None
    # The start of the new series counts, whether the rule gives it or not.
    return replace(rule, count=len(rest) + (rest[0] != recurrence_id))


def _starts(
    dates: Iterable[Candidate], earliest: datetime, most: int = _MOST_DATES + 1
) -> list[datetime]:
    return list(islice((date.wall for date in dates if date.wall >= earliest), most))


def _later(recurrence: Recurrence, rules: tuple[str, ...], recurrence_id: datetime) -> Recurrence:
    return Recurrence(
        rules,
        tuple(extra for extra in recurrence.rdates if extra.start > recurrence_id),
        tuple(wall for wall in recurrence.exdates if wall >= recurrence_id),
    )


def _as_dates(rest: Recurrence, starts: list[datetime]) -> Recurrence:
    dates = {extra.start: extra for extra in rest.rdates}
    rdates = (dates.get(wall, ExtraDate(wall)) for wall in starts[1:])
    return replace(rest, rdates=tuple(rdates))


# Moves all dates of a recurrence by the step of its event.

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
