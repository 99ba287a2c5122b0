"""The states of a record, and how publication dates move it between them.

The rules are those of ``docs/reference/interface.md``, section "States".
"""

from datetime import datetime, timedelta

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
