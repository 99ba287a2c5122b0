"""Compares events of sources that people take out of the trash with all others, as new ones."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from calendar_app.accounts.callers import SOURCE_ROLE
from calendar_app.calendar.auditing import current_audit
from calendar_app.calendar.writing.changes import Change
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import SOURCE_OF_NOTES, notes_of
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.sources.comparing import DoubleChoices
from calendar_app.sources.doubles import Doubles
from calendar_app.sources.source import SOURCES, WAIT, Source
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, at_least, one_of


@dataclass(frozen=True, slots=True)
class RestoredEvents:
    """Looks for doubles of restored events; ``kinds`` are those of events and of series."""

    store: Store
    kinds: tuple[Kind, Kind]
    doubles: Doubles
    choices: DoubleChoices

    def compare(self, changes: Collection[Change]) -> None:
        """Store the pairs of restored events; let those wait that sources would let wait.

        It takes part in the transaction of the changes before these are stored. What a source
        itself brings back it compares with all that it has brought.
        """
        events = self.kinds[0]
        restored = [each for each in changes if each.kind in self.kinds and _is_restored(each)]
        if not restored or current_audit().author.role == SOURCE_ROLE:
            return
        records = [each.after for each in restored]
        of_series = self._from_sources({each["series"] for each in records if each.get("series")})
        dates = [
            each.after
            for each in restored
            if each.kind is events
            and (notes_of(each.after) or each.after.get("series") in of_series)
        ]
        pairs = self.doubles.undecided(self.doubles.find(dates))
        # A single date is shown or hidden with its series.
        owners = {each["_id"]: each for each in records if notes_of(each)}
        alike = owners.keys() & {owner for pair in pairs for owner in pair.owners}
        held = self._held([owners[each] for each in alike])
        waiting = held & self.doubles.waiting_among(held)
        for owner in held:
            if owners[owner]["status"] == PUBLISH:
                waiting.add(owner)
                for each in (owners[owner], *(e for e in dates if e.get("series") == owner)):
                    each["status"] = PENDING
        self.doubles.store_pairs(dates, pairs, waiting)

    def _from_sources(self, ids: Collection[int]) -> set[int]:
        """Return those series that come from sources."""
        own = all_of([one_of("_id", ids), at_least(SOURCE_OF_NOTES, 1)])
        series = self.store.of(self.kinds[1]).find(own, fields=["_id"]) if ids else ()
        return {each["_id"] for each in series}

    def _held(self, records: Sequence[Record]) -> set[int]:
        """Return those of some records that wait where they are perhaps the same as others.

        For a source that was removed the setting of the site counts.
        """
        ids = {note["source"] for each in records for note in notes_of(each)}
        documents = self.store[SOURCES].find(one_of("_id", ids)) if ids else ()
        letting = {each["_id"]: self.choices.lets_wait(Source.of(each)) for each in documents}
        holding = {each for each in ids if letting.get(each, self.choices.doubles == WAIT)}
        return {
            each["_id"]
            for each in records
            if any(note["source"] in holding for note in notes_of(each))
        }


def _is_restored(change: Change) -> bool:
    before, after = change.before, change.after
    return bool(before and after) and before["status"] == TRASH != after["status"]
