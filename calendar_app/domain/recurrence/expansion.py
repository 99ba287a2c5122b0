"""The occurrences of a series: python-dateutil under our own rules for zones and gaps."""

from calendar import isleap, monthrange
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from heapq import merge
from itertools import product, starmap, takewhile
from operator import attrgetter
from typing import Literal, NamedTuple, Self

from dateutil import rrule

from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.rules import (
    DAYS,
    ExtraDate,
    Numbers,
    Occurrence,
    Recurrence,
    Rule,
    explicit,
    parse_rule,
)
from calendar_app.domain.timespan import TimeSpan, settle
from calendar_app.domain.zones import instant_of, wall_of, zone_of

# Dates in numbered weeks, which belong to the year that has most of their days (RFC 5545).
#
# dateutil miscounts the weeks at the turn of the year, and gives each of their days to its own
# year.

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


# How many periods all rules of a series look at for their next date: dateutil's work for one
# depends on its length.
_MOST_PERIODS = {"YEARLY": 150, "MONTHLY": 1250, "WEEKLY": 3750, "DAILY": 11_000}
_MOST_SEARCHES = 4  # of that length
_FREQUENCIES: dict[str, Literal[0, 1, 2, 3]] = {
    "YEARLY": rrule.YEARLY,
    "MONTHLY": rrule.MONTHLY,
    "WEEKLY": rrule.WEEKLY,
    "DAILY": rrule.DAILY,
}


class Candidate(NamedTuple):
    """A date of a series before exceptions: the instant of its start, and its wall clock."""

    instant: datetime
    wall: datetime
    end: datetime | None = None


class Spans(Mapping[datetime, TimeSpan]):
    """The times of the dates of a series, each worked out when it is asked for."""

    def __init__(self, span: TimeSpan, dates: Iterable[Candidate]) -> None:
        self._span = span
        self._dates = {candidate.wall: candidate for candidate in dates}

    def __getitem__(self, wall: datetime) -> TimeSpan:
        return _span(self._span, self._dates[wall])

    def __iter__(self) -> Iterator[datetime]:
        return iter(self._dates)

    def __len__(self) -> int:
        return len(self._dates)


def expand(
    recurrence: Recurrence,
    span: TimeSpan,
    *,
    since: datetime | None = None,
    until: datetime | None,
    limit: int,
) -> list[Occurrence]:
    """Return the occurrences of ``spans_of`` with all their times."""
    spans = spans_of(recurrence, span, since=since, until=until, limit=limit)
    return list(starmap(Occurrence, spans.items()))


def spans_of(  # noqa: PLR0913  # the two ends of a window, and how much is in it
    recurrence: Recurrence,
    span: TimeSpan,
    *,
    since: datetime | None = None,
    until: datetime | None,
    limit: int,
    kept: Collection[datetime] = (),
) -> Spans:
    """Return the dates of a series in order, at most ``limit`` from ``since`` on.

    ``span`` is the time of the event itself, the first occurrence. ``until`` is the latest start,
    in wall clock; ``None`` is without end. Before ``since`` rules give the ``kept`` dates alone;
    the event itself and extra dates are there always.
    """
    earlier = {span.start_local, *(extra.start for extra in recurrence.rdates), *kept}
    dates, number = list[Candidate](), 0
    for candidate in _unexcepted(recurrence, span, since and min((since, *kept))):
        is_within = since is None or candidate.wall >= since
        if number >= limit or (until is not None and candidate.wall > until):
            break
        if is_within or candidate.wall in earlier:
            number += is_within
            dates.append(candidate)
    return Spans(span, dates)


def listed_from(
    recurrence: Recurrence, span: TimeSpan, listed: Collection[datetime], since: datetime
) -> datetime | None:
    """Return the date from which all are listed; none where no earlier one is left out."""
    explicit_dates = {span.start_local, *(extra.start for extra in recurrence.rdates)}
    begin = min((since, *(wall for wall in listed if wall not in explicit_dates)))
    if absent := list(_absent(_unexcepted(recurrence, span, begin), since, listed)):
        begin = absent[-1]
    elif next(_absent(_unexcepted(recurrence, span), begin, listed), None) is None:
        return None
    return min((wall for wall in listed if wall >= begin), default=since)


def _absent(
    dates: Iterable[Candidate], until: datetime, listed: Collection[datetime]
) -> Iterator[datetime]:
    walls = takewhile(lambda wall: wall < until, (candidate.wall for candidate in dates))
    return (wall for wall in walls if wall not in listed)


def last_start(recurrence: Recurrence, span: TimeSpan) -> datetime | None:
    """Return a wall clock behind which the rules give no date; none if one has no end."""
    ends = [_last_start(parse_rule(text), span) for text in recurrence.rules]
    return None if None in ends else max(filter(None, ends), default=span.start_local)


def _last_start(rule: Rule, span: TimeSpan) -> datetime | None:
    match rule.until:
        case datetime(tzinfo=None):
            return rule.until
        case datetime():
            return wall_of(rule.until.replace(tzinfo=None), zone_of(span.timezone))
        case date():
            return datetime.combine(rule.until, time.max)
    if rule.count is None:
        return None
    return max(candidate.wall for candidate in rule_dates(rule, span))


def _unexcepted(
    recurrence: Recurrence, span: TimeSpan, since: datetime | None = None
) -> Iterator[Candidate]:
    zone = zone_of(span.timezone)
    exceptions = {instant_of(wall, zone) for wall in recurrence.exdates}
    dates = candidates(recurrence, span, since)
    return (candidate for candidate in dates if candidate.instant not in exceptions)


def span_at(span: TimeSpan, start: datetime, rdates: Iterable[ExtraDate] = ()) -> TimeSpan:
    """Return the time of the occurrence that starts at a wall clock."""
    end = next((extra.end for extra in rdates if extra.start == start), None)
    return _span(span, Candidate(instant_of(start, zone_of(span.timezone)), start, end))


def unskipped(span: TimeSpan, start: Moment | None, end: Moment | None = None) -> TimeSpan:
    """Return the time of a series with its start as written, also where the clocks skip that.

    The first event alone begins later then; all of them are as long as written.
    """
    if span.all_day or start is None or start.zone is not None:
        return span
    wall = start.wall.replace(microsecond=0)
    if wall == span.start_local:
        return span
    length = span.end - span.start
    if end is not None and end.zone is None:
        length = end.wall.replace(microsecond=0) - wall
    return replace(span, start_local=wall, end_local=wall + length, end=span.start + length)


def candidates(
    recurrence: Recurrence, span: TimeSpan, since: datetime | None = None
) -> Iterator[Candidate]:
    """Yield the dates of a series in order, each once, without heed to exceptions.

    Rules give those from ``since`` on, in wall clock; the event itself and extra dates come always.
    """
    zone = zone_of(span.timezone)
    first = Candidate(span.start, span.start_local)
    extra = [Candidate(instant_of(start, zone), start, end) for start, end in recurrence.rdates]
    number = len(recurrence.rules)
    rules = [rule_dates(parse_rule(text), span, number, since) for text in recurrence.rules]
    by_instant = attrgetter("instant")
    latest = None
    # merge is stable: of two dates at once the event itself comes first, then an extra date.
    ordered = merge([first], sorted(extra, key=by_instant), *rules, key=by_instant)
    for candidate in ordered:
        if candidate.instant != latest:
            yield candidate
        latest = candidate.instant


def rule_dates(
    rule: Rule, span: TimeSpan, rules: int = 1, since: datetime | None = None
) -> Iterator[Candidate]:
    """Yield the dates of one of so many rules, the event itself first, which counts.

    The others begin with ``since``; COUNT counts from the event on.
    """
    zone = zone_of(span.timezone)
    yield Candidate(span.start, span.start_local)
    count = 1
    for wall in matches(rule, span, rules, since if rule.count is None else None):
        instant = instant_of(wall, zone)
        if instant <= span.start:
            continue
        if (rule.count is not None and count >= rule.count) or _is_over(rule, wall, instant):
            return
        count += 1
        if since is None or wall >= since:
            yield Candidate(instant, wall)


def matches(
    rule: Rule, span: TimeSpan, rules: int = 1, since: datetime | None = None
) -> Iterator[datetime]:
    """Yield the wall clocks that match a rule, whatever its COUNT and UNTIL, from the start on.

    ``since`` is a later begin. Ends where the next match would take too much work to find, of
    which each of ``rules`` may do its part, and before the last year that a date can have, in
    which events could not end.
    """
    begin = max(span.start_local, since or span.start_local)
    interval = _CountedInterval(rule.interval, _MOST_PERIODS[rule.freq] // rules)
    with suppress(_WorkExceeded):
        for wall in _search(explicit(rule, span.start_local), span.start_local, begin, interval):
            if wall.year == MAXYEAR:
                return
            interval.renew()
            if wall >= begin:
                yield wall


def _is_over(rule: Rule, wall: datetime, instant: datetime) -> bool:
    match rule.until:
        case None:
            return False
        case datetime(tzinfo=None):
            return wall > rule.until
        case datetime():
            return instant > rule.until.replace(tzinfo=None)
        case _:
            return wall.date() > rule.until


def _span(span: TimeSpan, candidate: Candidate) -> TimeSpan:
    """Return the time of an occurrence: as long as the first; all-day in days, else exactly."""
    if candidate.instant == span.start and candidate.end is None and _is_shown(span):
        return span
    start = Moment(candidate.wall)
    if candidate.end is not None:
        end = Moment(candidate.end)
    elif span.all_day:
        end = Moment(candidate.wall + (span.end_local - span.start_local))
    else:
        end = Moment(candidate.instant + (span.end - span.start), UTC)
    return settle(
        None,
        start=start,
        end=end,
        timezone=span.timezone,
        all_day=span.all_day,
        site_timezone=span.timezone,
    )


def _is_shown(span: TimeSpan) -> bool:
    """Return whether the clocks show the start; those of a whole day need not."""
    return span.all_day or wall_of(span.start, zone_of(span.timezone)) == span.start_local


class _WorkExceeded(Exception):
    """No match within the work that a rule may take."""


class _CountedInterval(int):
    """An interval that counts the periods which dateutil adds it to.

    dateutil looks for the next match until the year 9999, and has no other limit.
    """

    remaining: int
    _most: int
    _rest: int

    def __new__(cls, interval: int, periods: int) -> Self:
        counted = super().__new__(cls, interval)
        counted.remaining = counted._most = periods
        counted._rest = _MOST_SEARCHES * periods
        return counted

    def renew(self) -> None:
        """Begin the search for the next match; periods with one cost nothing."""
        self._rest -= max(self._most - self.remaining - 1, 0)
        self.remaining = min(self._most, self._rest)

    def __radd__(self, other: int) -> int:
        self._count()
        return other + int(self)

    def __mul__(self, other: int) -> int:
        self._count()
        return int(self) * other

    def _count(self) -> None:
        self.remaining -= 1
        if self.remaining < 0:
            raise _WorkExceeded


def _search(
    rule: Rule, start: datetime, begin: datetime, interval: _CountedInterval
) -> Iterable[datetime]:
    if rule.week_numbers:
        return dates_in_weeks(rule, start, begin, interval)
    return _dateutil_rule(rule, start, begin, interval)


def _dateutil_rule(
    rule: Rule, start: datetime, begin: datetime, interval: _CountedInterval
) -> rrule.rrule:
    """Return dateutil's rule, without COUNT and UNTIL, which it reads in another way."""
    weekdays = [rrule.weekday(DAYS.index(day), number or None) for number, day in _numbered(rule)]
    return rrule.rrule(
        _FREQUENCIES[rule.freq],
        dtstart=_search_start(rule, start, begin),
        interval=interval,
        wkst=DAYS.index(rule.week_start),
        bysetpos=rule.positions or None,
        bymonth=rule.months or None,
        bymonthday=rule.month_days or None,
        byyearday=rule.year_days or None,
        byweekday=weekdays or None,
        byhour=rule.hours or None,
        byminute=rule.minutes or None,
        bysecond=rule.seconds or None,
    )


def _search_start(rule: Rule, start: datetime, begin: datetime) -> datetime:
    """Return the start, or the same in the last period of the rule before a later begin."""
    if rule.freq in ("DAILY", "WEEKLY"):
        period = rule.interval * (7 if rule.freq == "WEEKLY" else 1)
        start += timedelta((begin - start).days // period * period)
    else:
        period = rule.interval * (12 if rule.freq == "YEARLY" else 1)
        months = 12 * (begin.year - start.year) + begin.month - start.month
        if (passed := months // period * period) > 0:
            years, month = divmod(start.month - 1 + passed, 12)
            # The rule names its days, so that the search may begin with a month or year.
            month = month if rule.freq == "MONTHLY" else 0
            start = start.replace(year=start.year + years, month=month + 1, day=1)
    if rule.freq != "WEEKLY" or not rule.positions:
        return start
    # BYSETPOS counts the days of the whole week.
    passed = (start.weekday() - DAYS.index(rule.week_start)) % 7
    return start - timedelta(passed) if start.toordinal() > passed else start


def _numbered(rule: Rule) -> tuple[tuple[int, str], ...]:
    """Return all weekdays with numbers if one has: dateutil would require both at once."""
    if not any(number for number, _ in rule.days):
        return rule.days
    most = 5 if rule.freq == "MONTHLY" or rule.months else 53
    return tuple(
        (nth, day)
        for number, day in rule.days
        for nth in ([number] if number else range(1, most + 1))
    )
