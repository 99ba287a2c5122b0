"""Days, times and recurrences between the form, where people write them, and the interface."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from calendar_app.domain.recurrence.rules import (
    DAYS,
    ExtraDate,
    InvalidRecurrence,
    Recurrence,
    Rule,
    explicit,
    parse_rule,
)
from calendar_app.domain.texts.written_dates import dated_day, is_clock, named_day, read_clock
from calendar_app.domain.zones import wall_of, zone_of
from calendar_app.errors import Message
from calendar_app.site.html import wording

Choices = dict[str, Any]
_DASHES = ("\u2013", "\u2014", " - ")
# A rule that the sentence has no words to choose for, and a series of single dates.
WRITTEN_RULE, SINGLE_DATES = "rule", "dates"
NTH_WEEKDAY, LAST_WEEKDAY, LAST_DAY = "weekday", "last", "last_day"
_WEEK = 7
_HALF_A_YEAR = timedelta(days=183)
_BY_MONTH = ("MONTHLY", "YEARLY")
# No month has the day of the month 29 without exception, and each has a last Friday.
_LAST = -1


@dataclass(frozen=True, slots=True)
class Notation:
    """How days are written in ``language``, seen from ``today``; all of ``languages`` are read.

    The days of an event that is changed are seen from its own, ``event_day``.
    """

    language: str
    today: date
    languages: Sequence[str] = ()
    month_first: bool = False
    event_day: date | None = None
    # Where a day is moved, the first one that a date without a year may be.
    earliest: date | None = None

    def beside(self, day: date | None) -> "Notation":
        """Return the notation for dates moved from a day; the same notation without one."""
        if day is None:
            return self
        around = day - _HALF_A_YEAR
        return replace(
            self, today=day, earliest=max(around, self.today) if day >= self.today else around
        )

    def day(self, moment: date) -> str:
        """Return a day in figures; in English in words, as figures have two orders there."""
        if not self.language.startswith("en"):
            return f"{moment:%d.%m.%Y}"
        return wording.short_date(moment, self.language)

    def moment(self, day: str, clock: str, usual: time = time.min) -> str:
        """Return a moment for the interface; the day may have its time behind it.

        Raises ``ValueError`` with the reason, for readers.
        """
        if not clock.strip():
            return self.line(day, usual)
        return datetime.combine(self.read_day(day), read_clock(clock)).isoformat(" ", "seconds")

    def line(self, text: str, usual: time = time.min) -> str:
        """Return the moment of a line like ``24.12.2027 19:00``; the time is optional.

        Raises ``ValueError`` with the reason, for readers.
        """
        try:
            return datetime.combine(self.read_day(text), usual).isoformat(" ", "seconds")
        except ValueError:
            words = text.split()
            for place in range(len(words) - 1, 0, -1):
                with suppress(ValueError):
                    clock = read_clock(" ".join(words[place:]))
                    day = self.read_day(" ".join(words[:place]))
                    return datetime.combine(day, clock).isoformat(" ", "seconds")
            raise

    def read_day(self, text: str) -> date:
        """Return the day that a text names; raise ``ValueError`` with the reason, for readers."""
        day = named_day(text, self.languages, self.today)
        return day or dated_day(
            text,
            self.languages,
            self.earliest or self.today,
            month_first=self.month_first,
            example=self.day(self.today.replace(month=12, day=31)),
        )

    def period(self, text: str, usual: time = time.min) -> str | dict[str, str]:
        """Return a date of a series; a line like ``24.12.2027 19:00 - 21:00`` has an end."""
        for dash in _DASHES:
            start, separator, end = (part.strip() for part in text.partition(dash))
            if separator:
                first = self.line(start, usual)
                day = first.partition(" ")[0]
                return {"start": first, "end": self._end(day, end)}
        return self.line(text.strip(), usual)

    def _end(self, day: str, text: str) -> str:
        if is_clock(text):
            return f"{day} {read_clock(text)}"
        return self.beside(date.fromisoformat(day)).line(text)

    def moment_text(self, moment: datetime, *, all_day: bool) -> str:
        """Return a moment as a line that ``line`` reads."""
        day = self.day(moment.date())
        return day if all_day else f"{day} {moment:%H:%M}"

    def period_text(self, start: datetime, end: datetime, *, all_day: bool) -> str:
        """Return a date with an end as a line that ``period`` reads."""
        last = (
            f"{end:%H:%M}" if end.date() == start.date() else self.moment_text(end, all_day=all_day)
        )
        return f"{self.moment_text(start, all_day=all_day)} \u2013 {last}"


def nth_weekday(day: date) -> tuple[int, str]:
    """Return which weekday of its month a day is: ``(2, "TU")``."""
    return (day.day - 1) // _WEEK + 1, DAYS[day.weekday()]


def choices_of(
    recurrence: Recurrence, start: datetime, timezone: str, text: Notation, *, all_day: bool
) -> Choices:
    """Return the values of the sentence for the recurrence of an event in a zone."""
    rules = recurrence.rules
    extras = (_line(extra, text, all_day=all_day) for extra in recurrence.rdates)
    skipped = (text.moment_text(moment, all_day=all_day) for moment in recurrence.exdates)
    dates = {"repeat_dates": "\n".join(extras), "repeat_except": "\n".join(skipped)}
    if len(rules) == 1:
        return dates | _rule_choices(parse_rule(rules[0]), start, timezone, text)
    if rules:
        return dates | {"repeat": WRITTEN_RULE, "repeat_rule": "\n".join(rules)}
    return dates | ({"repeat": SINGLE_DATES} if recurrence else {})


def recurrence_of(choices: Mapping[str, Any], start: str, text: Notation) -> dict[str, Any] | None:
    """Return the recurrence that the sentence names, in the interface's form; ``None`` for none.

    ``start`` is that of the event, as the interface takes it. Raises ``ValueError``.
    """
    begins = _read_start(start)
    text = text.beside(begins.date() if begins else None)
    rules = _rules(choices, begins, text)
    usual = begins.time() if begins else time.min
    rdate = _dates(choices, "repeat_dates", lambda line: text.period(line, usual))
    exdate = _dates(choices, "repeat_except", lambda line: text.line(line, usual))
    if not rules and not rdate:
        return None
    rrule = rules if len(rules) > 1 else "".join(rules)
    return {"rrule": rrule, "rdate": rdate, "exdate": exdate}


def _line(extra: ExtraDate, text: Notation, *, all_day: bool) -> str:
    if extra.end is None:
        return text.moment_text(extra.start, all_day=all_day)
    return text.period_text(extra.start, extra.end, all_day=all_day)


def _dates(choices: Mapping[str, Any], control: str, read: Callable[[str], Any]) -> list[Any]:
    """Return the dates of a control; a line that is none is refused there."""
    dates = []
    for line in _lines(choices, control):
        try:
            dates.append(read(line))
        except ValueError as error:
            raise line_problem(line, error, control) from error
    return dates


def line_problem(line: str, error: ValueError, control: str) -> ValueError:
    """Return why a line of a control cannot be read, with the name of the control."""
    return ValueError(Message("“{line}”: {why}", line=line, why=error.args[0]), control)


def _lines(choices: Mapping[str, Any], name: str) -> list[str]:
    return [line.strip() for line in str(choices.get(name, "")).splitlines() if line.strip()]


def _read_start(start: str) -> datetime | None:
    try:
        return datetime.fromisoformat(start)
    except ValueError:
        return None


def _rules(choices: Mapping[str, Any], start: datetime | None, text: Notation) -> list[str]:
    frequency, _, interval = str(choices.get("repeat", "")).partition(" ")
    if frequency in ("", SINGLE_DATES):
        return []
    end = _end(choices, text)
    if frequency == WRITTEN_RULE:
        return [";".join([line.rstrip(";"), *end]) for line in _lines(choices, "repeat_rule")]
    parts = [f"FREQ={frequency}", *([f"INTERVAL={interval}"] if interval else [])]
    days: Sequence[str] = choices.get("repeat_days") or ()
    if frequency == "WEEKLY" and days:
        parts.append(f"BYDAY={','.join(day for day in DAYS if day in days)}")
    if start and frequency in _BY_MONTH and choices.get("repeat_by"):
        parts += [f"BYMONTH={start.month}"] if frequency == "YEARLY" else []
        parts.append(_day_of_month(choices["repeat_by"], start))
    return [";".join([*parts, *end])]


def _day_of_month(chosen: str, start: datetime) -> str:
    if chosen == LAST_DAY:
        return f"BYMONTHDAY={_LAST}"
    number, weekday = nth_weekday(start.date())
    return f"BYDAY={_LAST if chosen == LAST_WEEKDAY else number}{weekday}"


def _end(choices: Mapping[str, Any], text: Notation) -> list[str]:
    count = str(choices.get("repeat_count", "")).strip()
    until = str(choices.get("repeat_until", "")).strip()
    if count and until:
        raise InvalidRecurrence(Message("It ends on a day or after a number of dates, not both."))
    if count:
        return [f"COUNT={count}"]
    if not until:
        return []
    try:
        day = text.line(until).partition(" ")[0]
    except ValueError as error:
        raise ValueError(error.args[0], "repeat_until") from error
    return [f"UNTIL={day.replace('-', '')}"]


def _rule_choices(rule: Rule, start: datetime, timezone: str, text: Notation) -> Choices:
    """Return the words to choose for a rule; without words, the rule itself.

    Its end has controls of its own, unless the rule has times of day, which a last day would cut.
    """
    has_times = bool(rule.hours or rule.minutes or rule.seconds)
    end: Choices = {}
    if rule.count is not None:
        end["repeat_count"] = str(rule.count)
    if rule.until is not None and not has_times:
        end["repeat_until"] = text.day(_last_day(rule.until, start, timezone))
    endless = replace(rule, until=rule.until if has_times else None, count=None)
    interval = f" {rule.interval}" if rule.interval > 1 else ""
    choices: Choices = {"repeat": f"{rule.freq}{interval}"}
    if rule.freq == "WEEKLY" and rule.days:
        choices["repeat_days"] = [day for _, day in rule.days]
    for chosen in ("", NTH_WEEKDAY, LAST_WEEKDAY, LAST_DAY) if rule.freq in _BY_MONTH else ("",):
        (rule_text,) = _rules({**choices, "repeat_by": chosen}, start, text)
        if explicit(parse_rule(rule_text), start) == explicit(endless, start):
            return {**choices, "repeat_by": chosen, **end}
    return {"repeat": WRITTEN_RULE, "repeat_rule": str(endless), **end}


def _last_day(until: datetime | date, start: datetime, timezone: str) -> date:
    """Return the last day on which a date may begin."""
    if not isinstance(until, datetime):
        return until
    wall = until
    if until.tzinfo is not None:
        wall = wall_of(until.astimezone(UTC).replace(tzinfo=None), zone_of(timezone))
    return wall.date() - timedelta(days=wall.time() < start.time())
