"""The occurrence by which a whole series is changed."""

import re
from collections.abc import Collection, Iterable

from calendar_app.calendar.series.members import Member
from calendar_app.calendar.series.occurrences import RECURRENCE_ID, TIME_PATHS, slug_in
from calendar_app.calendar.series.request import SeriesChange
from calendar_app.calendar.slugs import index_slugs
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import TRASH

# The fields of a change that are about time.
SENT_TIMES = frozenset({"start", "end", "timezone", "all_day"})


def restores(addressed: Record, change: SeriesChange) -> bool:
    """Return whether a change of a series takes the addressed occurrence out of the trash."""
    is_trashed = RECURRENCE_ID in addressed and addressed["status"] == TRASH
    return is_trashed and change.changes.get("status", TRASH) != TRASH


def take_slugs(series: Record, before: Record, after: Record) -> None:
    """Give a language that an occurrence had not the slug of the series, not one of its title."""
    for tag, texts in after["variants"].items():
        is_made = texts.get("slug", "").endswith(f"/{after['date_slug']}")
        if is_made and tag not in before["variants"]:
            texts["slug"] = slug_in(series, after, tag) or texts["slug"]
    index_slugs(after)


def yielding(members: list[Member], addressed: Record, changes: Record) -> list[Member]:
    """Drop the overrides of the addressed occurrence that the change sends."""
    sent = {name for name in changes if name != "variants"}
    if SENT_TIMES & sent:
        sent |= set(TIME_PATHS)
    for tag, texts in changes.get("variants", {}).items():
        sent |= {f"variants.{tag}", *(f"variants.{tag}.{name}" for name in texts)}
    return [
        Member(member.stored, member.placed | {"overrides": _without(member.placed, sent)})
        if RECURRENCE_ID in addressed and member.stored["_id"] == addressed["_id"]
        else member
        for member in members
    ]


def without_override(occurrences: Iterable[Record], path: str) -> list[Member]:
    """Return the occurrences as members that do not override a path any more."""
    return [Member(each, each | {"overrides": _without(each, {path})}) for each in occurrences]


def _without(occurrence: Record, paths: Collection[str]) -> list[str]:
    return [path for path in occurrence.get("overrides", ()) if path not in paths]


def without_date_slugs(changes: Record, occurrence: Record) -> Record:
    """Return the changes with slugs of the series, not of one of its dates."""
    if "variants" not in changes:
        return changes
    date = re.compile(rf"[-/]{occurrence['date_slug']}$")
    variants = {
        tag: {n: date.sub("", t) if n == "slug" and t else t for n, t in texts.items()}
        for tag, texts in changes["variants"].items()
    }
    return {**changes, "variants": variants}
