"""Versions of iCalendar components: SEQUENCE, and the time of the last change.

A component also shows what its event links to, so renaming a venue is a change of it. The revision
of the event counts ``_WEIGHT`` times as much as those of linked records: a link that goes raises
the first, so that SEQUENCE never falls. Where a link goes without a write of the event, the event
is touched: ``touched`` counts how often, and has the last time.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH

TOUCHED = "touched"
# Room for the revisions of linked records; SEQUENCE has 31 bits (RFC 5545 section 3.3.8).
_WEIGHT = 10_000


class LinkVersion(NamedTuple):
    """Revision and last change of a linked record."""

    revision: int
    modified: datetime | None


class Stamp(NamedTuple):
    """SEQUENCE of a component, and its last change, naive in UTC."""

    sequence: int
    changed: datetime


# The versions of linked records that the caller may read, by kind and id.
LinkVersions = Mapping[str, Mapping[int, LinkVersion]]


def stamp_of(record: Record, links: Iterable[LinkVersion]) -> Stamp:
    """Return the stamp of an event or a series that shows these linked records."""
    shown = list(links)
    own, linked = generation_of(record), sum(link.revision for link in shown)
    times = [link.modified for link in shown if link.modified]
    touched = [record[TOUCHED]["at"]] if TOUCHED in record else []
    changed = max([last_change(record), *touched, *times])
    return Stamp(own * _WEIGHT + min(linked, _WEIGHT - 1), changed)


def version_of(record: Record) -> LinkVersion:
    """Return the version of a linked record."""
    return LinkVersion(record.get("revision", 0), record.get("modified"))


def generation_of(record: Record) -> int:
    """Return how often a record was written or touched; it never falls."""
    return int(record.get("revision", 0)) + int(record.get(TOUCHED, {}).get("times", 0))


def touch(now: datetime) -> Record:
    """Return the update that touches a record."""
    return {"$inc": {f"{TOUCHED}.times": 1}, "$set": {f"{TOUCHED}.at": now}}


def note_hiding(before: Record, series: Record, now: datetime) -> None:
    """Touch a series that is no longer public so often that SEQUENCE rises without its revision.

    Readers of its dates that stay public do not learn how often it is written from now on.
    """
    if was_public(before, series):
        series[TOUCHED] = {"times": generation_of(series), "at": now}


def last_change(event: Record) -> datetime:
    """Return the last write of an event, naive in UTC, its publication included."""
    modified: datetime = event["modified"]
    return max(modified, event["published"]) if event["status"] == PUBLISH else modified


def was_public(before: Record, after: Record) -> bool:
    """Return whether a write takes a record from the public."""
    return before.get("status") == PUBLISH != after.get("status")
