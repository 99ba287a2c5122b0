"""Writes the history: one entry for each save, in the transaction of the save.

An entry is ``{kind, record, revision, date, user, name, door, action, changed, before}``: the
revision that the save made, the paths that it ``changed``, and their values ``before``, from which
earlier states follow. A new record leaves no values.
"""

from collections.abc import Collection, Iterable

from calendar_app.calendar.auditing import current_author, current_door
from calendar_app.calendar.history.content import changed_paths, values_at
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, equals, one_of

HISTORY = "history"
_DAY = 24 * 60 * 60  # seconds
CREATE, UPDATE, TO_TRASH, UNTRASH = "create", "update", "trash", "untrash"
ACTIONS = (CREATE, UPDATE, TO_TRASH, UNTRASH)


def history_indexes(days: int) -> tuple[Index, ...]:
    """Return the indexes of history that is kept for so many days."""
    return (
        Index(
            (("kind", 1), ("record", 1), ("revision", -1)),
            serves="the history of a record, the latest first; forgetting it",
        ),
        Index((("date", 1),), serves="forgetting entries after a time", expire_after=days * _DAY),
    )


class Recorder:
    """Notes saves; with ``days`` 0 it notes nothing."""

    def __init__(self, store: Store, days: int) -> None:
        self._entries = store[HISTORY]
        self._notes = days > 0

    def note(self, kind: Kind, before: Record, after: Record) -> None:
        """Note a save; ``before`` is empty for a new record."""
        if self._notes:
            self._entries.insert(_entry(kind, before, after))

    def note_all(self, kind: Kind, pairs: Iterable[tuple[Record, Record]]) -> None:
        """Note the saves of many records."""
        entries = [_entry(kind, before, after) for before, after in pairs] if self._notes else []
        if entries:
            self._entries.insert_many(entries)

    def forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Forget the history of records that are deleted for good."""
        clauses = [equals("kind", kind.name), one_of("record", record_ids)]
        self._entries.remove(all_of(clauses))


def _entry(kind: Kind, before: Record, after: Record) -> Record:
    author = current_author()
    paths = changed_paths(kind, before, after) if before else []
    earlier = values_at(before, paths) | {"modified": before["modified"]} if before else {}
    return {
        "kind": kind.name,
        "record": after["_id"],
        "revision": after["revision"],
        "date": after["modified"],
        "user": author.id,
        "name": author.name,
        "door": str(current_door()),
        "action": _action(before, after),
        "changed": paths,
        "before": earlier,
    }


def _action(before: Record, after: Record) -> str:
    if not before:
        return CREATE
    was, now = before.get("status"), after.get("status")
    if was == now or TRASH not in (was, now):
        return UPDATE
    return TO_TRASH if now == TRASH else UNTRASH
