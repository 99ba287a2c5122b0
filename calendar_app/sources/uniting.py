"""Two events become one: with the sources, the edits and the links of both.

The one that goes lies in the trash then, and its addresses lead to the other. Its sources know it
as the one that stays, so that it never comes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import changed_paths, kept_fields, values_at
from calendar_app.calendar.series.changing import ALL
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import RECURRENCE_ID
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.unions import Unions
from calendar_app.calendar.writing.terms import Parents
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.provenance import INHERITED, named_notes, notes_of
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.sources.additions import PARENT, UnitedEvent, additions, date_additions
from calendar_app.sources.doubles import DIFFERENT, MERGED, Doubles
from calendar_app.sources.leading import NEVER
from calendar_app.sources.merging import TEXTS
from calendar_app.sources.notes import NOTES, store_notes
from calendar_app.sources.site_dates import occurrence_on
from calendar_app.sources.waiting import WaitingEvents
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, identified

_SAME_SOURCE = Message("Both come from the same source, which tells them apart.")


@dataclass(frozen=True, slots=True)
class Uniting:
    """Makes one of two events; ``kinds`` are those of events and of series."""

    store: Store
    editor: Editor
    kinds: tuple[Kind, Kind]
    doubles: Doubles

    def unite(self, first: int, second: int, caller: Caller, language: str) -> Record:
        """Make one event of an open pair, and return it: the older one, or that of a series.

        Raises ``NotFound`` where the pair is not open, or ``InvalidParameters``.
        """
        return self.editor.together(lambda: self._unite(first, second, caller, language))

    def _unite(self, first: int, second: int, caller: Caller, language: str) -> Record:
        pair = self.doubles.open_pair(first, second)
        if pair is None:
            raise NotFound("double", first)
        remaining, removed = self._in_order(*sorted((first, second)))
        self._refuse_common_source(remaining, removed)
        written = [*self._write(remaining, removed, caller, language)]
        ids = (first, second)
        stays = remaining.id if remaining.id in ids else min(ids)
        self.doubles.decide(
            first, second, MERGED, {"gone": {"kind": removed.kind.name, "id": removed.id}}
        )
        taken_pairs = self.doubles.take_over(next(each for each in ids if each != stays), stays)
        undo = {"kept": remaining.id, "kept_kind": remaining.kind.name, "stood": _stood(remaining)}
        undo |= {"filled": written, "pairs": taken_pairs.pairs, "made": taken_pairs.made}
        undo |= {"user": caller.id, "date": self.doubles.now()}
        undo |= self._take_place(remaining, removed, caller)
        waiting = taken_pairs.waits | set(pair.get("waits", ()))
        undo["shown"] = self.waiting.show(sorted(waiting - {removed.id}), caller, language)
        Unions(self.store).note(removed.kind, removed.id, undo)
        return self.store.of(self.kinds[0]).first(identified(stays)) or {}

    def _write(
        self, remaining: UnitedEvent, removed: UnitedEvent, caller: Caller, language: str
    ) -> Iterator[Record]:
        """Write the additions to the remaining event; yield the changes for the undo."""
        if changes := self._changes(remaining, removed):
            after = self.editor.change(remaining.kind, remaining.id, changes, caller, language)
            yield _filled(remaining.kind, remaining.record, after)
        is_series = removed.kind is self.kinds[1]
        for date, own in self._edited_dates(remaining, removed) if is_series else ():
            after = self.editor.change(self.kinds[0], date["_id"], own, caller, language)
            yield _filled(self.kinds[0], date, after)

    def differ(self, first: int, second: int, caller: Caller, language: str) -> None:
        """Record that two events are different, and show the waiting ones."""

        def work() -> None:
            pair = self.doubles.open_pair(first, second)
            if pair is None:
                raise NotFound("double", first)
            self.doubles.decide(first, second, DIFFERENT)
            self.waiting.show(pair.get("waits", ()), caller, language)

        self.editor.together(work)

    def reopen(self, first: int, second: int, caller: Caller, language: str) -> None:
        """Take back that two events are different, and let them wait again.

        Where one of them lies in the trash there is nothing to wait for.
        """

        def work() -> None:
            pair = self.doubles.reopen(first, second)
            if pair is None:
                raise NotFound("double", first)
            waits = [each for each in pair.get("waits", ()) if self.doubles.still_wait(each)]
            self.waiting.set_status(waits, (PUBLISH, PENDING), caller, language)

        self.editor.together(work)

    @property
    def waiting(self) -> WaitingEvents:
        return WaitingEvents(self.store, self.editor, self.kinds, self.doubles)

    def _changes(self, remaining: UnitedEvent, removed: UnitedEvent) -> Record:
        """Return the changes of the event that stays."""
        changes = additions(remaining, removed)
        if remaining.record[PARENT] == removed.id:
            changes[PARENT] = removed.record[PARENT]
        if changes.get(PARENT) and not self._may_be_below(remaining, changes[PARENT]):
            del changes[PARENT]
        if (remaining.record["status"], removed.record["status"]) == (PENDING, PUBLISH):
            # What everybody sees does not vanish because the other one waits.
            changes["status"] = PUBLISH
        return changes

    def _may_be_below(self, event: UnitedEvent, parent: int) -> bool:
        """Say whether an event may have a parent, which is no part of it."""
        try:
            return bool(Parents(self.store).of_event(event.record, parent))
        except InvalidParameters:
            return False

    def _edited_dates(
        self, remaining: UnitedEvent, removed: UnitedEvent
    ) -> Iterator[tuple[Record, Record]]:
        """Yield the dates of one series that get people's edits of those of the other, and these.

        A date that they took out of one series takes place as the other one has it.
        """
        members, events = StoredSeries(self.store), self.kinds[0]
        own = members.occurrences(remaining.record)
        vanished = [note.get("dates", {}) for note in removed.notes]
        for date in members.occurrences(removed.record):
            name = date[RECURRENCE_ID].isoformat()
            occurrence = occurrence_on(name, own) if date["overrides"] else None
            is_gone = any("vanished" in dates.get(name, {}) for dates in vanished)
            if occurrence is None or is_gone or TRASH in (date["status"], occurrence["status"]):
                continue
            changes = date_additions(
                UnitedEvent(events, occurrence, remaining.record),
                UnitedEvent(events, date, removed.record),
            )
            if changes:
                yield occurrence, changes

    def _in_order(self, older: int, newer: int) -> tuple[UnitedEvent, UnitedEvent]:
        """Return (remaining, removed); an occurrence wins, two series are merged."""
        events, series = self.kinds
        pair = [self._living(each) for each in (older, newer)]
        ids = [each.get("series") for each in pair]
        whole = [self.store.of(series).first(identified(each)) if each else None for each in ids]
        if all(ids):
            if ids[0] == ids[1] or not (whole[0] and whole[1]):
                raise NotFound("event", newer)
            return UnitedEvent(series, whole[0]), UnitedEvent(series, whole[1])
        united = [UnitedEvent(events, *both) for both in zip(pair, whole, strict=True)]
        if ids[1]:
            united.reverse()
        return united[0], united[1]

    def _living(self, event_id: int) -> Record:
        event = self.store.of(self.kinds[0]).first(identified(event_id))
        if event is None or event["status"] == TRASH:
            raise NotFound("event", event_id)
        return event

    @staticmethod
    def _refuse_common_source(first: UnitedEvent, second: UnitedEvent) -> None:
        sources = [{n["source"] for n in notes_of(each.record)} for each in (first, second)]
        if sources[0] & sources[1]:
            raise InvalidParameters({"": _SAME_SOURCE})

    def _take_place(self, first: UnitedEvent, second: UnitedEvent, caller: Caller) -> Record:
        """Move the second event to the trash, and lead all references to the first.

        Return the data of an undo.
        """
        kind, record = second.kind, second.record
        collection, events = self.store.of(kind), self.store.of(self.kinds[0])
        stays = first.id
        slugs = FormerSlugs(self.store).lead_to(kind, record, stays)
        undo: Record = {"slugs": slugs, "revision": record["revision"], "children": []}
        dates = events.find(equals("series", record["_id"])) if kind is self.kinds[1] else ()
        undo["out"] = [each["_id"] for each in dates if each["status"] == TRASH]
        undo["dates"] = [{"id": d["_id"], "notes": d[NOTES]} for d in dates if d.get(NOTES)]
        undo["notes"] = notes_of(record)
        self.editor.remove(kind, record["_id"], caller, scope=ALL)
        without: Record = {"$unset": {NOTES: "", INHERITED: ""}}
        collection.change(identified(record["_id"]), without)
        if names := named_notes(record):
            collection.change(identified(record["_id"]), {"$set": {NOTES: names}})
        if kind is self.kinds[1]:
            events.change_all(equals("series", record["_id"]), without)
        else:
            below = equals("parent", record["_id"])
            undo["children"] = [each["_id"] for each in events.find(below, fields=["_id"])]
            events.change_all(below, {"$set": {"parent": stays}})
        moved = [note | {"revision": NEVER} for note in notes_of(record)]
        if moved:
            notes = [*first.record.get(NOTES, ()), *moved]
            store_notes(self.store, first.kind, first.record, notes)
        return undo


def _filled(kind: Kind, before: Record, after: Record) -> Record:
    """Return the changes of a union to a record, for its undo."""
    paths = changed_paths(kind, before, after)
    values = {"before": values_at(before, paths), "after": values_at(after, paths)}
    return {"kind": kind.name, "id": before["_id"], "paths": paths, **values}


def _stood(remaining: UnitedEvent) -> Record:
    """Return the former stored fields of an event, without derived ones."""
    names = {*kept_fields(remaining.kind), TEXTS, LEDGER, "origin", "sources"}
    return {name: value for name, value in remaining.record.items() if name in names}
