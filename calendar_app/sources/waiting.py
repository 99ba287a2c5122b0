"""Events that wait as pending while somebody decides on a pair, and how they are shown."""

from collections.abc import Iterable
from dataclasses import dataclass

from calendar_app.accounts.callers import SOURCE_ROLE, Caller
from calendar_app.calendar.editor import Editor
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.sources.doubles import Doubles
from calendar_app.sources.likeness import owner_of
from calendar_app.sources.source import label_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import identified


@dataclass(frozen=True, slots=True)
class WaitingEvents:
    """Shows and hides the events of pairs; ``kinds`` are those of events and of series."""

    store: Store
    editor: Editor
    kinds: tuple[Kind, Kind]
    doubles: Doubles

    def follow(self, records: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Publish events that waited for trashed or deleted ones.

        It takes part in the transaction of that write. What waits for an event that has moved goes
        on to wait: other sources announce the same move later. What waited when it went to the
        trash itself may have nothing left to wait for when it comes back.
        """
        parting = {
            owner_of(before)
            for kind, before, after in records
            if kind is self.kinds[0]
            and before
            and (_is_taken_away(before, after) or _returns_waiting(before, after))
        }
        if parting and (pairs := self.doubles.open_pairs(parting)):
            self.doubles.compare_again(pairs)
            self.show_undecided({each for pair in pairs for each in pair.get("waits", ())})

    def show(self, record_ids: Iterable[int], caller: Caller, language: str) -> list[int]:
        """Publish the records that wait for no other decision; return their ids."""
        ids = [each for each in record_ids if not self.doubles.still_wait(each)]
        return self.set_status(ids, (PENDING, PUBLISH), caller, language)

    def show_undecided(self, record_ids: Iterable[int]) -> None:
        """Publish the records of which nothing is left to decide, as their sources would have."""
        for record_id in sorted(record_ids):
            for kind in self.kinds:
                record = self.store.of(kind).first(identified(record_id))
                if record is not None and (notes := notes_of(record)):
                    caller = Caller(record["author"], label_of(notes[0]["source"]), SOURCE_ROLE)
                    self.show([record_id], caller, notes[0]["language"])

    def set_status(
        self, record_ids: Iterable[int], statuses: tuple[str, str], caller: Caller, language: str
    ) -> list[int]:
        """Give events and series of the first status the second one; return their ids."""
        before, after = statuses
        changed = []
        for record_id in record_ids:
            # A series comes with its dates, of which the first one has the same id.
            for kind in reversed(self.kinds):
                record = self.store.of(kind).first(identified(record_id))
                if record is not None and record["status"] == before:
                    self.editor.change(kind, record_id, {"status": after}, caller, language)
                    changed.append(record_id)
        return changed


def _is_taken_away(before: Record, after: Record) -> bool:
    return before["status"] != TRASH and (not after or after["status"] == TRASH)


def _returns_waiting(before: Record, after: Record) -> bool:
    return bool(after) and (before["status"], after["status"]) == (TRASH, PENDING)
