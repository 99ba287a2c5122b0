"""The demo calendars as data, and the choice for a site.

A calendar is a JSON file named after its languages. Its records have a ``key`` by which others
refer to them, and ``variants``, language to texts. Events have ``days``, counted from the day of
loading; ``start`` and ``end`` as hours and minutes; and ``nights``, how many midnights lie between
the two; ``picture`` the key of one, drawn by ``scripts/demo_pictures.py``. Several days are a
series; so is a ``rule`` (RRULE) that begins on the day. ``exceptions`` say by number, from 0, what
differs on a date of it.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from calendar_app.settings import Settings

DemoEntry = dict[str, Any]
DemoCalendar = dict[str, list[DemoEntry]]

CALENDARS = ("de-rm", "fr-de")
# The settings of the first of them, for a service that has none of its own.
DEMO_SETTINGS = Path(__file__).with_name("de-rm.toml")
# The variable with the password of its administrator.
PASSWORD = "DEMO_PASSWORD"  # noqa: S105 - the name of a variable


def calendar_for(settings: Settings) -> DemoCalendar:
    """Return the calendar with the most languages of the site, and texts in those alone.

    Of two that are equal in this, the one with the default language is taken. A record without a
    text in any language of the site is left out; so a site with no such language gets no records.
    """
    return {
        collection: [entry for entry in _in_languages(entries, settings) if entry["variants"]]
        for collection, entries in read_calendar(name_for(settings)).items()
    }


def name_for(settings: Settings) -> str:
    """Return the name of the calendar that fits the site."""
    return max(CALENDARS, key=lambda name: _fit(name, settings))


def read_calendar(name: str) -> DemoCalendar:
    """Return a calendar with its texts in all its languages."""
    calendar: DemoCalendar = json.loads(
        files("calendar_app.cli.demo").joinpath(f"{name}.json").read_text(encoding="utf-8")
    )
    return calendar


def _fit(name: str, settings: Settings) -> tuple[int, bool]:
    languages = set(name.split("-"))
    return len(languages & set(settings.languages)), settings.default_language in languages


def _in_languages(entries: list[DemoEntry], settings: Settings) -> list[DemoEntry]:
    return [
        entry
        | {
            "variants": {
                language: texts
                for language, texts in entry["variants"].items()
                if language in settings.languages
            }
        }
        for entry in entries
    ]
