"""Describe the recurrence of a series in words, by the templates of each language."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.lists import format_list

from calendar_app.domain.recurrence.rules import DAYS, Recurrence, Rule, explicit, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import wall_of, zone_of

_SOURCE = "en"
_MONDAY = date(2001, 1, 1)


@dataclass(frozen=True)
class SentenceTemplates:
    """The templates of one language; ``elisions`` are patterns and their replacements."""

    locale: Locale
    texts: Mapping[str, Any]

    def fill(self, name: str, **gaps: object) -> str:
        """Return a template with its gaps filled."""
        return str(self.texts[name].format(**gaps))

    def elided(self, text: str) -> str:
        """Return a whole text with its words joined as the language does."""
        for pattern, replacement in self.texts["elisions"].items():
            text = re.sub(pattern, replacement, text)
        return text

    def enumeration(self, members: Iterable[str]) -> str:
        return str(format_list(list(members), locale=self.locale))

    def weekday(self, day: str) -> str:
        """Return the name of a weekday, without an article."""
        moment = date(2001, 1, _MONDAY.day + DAYS.index(day))
        return str(format_date(moment, "EEEE", self.locale))

    def weekday_phrase(self, day: str) -> str:
        """Return a weekday with its article."""
        template = self.texts["weekday"][DAYS.index(day)]
        return str(template.format(day=self.weekday(day)))

    def nth(self, number: int, day: str) -> str:
        """Return ``the second``, in the gender of the weekday."""
        forms = self.texts["nth"][str(number)]
        is_feminine = self.weekday_phrase(day).startswith("la ")
        return str(forms[-1 if is_feminine else 0])

    def nth_weekday(self, number: int, day: str) -> str:
        return f"{self.nth(number, day)} {self.weekday(day)}"

    def month(self, number: int) -> str:
        return str(format_date(date(2001, number, 1), "LLLL", self.locale))

    def month_and_day(self, month: int, day: int) -> str:
        moment = date(2000, month, day)
        return str(format_skeleton("MMMMd", moment, locale=self.locale, fuzzy=True))

    def long_date(self, day: date) -> str:
        return str(format_date(day, "long", self.locale))


@cache
def _template_texts() -> Mapping[str, Mapping[str, Any]]:
    """Return the templates of all languages, read at once."""
    return {
        file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8"))
        for file in files(__package__).iterdir()
        if file.name.endswith(".toml")
    }


def languages() -> frozenset[str]:
    """Return the languages that have templates."""
    return frozenset(_template_texts())


def template_language(chain: Iterable[str]) -> str:
    """Return the first language of a chain that has templates, else English."""
    return next((tag for tag in chain if _primary(tag) in languages()), _SOURCE)


@cache
def templates_for(language: str) -> SentenceTemplates:
    """Return the templates of a language, ``de-CH`` being German; else English."""
    name = template_language([_primary(language)])
    locale = Locale.parse(name)
    if name == _primary(language):
        with suppress(UnknownLocaleError, ValueError):
            locale = Locale.parse(language, sep="-")
    return SentenceTemplates(locale, _template_texts()[name])


def _primary(tag: str) -> str:
    return tag.lower().split("-")[0]


# One rule in words, without its end.

_WORKDAYS = tuple((0, day) for day in DAYS[:5])
_EVERY_DAY = tuple((0, day) for day in DAYS)
_MOST_YEAR_DAYS = 4
_LAST_DAY = -1


def rule_phrase(rule: Rule, start: datetime, templates: SentenceTemplates) -> str:
    """Return a rule in words; a rule that no form can make is only called special."""
    simple = _simplified(explicit(rule, start), start)
    phrase = _phrase(simple, templates)
    if phrase is None:
        return str(templates.texts["special"][rule.freq])
    if simple.months and simple.freq != "YEARLY":
        return _in_months(simple, phrase, templates)
    return phrase


def _simplified(rule: Rule, start: datetime) -> Rule:
    """Return a rule with the same dates in the notation that has words."""
    if (rule.hours or (start.hour,)) == (start.hour,):
        rule = replace(rule, hours=())
    if (rule.minutes or (start.minute,)) == (start.minute,):
        rule = replace(rule, minutes=())
    if (rule.seconds or (start.second,)) == (start.second,):
        rule = replace(rule, seconds=())
    if rule.positions and rule.freq == "MONTHLY" and len(rule.days) == 1 and not rule.month_days:
        _, day = rule.days[0]
        rule = replace(rule, days=tuple((nth, day) for nth in rule.positions), positions=())
    if rule.freq == "YEARLY" and rule.interval == 1 and rule.month_days and not rule.months:
        rule = replace(rule, freq="MONTHLY")
    has_each_day = rule.days and not rule.positions and not any(nth for nth, _ in rule.days)
    if has_each_day and rule.freq in ("MONTHLY", "DAILY") and rule.interval == 1:
        return rule if rule.month_days else replace(rule, freq="WEEKLY")
    return rule


def _phrase(rule: Rule, templates: SentenceTemplates) -> str | None:
    """Return the words for a rule, or nothing where the templates have none."""
    if (
        (rule.positions and not _names_workdays(rule, templates))
        or rule.year_days
        or rule.week_numbers
        or rule.hours
        or rule.minutes
        or rule.seconds
    ):
        return None
    match rule.freq:
        case "DAILY":
            return None if rule.days or rule.month_days else _every("day", rule, templates)
        case "WEEKLY":
            return _weekly(rule, templates)
        case "MONTHLY":
            return _with_days("month", rule, _days_of_month(rule, templates), templates)
        case _:
            return _with_days("year", rule, _days_of_year(rule, templates), templates)


def _every(unit: str, rule: Rule, templates: SentenceTemplates, days: str = "") -> str:
    name = f"every_{unit}" if rule.interval == 1 else f"every_{unit}s"
    return templates.fill(name, interval=rule.interval, days=days)


def _with_days(
    unit: str, rule: Rule, days: list[str] | None, templates: SentenceTemplates
) -> str | None:
    return _every(unit, rule, templates, templates.enumeration(days)) if days else None


def _weekly(rule: Rule, templates: SentenceTemplates) -> str:
    if rule.interval == 1:
        if rule.days == _EVERY_DAY:
            return _every("day", rule, templates)
        if rule.days == _WORKDAYS:
            return templates.fill("every_workday")
        days = [templates.weekday(day) for _, day in rule.days]
    else:
        days = [templates.weekday_phrase(day) for _, day in rule.days]
    return _every("week", rule, templates, templates.enumeration(days))


def _days_of_month(rule: Rule, templates: SentenceTemplates) -> list[str] | None:
    if rule.days and rule.month_days:
        return None
    if rule.positions:
        numbers = (templates.nth(number, DAYS[0]) for number in rule.positions)
        return [f"{templates.enumeration(numbers)} {templates.texts['workday']}"]
    if rule.days:
        return _nth_weekdays(rule, templates)
    if any(day < _LAST_DAY for day in rule.month_days):
        return None
    positive = [templates.fill("month_day", day=day) for day in rule.month_days if day > 0]
    last = [templates.fill("last_day")] if _LAST_DAY in rule.month_days else []
    return positive + last


def _names_workdays(rule: Rule, templates: SentenceTemplates) -> bool:
    """Return whether a rule names workdays of a month, for example the last one."""
    has_words = all(str(number) in templates.texts["nth"] for number in rule.positions)
    return rule.freq == "MONTHLY" and rule.days == _WORKDAYS and has_words


def _nth_weekdays(rule: Rule, templates: SentenceTemplates) -> list[str] | None:
    if not all(str(number) in templates.texts["nth"] for number, _ in rule.days):
        return None
    days = sorted(rule.days, key=lambda day: (day[0] < 0, day))
    if len({day for _, day in days}) > 1:
        return [templates.nth_weekday(number, day) for number, day in days]
    numbers = (templates.nth(number, rule.days[0][1]) for number, _ in days)
    return [f"{templates.enumeration(numbers)} {templates.weekday(rule.days[0][1])}"]


def _days_of_year(rule: Rule, templates: SentenceTemplates) -> list[str] | None:
    if not rule.months or (rule.days and rule.month_days):
        return None
    if not rule.days and len(rule.months) * len(rule.month_days) <= _MOST_YEAR_DAYS:
        if all(day > 0 for day in rule.month_days):
            return _month_days(rule, templates)
        if rule.month_days != (_LAST_DAY,):
            return None
    elif not rule.days:
        return None
    days = _days_of_month(rule, templates)
    if not days:
        return None
    of_months = _of(rule, templates)
    return [templates.fill("of_months", day=templates.enumeration(days), months=of_months)]


def _month_days(rule: Rule, templates: SentenceTemplates) -> list[str]:
    """Return each day of a year, but 30 and 31 February and their like."""
    return [
        templates.fill("year_day", date=templates.month_and_day(month, day))
        for month in rule.months
        for day in rule.month_days
        if _exists(month, day)
    ]


def _exists(month: int, day: int) -> bool:
    try:
        return bool(date(2000, month, day))
    except ValueError:
        return False


def _in_months(rule: Rule, phrase: str, templates: SentenceTemplates) -> str:
    months = templates.enumeration(templates.month(month) for month in rule.months)
    return templates.fill("in_months", rule=phrase, months=months, of_months=_of(rule, templates))


def _of(rule: Rule, templates: SentenceTemplates) -> str:
    return templates.enumeration(
        templates.fill("of_month", month=templates.month(month)) for month in rule.months
    )


# The recurrence of a series in words, for readers.

_MOST_LISTED = 3
_MOST_TEXTS = 4096


@lru_cache(_MOST_TEXTS)
def describe(recurrence: Recurrence, span: TimeSpan, language: str) -> str:
    """Return a recurrence in words; English where the language has no templates.

    ``span`` is the time of the event itself.
    """
    templates = templates_for(language)
    zone = zone_of(span.timezone)
    rules = [parse_rule(text) for text in recurrence.rules]
    if not rules:
        return templates.elided(_only_dates(recurrence, span, templates))
    text = "; ".join(_with_end(rule, span.start_local, zone, templates) for rule in rules)
    extra = [each.start for each in recurrence.rdates]
    text = _with_dates("also", text, extra, templates)
    text = _with_dates("except", text, recurrence.exdates, templates)
    return templates.elided(text)


def _only_dates(recurrence: Recurrence, span: TimeSpan, templates: SentenceTemplates) -> str:
    starts = {span.start_local, *(extra.start for extra in recurrence.rdates)}
    days = _days(starts - set(recurrence.exdates))
    if len(days) > _MOST_LISTED + 1:
        return templates.fill("many_dates", count=len(days))
    return templates.fill("dates", dates=_enumerated(days, templates))


def _with_end(rule: Rule, start: datetime, zone: tzinfo, templates: SentenceTemplates) -> str:
    phrase = rule_phrase(rule, start, templates)
    if rule.count is not None:
        return templates.fill("once" if rule.count == 1 else "times", rule=phrase, count=rule.count)
    if rule.until is None:
        return phrase
    return templates.fill("until", rule=phrase, date=templates.long_date(_last_day(rule, zone)))


def _last_day(rule: Rule, zone: tzinfo) -> date:
    until = rule.until
    if isinstance(until, datetime):
        return wall_of(until.astimezone(UTC).replace(tzinfo=None), zone).date()
    return until or date.max


def _with_dates(
    name: str, text: str, walls: Iterable[datetime], templates: SentenceTemplates
) -> str:
    days = _days(walls)
    if not days:
        return text
    if len(days) > _MOST_LISTED:
        return templates.fill(f"{name}_many", rule=text, count=len(days))
    return templates.fill(name, rule=text, dates=_enumerated(days, templates))


def _days(walls: Iterable[datetime]) -> list[date]:
    return sorted({wall.date() for wall in walls})


def _enumerated(days: Iterable[date], templates: SentenceTemplates) -> str:
    return templates.enumeration(
        templates.fill("date", date=templates.long_date(day)) for day in days
    )
