"""The recurrence of a series in words, for readers."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache

from calendar_app.content.recurrence_text.rule_phrases import rule_phrase
from calendar_app.content.recurrence_text.templates import Templates, templates_for
from calendar_app.domain.recurrence.model import Recurrence
from calendar_app.domain.recurrence.rules import Rule, parse_rule
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import wall_of, zone_of

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


def _only_dates(recurrence: Recurrence, span: TimeSpan, templates: Templates) -> str:
    starts = {span.start_local, *(extra.start for extra in recurrence.rdates)}
    days = _days(starts - set(recurrence.exdates))
    if len(days) > _MOST_LISTED + 1:
        return templates.fill("many_dates", count=len(days))
    return templates.fill("dates", dates=_enumerated(days, templates))


def _with_end(rule: Rule, start: datetime, zone: tzinfo, templates: Templates) -> str:
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


def _with_dates(name: str, text: str, walls: Iterable[datetime], templates: Templates) -> str:
    days = _days(walls)
    if not days:
        return text
    if len(days) > _MOST_LISTED:
        return templates.fill(f"{name}_many", rule=text, count=len(days))
    return templates.fill(name, rule=text, dates=_enumerated(days, templates))


def _days(walls: Iterable[datetime]) -> list[date]:
    return sorted({wall.date() for wall in walls})


def _enumerated(days: Iterable[date], templates: Templates) -> str:
    return templates.enumeration(
        templates.fill("date", date=templates.long_date(day)) for day in days
    )
