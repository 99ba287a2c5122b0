"""Minimal updates under an optimistic lock."""

from calendar_app.domain.kind import Record
from calendar_app.errors import Conflict, PreconditionFailed


class WriteConflict(Conflict):
    """Another write changed the record after it was read."""


def difference(before: Record, after: Record) -> Record:
    """Return the update document that turns ``before`` into ``after``; empty if they are equal.

    Variants and folded texts are compared one language at a time, so that two editors who write
    two languages never write the same path.
    """
    sets: Record = {}
    unsets: Record = {}
    _compare(before, after, "", sets, unsets)
    update = {"$set": sets, "$unset": unsets}
    return {operator: paths for operator, paths in update.items() if paths}


_DEEP = ("variants", "folded", "sources", "standing")


def _compare(before: Record, after: Record, at: str, sets: Record, unsets: Record) -> None:
    for name in before.keys() | after.keys():
        path = f"{at}{name}"
        if name not in after:
            unsets[path] = ""
        elif name not in before:
            sets[path] = after[name]
        elif before[name] != after[name] or type(before[name]) is not type(after[name]):
            if name in _DEEP and not at:
                _compare(before[name], after[name], f"{name}.", sets, unsets)
            else:
                sets[path] = after[name]


def require_revision(record: Record, revision: int | None) -> None:
    """Raise ``PreconditionFailed`` where a record is not at this revision, if any."""
    if revision is not None and record["revision"] != revision:
        raise PreconditionFailed
