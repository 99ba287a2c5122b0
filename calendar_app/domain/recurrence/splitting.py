"""The two halves of a series that is split at one of its occurrences."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.expansion import (
    Candidate,
    candidates,
    rule_dates,
    span_at,
    unskipped,
)
from calendar_app.domain.recurrence.explicit import explicit
from calendar_app.domain.recurrence.model import ExtraDate, InvalidRecurrence, Recurrence
from calendar_app.domain.recurrence.rules import Rule, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.errors import Message

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

    Programs differ in whether they count a start that the rule itself does not give, and in which
    days of a numbered week they take.
    """
    rules = (parse_rule(text) for text in recurrence.rules)
    ended = (_ended(rule, span, _NEVER) if rule.count else rule for rule in rules)
    named = (explicit(rule, span.start_local) if rule.week_numbers else rule for rule in ended)
    return replace(recurrence, rules=tuple(str(rule) for rule in named))


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
