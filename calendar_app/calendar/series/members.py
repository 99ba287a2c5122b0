"""The stored occurrences of a series, and where each belongs after a change of the series."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.series.schedule import Dates
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH

_DAY = len("2026-12-24")


@dataclass(frozen=True, slots=True)
class Member:
    """An occurrence as ``stored``, and as ``placed`` by the change."""

    stored: Record
    placed: Record

    @property
    def is_trashed(self) -> bool:
        return bool(self.stored["status"] == TRASH)


def members_of(occurrences: Iterable[Record], *, step: timedelta = timedelta()) -> list[Member]:
    """Return the occurrences as members, with dates moved by ``step``."""
    return [
        Member(stored, {**stored, RECURRENCE_ID: stored[RECURRENCE_ID] + step})
        for stored in occurrences
    ]


def with_date_slugs(members: Sequence[Member], dates: Dates) -> dict[datetime, str]:
    """Return the end of the slug on each date: "2026-12-24", "2026-12-24-2".

    ``2026-12-24``, and ``2026-12-24-2`` for the second one of a day. A member keeps its own.
    """
    slugs: dict[datetime, str] = {}
    for member in members:
        start, slug = member.placed[RECURRENCE_ID], member.stored.get("date_slug", "")
        if slug[:_DAY] == start.date().isoformat():
            slugs[start] = slug
    in_use = set(slugs.values())
    for start in sorted({*dates, *(member.placed[RECURRENCE_ID] for member in members)}):
        if start not in slugs:
            slugs[start] = _first_free(start.date().isoformat(), in_use)
            in_use.add(slugs[start])
    return slugs


def _first_free(day: str, in_use: set[str]) -> str:
    number = 1
    slug = day
    while slug in in_use:
        number += 1
        slug = f"{day}-{number}"
    return slug
