"""Letters about decisions; they wait until nobody takes the decision back any more.

They are stored beside what was decided about, as ``{letter, told_at}``.
"""

from collections.abc import Iterator
from datetime import timedelta

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Now
from calendar_app.storage.mongo.collection import RecordCollection
from calendar_app.storage.query.clauses import all_of, at_most, equals, identified

# Takes a letter away from a document that has one.
NO_LETTER: Record = {"letter": "", "told_at": ""}
_UNDONE_WITHIN = timedelta(minutes=2)
_MOST_TOLD = 100  # letters of one round


def waiting_letter(letter: Record, now: Now) -> Record:
    """Return the fields of a document with a letter, which is empty where none is sent."""
    return {"letter": letter, "told_at": now() + _UNDONE_WITHIN}


def letters_due(stored: RecordCollection, now: Now, forgotten: Record) -> Iterator[Record]:
    """Yield the letters to send now, each once; set ``forgotten`` in their documents."""
    for due in stored.find(at_most("told_at", now()), limit=_MOST_TOLD):
        mine = all_of([identified(due["_id"]), equals("told_at", due["told_at"])])
        if stored.change(mine, {"$set": forgotten, "$unset": NO_LETTER}) and due["letter"]:
            yield due["letter"]
