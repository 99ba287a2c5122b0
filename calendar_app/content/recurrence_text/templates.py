"""The templates of each language, filled with CLDR's names of days and months."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list

from calendar_app.domain.recurrence.rules import DAYS

_SOURCE = "en"
_MONDAY = date(2001, 1, 1)


@dataclass(frozen=True)
class Templates:
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
def languages() -> frozenset[str]:
    """Return the languages that have templates."""
    return frozenset(
        file.name.removesuffix(".toml")
        for file in files(__package__).iterdir()
        if file.name.endswith(".toml")
    )


def template_language(chain: Iterable[str]) -> str:
    """Return the first language of a chain that has templates, else English."""
    return next((tag for tag in chain if _primary(tag) in languages()), _SOURCE)


@cache
def templates_for(language: str) -> Templates:
    """Return the templates of a language, ``de-CH`` being German; else English."""
    primary = _primary(language)
    name = primary if primary in languages() else _SOURCE
    source = files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    return Templates(Locale.parse(name), tomllib.loads(source))


def _primary(tag: str) -> str:
    return tag.lower().split("-")[0]
