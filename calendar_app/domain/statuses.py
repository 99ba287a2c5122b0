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
# States that the reference knows and that no record here is ever in; filters accept them.
FOREIGN_STATUSES = ("auto-draft", "inherit")
# States of a text that is being worked on: it needs no slug and has no publication date yet.
UNFINISHED = (DRAFT, PENDING)
_AT_ONCE = timedelta(minutes=1)


def settled_status(asked: str, published: datetime, now: datetime) -> str:
    """Return the state that ``asked`` comes to, given the publication date (both UTC)."""
    if asked == PUBLISH and published >= now + _AT_ONCE:
        return FUTURE
    if asked == FUTURE and published < now + _AT_ONCE:
        return PUBLISH
    return asked
