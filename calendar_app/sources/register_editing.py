"""The register of a source as people see it, and how they correct it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters, Message, NotFound, PreconditionFailed
from calendar_app.sources.notes import NOTES
from calendar_app.sources.register import SOURCE_REGISTER
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    all_of,
    equals,
    has_member,
    identified,
    one_of,
)
from calendar_app.storage.query.list_query import Page, Window
from calendar_app.storage.query.stages import occurring

NO_RECORD = Message("Must be the id of a record that exists, or 0.")


@dataclass(frozen=True, slots=True)
class RegisterLine:
    """An entry with our record, empty where that is gone, and with how many events link it."""

    entry: Record
    record: Record
    events: int

    @property
    def is_open(self) -> bool:
        """Whether the next reading looks for a record again."""
        return not self.record or self.record["status"] == TRASH


@dataclass(frozen=True, slots=True)
class RegisterEditor:
    """Lists and corrects the names of sources for venues and organizers."""

    store: Store
    kinds: tuple[Kind, Kind]

    def page(self, source: int, window: Window, kind: str = "") -> Page:
        """Return a page of the entries, venues first, by name."""
        own = all_of([equals("source", source), *([equals("kind", kind)] if kind else [])])
        register = self.store[SOURCE_REGISTER]
        order = [("kind", -1), ("name", 1), ("_id", 1)]
        entries = register.find(own, order=order, skip=window.skip, limit=window.size)
        return Page(entries, window, lambda: register.count(own))

    def lines(self, source: int, entries: Sequence[Record]) -> list[RegisterLine]:
        """Return entries with our records, and with how many events link them."""
        lines = {}
        for kind in {each["kind"] for each in entries}:
            ids = sorted({each["record"] for each in entries if each["kind"] == kind})
            records = {each["_id"]: each for each in self.store[kind].find(one_of("_id", ids))}
            numbers = self._numbers(source, kind, ids)
            for each in entries:
                if each["kind"] == kind:
                    record = records.get(each["record"], {})
                    number = numbers.get(each["record"], 0)
                    lines[each["_id"]] = RegisterLine(each, record, number)
        return [lines[each["_id"]] for each in entries]

    def line(self, source: int, key: str) -> RegisterLine:
        """Return one entry; raise ``NotFound``."""
        return self.lines(source, [self._entry(source, key)])[0]

    def change(
        self, source: int, key: str, record_id: int, was: int | None = None, *, same: bool = False
    ) -> RegisterLine:
        """Let an entry mean another record; with ``same`` all entries that mean the same one.

        With 0 the next reading looks for a record again. Events of the source that link the former
        record are looked at again by the next reading. Raises ``InvalidParameters`` for a record
        that does not exist, and ``PreconditionFailed`` where the entry means another one than
        ``was``.
        """
        line = self.line(source, key)
        entry = line.entry
        kind, former = entry["kind"], entry["record"]
        if record_id and not self._exists(kind, record_id):
            raise InvalidParameters({"record": NO_RECORD})
        possible_ids = {former, 0} if line.is_open else {former}
        if was is not None and was not in possible_ids:
            raise PreconditionFailed
        of_source = all_of([equals("source", source), equals("kind", kind)])
        # Names that mean nothing yet have nothing in common.
        entries = of_source if same and former else identified(entry["_id"])

        def work() -> None:
            # What stands in another record counts as edited here.
            update = {"$set": {"record": record_id, "wrote": {}}}
            of_record = all_of([entries, equals("record", former)])
            if not self.store[SOURCE_REGISTER].change_all(of_record, update):
                raise PreconditionFailed
            self._look_again(source, kind, former)

        self.store.transact(work)
        return self.line(source, key)

    def _look_again(self, source: int, kind: str, record_id: int) -> None:
        """Let the next reading look at the events of a source that link a record."""
        note = has_member(NOTES, equals("source", source))
        linking = all_of([note, equals(kind, record_id)])
        for each in self.kinds:
            self.store.of(each).change_all(linking, {"$set": {f"{NOTES}.$.rules": ""}})

    def _entry(self, source: int, key: str) -> Record:
        own: Clause = all_of([equals("source", source), equals("key", key)])
        entry = self.store[SOURCE_REGISTER].first(own)
        if entry is None:
            raise NotFound("entry")
        return entry

    def _exists(self, kind: str, record_id: int) -> bool:
        record = self.store[kind].first(identified(record_id), fields=["status"])
        return record is not None and record["status"] != TRASH

    def _numbers(self, source: int, kind: str, ids: Sequence[int]) -> Mapping[int, int]:
        """Return how many events of a source link each record."""
        events = all_of([equals(f"{NOTES}.source", source), one_of(kind, ids)])
        groups = self.store.of(self.kinds[0]).aggregate(occurring(kind, events))
        return {each["_id"]: each["number"] for each in groups}
