"""What a calendar answers: records, records with their entity tags, and changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from calendar_client.schema import Category, Event, Organizer, Tag, Venue

__all__ = ["Batch", "Category", "Change", "Event", "Organizer", "Tag", "Venue", "Versioned"]

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Versioned(Generic[R]):
    """A record, and the entity tag of the state in which it was."""

    record: R
    etag: str


@dataclass(frozen=True, slots=True)
class Change:
    """A record that was written, or one that is to be seen no more.

    ``kind`` is that of its list, such as ``events``. A deleted one has no ``record``; what was
    public has a ``tombstone`` with its slug and page.
    """

    kind: str
    id: int
    is_deleted: bool
    modified: str
    record: Mapping[str, Any] | None
    tombstone: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes in the order in which they were made, and the token behind them.

    Whoever keeps ``next`` once the changes are stored goes on from there. ``pause`` says after how
    many seconds to ask again, where the calendar does not hold answers.
    """

    changes: tuple[Change, ...]
    next: str
    more: bool
    pause: float = 0
