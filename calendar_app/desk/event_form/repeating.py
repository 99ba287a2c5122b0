"""The chooser of recurrences: simple rules as choices, any other as it is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

from calendar_app.desk.event_form.notation import Notation
from calendar_app.domain.recurrence.rules import DAYS, InvalidRecurrence, Rule, parse_rule
from calendar_app.domain.zones import wall_of, zone_of
from calendar_app.errors import Message

Choices = dict[str, Any]
# A rule that the chooser has no controls for.
WRITTEN = "rule"
NTH_WEEKDAY, LAST_WEEKDAY = "weekday", "last"
_WEEK = 7
# No month has the day of the month 29 without exception, and each has a last Friday.
_LAST = -1


def nth_weekday(day: date) -> tuple[int, str]:
    """Return which weekday of its month a day is: ``(2, "TU")``."""
    return (day.day - 1) // _WEEK + 1, DAYS[day.weekday()]


def choices_of(recurrence: Mapping[str, Any], event: Mapping[str, Any], text: Notation) -> Choices:
    """Return the values of the chooser for a presented recurrence and its presented event."""
    rules = recurrence.get("rrule") or []
    rules = rules if isinstance(rules, list) else [rules]
    start, all_day = datetime.fromisoformat(event["start_date"]), event["all_day"]
    dates = {
        "repeat_dates": "\n".join(
            _line(extra, text, all_day=all_day) for extra in recurrence.get("rdate", ())
        ),
        "repeat_except": "\n".join(
            _line(moment, text, all_day=all_day) for moment in recurrence.get("exdate", ())
        ),
    }
    chosen = _rule_choices(parse_rule(rules[0]), start, event, text) if len(rules) == 1 else None
    if chosen is None and rules:
        return dates | {"repeat": WRITTEN, "repeat_rule": "\n".join(rules)}
    return dates | (chosen or {})


def recurrence_of(choices: Mapping[str, Any], start: str, text: Notation) -> dict[str, Any] | None:
    """Return the recurrence that the chooser names, in the interface's form; ``None`` for none.

    ``start`` is that of the event, as the interface takes it. Raises ``ValueError``.
    """
    begins = _read_start(start)
    rules = _rules(choices, begins, text)
    usual = begins.time() if begins else time.min
    rdate = _dates(choices, "repeat_dates", lambda line: text.period(line, usual))
    exdate = _dates(choices, "repeat_except", lambda line: text.line(line, usual))
    if not rules and not rdate:
        return None
    rrule = rules if len(rules) > 1 else "".join(rules)
    return {"rrule": rrule, "rdate": rdate, "exdate": exdate}


def _line(moment: Any, text: Notation, *, all_day: bool) -> str:
    if isinstance(moment, Mapping):
        start, end = (datetime.fromisoformat(moment[name]) for name in ("start", "end"))
        return text.period_text(start, end, all_day=all_day)
    return text.moment_text(datetime.fromisoformat(moment), all_day=all_day)


def _dates(choices: Mapping[str, Any], control: str, read: Callable[[str], Any]) -> list[Any]:
    """Return the dates of a control; a line that is none is refused there."""
    dates = []
    for line in _lines(choices, control):
        try:
            dates.append(read(line))
        except ValueError as error:
            (why,) = error.args
            raise ValueError(Message("“{line}”: {why}", line=line, why=why), control) from error
    return dates


def _lines(choices: Mapping[str, Any], name: str) -> list[str]:
    return [line.strip() for line in str(choices.get(name, "")).splitlines() if line.strip()]


def _read_start(start: str) -> datetime | None:
    try:
        return datetime.fromisoformat(start)
    except ValueError:
        return None


def _rules(choices: Mapping[str, Any], start: datetime | None, text: Notation) -> list[str]:
    frequency = choices.get("repeat", "")
    if frequency == WRITTEN:
        return _lines(choices, "repeat_rule")
    if not frequency:
        return []
    parts = [f"FREQ={frequency}"]
    interval = str(choices.get("repeat_interval", "")).strip()
    if interval not in ("", "1"):
        parts.append(f"INTERVAL={interval}")
    days: Sequence[str] = choices.get("repeat_days") or ()
    if frequency == "WEEKLY" and days:
        parts.append(f"BYDAY={','.join(day for day in DAYS if day in days)}")
    if frequency == "MONTHLY" and start and choices.get("repeat_by"):
        number, weekday = nth_weekday(start.date())
        number = _LAST if choices["repeat_by"] == LAST_WEEKDAY else number
        parts.append(f"BYDAY={number}{weekday}")
    return [";".join([*parts, *_end(choices, text)])]


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


def _rule_choices(
    rule: Rule, start: datetime, event: Mapping[str, Any], text: Notation
) -> Choices | None:
    """Return the choices for a rule, or ``None`` where there are none for it."""
    choices: Choices = {"repeat": rule.freq, "repeat_interval": str(rule.interval)}
    if rule.count is not None:
        choices["repeat_count"] = str(rule.count)
    if rule.until is not None:
        choices["repeat_until"] = text.day(_last_day(rule.until, event["timezone"]))
    if rule.freq == "WEEKLY" and rule.days:
        choices["repeat_days"] = [day for _, day in rule.days]
    if rule.freq == "MONTHLY" and len(rule.days) == 1:
        choices["repeat_by"] = _monthly(rule.days[0], start)
    is_chosen = str(replace(rule, until=None, count=None)) == _chosen_rule(choices, start, text)
    return choices if is_chosen else None


def _monthly(day: tuple[int, str], start: datetime) -> str:
    number, weekday = nth_weekday(start.date())
    if day == (_LAST, weekday):
        return LAST_WEEKDAY
    return NTH_WEEKDAY if day == (number, weekday) else ""


def _chosen_rule(choices: Choices, start: datetime, text: Notation) -> str:
    endless = {name: value for name, value in choices.items() if "until" not in name}
    return "".join(_rules(endless | {"repeat_count": ""}, start, text))


def _last_day(until: datetime | date, timezone: str) -> date:
    if not isinstance(until, datetime):
        return until
    if until.tzinfo is None:
        return until.date()
    return wall_of(until.astimezone(UTC).replace(tzinfo=None), zone_of(timezone)).date()
