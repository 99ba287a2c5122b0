"""The sources of the demo calendars: one that has changed since, and one that is a table."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from calendar_app.cli.demo.calendars import name_for
from calendar_app.cli.demo.loading import ADMINISTRATOR
from calendar_app.settings import Settings
from calendar_app.sources.managing import Sources

_FOLDER = "sources"
_DAY = re.compile(r"\{(\d+)\}")
# The name of each, its kind, and the files that are read one after another.
_SOURCES = {
    "de-rm": (
        ("Musikgesellschaft Valdorta", "ics", ("music.ics", "music-later.ics")),
        ("Bibliothek Pradasut", "csv", ("library.csv",)),
    ),
    "fr-de": (
        ("Chœur de la ville", "ics", ("music.ics", "music-later.ics")),
        ("Médiathèque", "csv", ("library.csv",)),
    ),
}


def load_sources(
    sources_at: Callable[[datetime], Sources], settings: Settings, now: datetime
) -> None:
    """Add the sources of the calendar that fits the site, and read their files, one a day.

    ``now`` is aware; the days of their events are counted from its day in the zone of the site.
    """
    calendar = name_for(settings)
    language = calendar.partition("-")[0]
    if language not in settings.languages:
        return
    today = now.astimezone(ZoneInfo(settings.timezone)).date()
    for name, kind, readings in _SOURCES[calendar]:
        source_settings = {"name": name, "kind": kind, "language": language}
        source = sources_at(now).add(source_settings, ADMINISTRATOR)
        for days, file in zip(range(len(readings) - 1, -1, -1), readings, strict=True):
            text = files("calendar_app.cli.demo").joinpath(_FOLDER, f"{calendar}-{file}")
            content = _dated(text.read_text(encoding="utf-8"), today, kind).encode()
            sources = sources_at(now - timedelta(days=days))
            sources.readings.read(source.id, ADMINISTRATOR, content=content)


def _dated(text: str, today: date, kind: str) -> str:
    """Return the text of a file with the days that its numbers in braces count."""
    style = "%Y%m%d" if kind == "ics" else "%Y-%m-%d"
    return _DAY.sub(lambda match: (today + timedelta(int(match[1]))).strftime(style), text)
