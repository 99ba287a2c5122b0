"""The states of a record: published or not, listed, cancelled, locked, and last changed.

The rules are those of ``docs/reference/writing.md``, section "States".
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from hmac import compare_digest
from types import MappingProxyType
from typing import Any, NamedTuple

from calendar_app.domain.kind import Record

PUBLISH, FUTURE, DRAFT, PENDING, PRIVATE, TRASH = (
    "publish",
    "future",
    "draft",
    "pending",
    "private",
    "trash",
)
STATUSES = (PUBLISH, FUTURE, DRAFT, PENDING, PRIVATE, TRASH)
# What WordPress keeps for itself: a text nobody has saved yet, and what goes with another record.
# Programs may send them all the same.
AUTO_DRAFT, INHERIT = "auto-draft", "inherit"
REGISTERED = (*STATUSES, AUTO_DRAFT, INHERIT)
# States of a text that is being worked on: it needs no slug and has no publication date yet.
UNFINISHED = (DRAFT, PENDING, AUTO_DRAFT)
# States that lists show only to who asks for them.
UNLISTED = (TRASH, AUTO_DRAFT)
_AT_ONCE = timedelta(minutes=1)


def settled_status(status: str, published: datetime, now: datetime) -> str:
    """Return the state that ``status`` comes to, given the publication date (both UTC)."""
    if status == PUBLISH and published >= now + _AT_ONCE:
        return FUTURE
    if status == FUTURE and published < now + _AT_ONCE:
        return PUBLISH
    return status


# Whether lists show an event, and how much of it: one value, which the indexes of lists have.
#
# ``LOCKED`` ones have a password: lists show them by title and dates alone to who may not edit
# them.

LISTED, HIDDEN = False, True
LOCKED, LOCKED_HIDDEN = "locked", "locked, hidden"

UNLOCKED = (LISTED, HIDDEN)
IN_LISTS = (LISTED, LOCKED)


def listing_state(*, hidden: bool, locked: bool) -> bool | str:
    """Return the value for an event that lists are to leave out, or that has a password."""
    if locked:
        return LOCKED_HIDDEN if hidden else LOCKED
    return HIDDEN if hidden else LISTED


def is_hidden(state: Any) -> bool:
    """Say whether lists leave out an event in this state."""
    return state in (HIDDEN, LOCKED_HIDDEN)


# Whether an event takes place, and how people attend it.
#
# The states are those of The Events Calendar's own status module, and of schema.org's
# ``eventStatus`` and ``eventAttendanceMode``. Most events are held as planned and at a place:
# their documents say nothing of either.

SCHEDULED, CANCELED, POSTPONED = "scheduled", "canceled", "postponed"
EVENT_STATUSES = (SCHEDULED, CANCELED, POSTPONED)
OFFLINE, ONLINE, MIXED = "offline", "online", "mixed"
ATTENDANCE_MODES = (OFFLINE, ONLINE, MIXED)

# What is true of an event whose document does not say otherwise.
USUAL: Mapping[str, str] = MappingProxyType(
    {"event_status": SCHEDULED, "attendance_mode": OFFLINE, "online_url": ""}
)


# Passwords that unlock single events. They are shared among readers, so speed matters a little.
#
# All seals of a site have one salt, so that a password is hashed once, however many events it is
# tried on; each seal says its salt, since a site may have others from elsewhere.

_COST = {"n": 2**10, "r": 8, "p": 1}
_SALT_BYTES = 16
# More than are tried at once.
_MOST_DIGESTS = 16


def new_salt() -> str:
    """Return a random salt, in hexadecimal."""
    return secrets.token_hex(_SALT_BYTES)


def seal(password: str, salt: str) -> str:
    """Return the stored form of a password: ``salt$digest``, both in hexadecimal."""
    return f"{salt}${_digest(password, salt)}"


def opens(password: str, sealed: str) -> bool:
    """Say whether ``sealed`` was made from ``password``."""
    salt, _, digest = sealed.partition("$")
    return compare_digest(_digest(password, salt), digest)


@lru_cache(_MOST_DIGESTS)
def _digest(password: str, salt: str) -> str:
    encoded = password.encode(errors="surrogatepass")
    return hashlib.scrypt(encoded, salt=bytes.fromhex(salt), **_COST).hex()


# Versions of iCalendar components: SEQUENCE, and the time of the last change.
#
# A component also shows what its event links to, so renaming a venue is a change of it. The
# revision of the event counts ``_WEIGHT`` times as much as those of linked records: a link that
# goes raises the first, so that SEQUENCE never falls. Where a link goes without a write of the
# event, the event is touched: ``touched`` counts how often, and has the last time.

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
    addresses = list(links)
    generation, linked = generation_of(record), sum(link.revision for link in addresses)
    times = [link.modified for link in addresses if link.modified]
    touched = [record[TOUCHED]["at"]] if TOUCHED in record else []
    changed = max([last_change(record), *touched, *times])
    return Stamp(generation * _WEIGHT + min(linked, _WEIGHT - 1), changed)


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
