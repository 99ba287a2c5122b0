"""Records as they were before a write, for the outbox: what lists ask of them, without texts."""

from collections.abc import Iterable, Iterator

from calendar_app.calendar.reading.feed_contents import WITHDRAWN
from calendar_app.calendar.writing.changes import Change
from calendar_app.domain.fields import DISPLAY_TITLE, FOLDED, WORDS
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.provenance import NOTES
from calendar_app.domain.statuses import TOUCHED
from calendar_app.storage.mongo.marks import ENTRY_KEY, OUTBOX, Before

SERIES = "series"
# What changes in a series with its dates, apart from its rules.
_OF_DATES = frozenset({"document", "expanded_until", "modified", "recurrence", "revision", TOUCHED})
OUTBOX_INDEXES = {
    OUTBOX: (
        Index(tuple((name, 1) for name in ENTRY_KEY), "changes: what was written since a token"),
        Index((("at", 1),), "forgetting what is older than changes_days"),
    )
}
# What no clause of a list asks of a record, or what is too long to be kept for it.
_OMITTED = frozenset(
    {
        *(DISPLAY_TITLE, FOLDED, LEDGER, WITHDRAWN, WORDS),
        *("document", NOTES, "recurrence", "sources", "variants"),
    }
)


def records_before(changes: Iterable[Change]) -> Iterator[Before]:
    """Yield the records of some changes as they were."""
    for change in changes:
        kind, record, after = change.records
        number = (after or record)["_id"]
        by_dates = kind.name == SERIES and _is_by_dates(*change.records[1:])
        yield Before(kind.name, number, as_listed(record) if record else None, by_dates)


def _is_by_dates(before: Record, after: Record) -> bool:
    """Say whether nothing but dates of a series changes, which not all readers may see."""
    if not (before and after) or before["recurrence"]["rules"] != after["recurrence"]["rules"]:
        return False
    names = before.keys() | after.keys()
    return {name for name in names if before.get(name) != after.get(name)} <= _OF_DATES


def as_listed(record: Record) -> Record:
    """Return a record as lists ask for it: of its texts, slugs alone are kept as they are."""
    kept = {name: value for name, value in record.items() if name not in _OMITTED}
    variants = {
        language: {name: text if name == "slug" else True for name, text in texts.items()}
        for language, texts in record.get("variants", {}).items()
    }
    notes = [{"source": note["source"]} for note in record.get(NOTES, ())]
    return {**kept, "variants": variants, **({NOTES: notes} if notes else {})}
