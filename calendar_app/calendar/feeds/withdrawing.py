"""Withdrawn events keep their last public state, for feeds to report as cancelled.

A calendar program that has taken an event into its own calendar is told that it is off, for
``WITHDRAWN_FOR``; and is told nothing of what has become of the text since.
"""

from datetime import datetime, time, timedelta

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH
from calendar_app.query.clauses import Clause, all_of, at_least, differs, not_any
from calendar_app.query.words import WORDS

WITHDRAWN_FOR = timedelta(days=30)
WITHDRAWN = "withdrawn"
WITHDRAWN_AT = f"{WITHDRAWN}.at"
LAST_PUBLIC = f"{WITHDRAWN}.record"
# What feeds tell nothing of; a note that was left behind would make this one grow without end.
_OMITTED = (WORDS, WITHDRAWN)


def note_withdrawal(before: Record, after: Record, now: datetime) -> None:
    """Store the last public state in an event that is no longer public."""
    if after["status"] == PUBLISH:
        after.pop(WITHDRAWN, None)
    elif before.get("status") == PUBLISH:
        public = {name: value for name, value in before.items() if name not in _OMITTED}
        after[WITHDRAWN] = {"at": now, "record": public}


def last_public(event: Record, now: datetime) -> Record | None:
    """Return an event as the public last saw it, if it is gone for no longer than is told."""
    note = event.get(WITHDRAWN)
    if not note or note["at"] < _since(now):
        return None
    record: Record = note["record"]
    # The note itself is a change; what is written afterwards is nobody's business.
    return record | {"revision": record["revision"] + 1, "modified": note["at"]}


def withdrawn_lately(now: datetime) -> Clause:
    """Match events withdrawn within ``WITHDRAWN_FOR``."""
    return at_least(WITHDRAWN_AT, _since(now))


def lately_public(clause: Clause, now: datetime) -> Clause:
    """Match withdrawn events by their last public state.

    What it matches today is left out. The time counts by whole days.
    """
    return all_of(
        [
            withdrawn_lately(now),
            differs("status", PUBLISH),
            _as_it_was(clause),
            not_any([clause]),
        ]
    )


def _since(now: datetime) -> datetime:
    return datetime.combine(now - WITHDRAWN_FOR, time.min)


def _as_it_was(clause: Clause) -> Clause:
    """Return ``clause`` about the record that the note holds."""
    return {
        key if key.startswith("$") else f"{LAST_PUBLIC}.{key}": (
            [_as_it_was(part) for part in value] if key.startswith("$") else value
        )
        for key, value in clause.items()
    }
