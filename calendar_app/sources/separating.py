"""The one undo of a union of two events: both are there again, with what came from each.

A union notes in ``unions`` what it has changed. Later edits of people stay, also those of fields
that it had filled.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from calendar_app.accounts.callers import SOURCE_ROLE, Caller
from calendar_app.accounts.policy import restored_status
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import History, changed_paths, values_at, with_values
from calendar_app.calendar.restoring import Restorer
from calendar_app.calendar.series.members import StoredSeries
from calendar_app.calendar.series.occurrences import TIME_PATHS
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.unions import Unions
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.provenance import named_notes, notes_of
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.errors import InvalidParameters, Message, NotFound, NotOnBothSides
from calendar_app.sources.additions import ADDED_UP
from calendar_app.sources.comparing import DoubleChoices
from calendar_app.sources.digests import digest
from calendar_app.sources.doubles import Doubles
from calendar_app.sources.leading import NEVER
from calendar_app.sources.merging import TIMES, stored_values
from calendar_app.sources.notes import NOTES, memory_of, store_notes
from calendar_app.sources.source import SOURCES, Source
from calendar_app.sources.waiting import WaitingEvents
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, identified, one_of

_TOO_OLD = Message("They were united before that could be undone.")
_GONE = Message("One of both has been deleted.")
_TRASHED = Message("The event that stayed is in the trash.")
_UNITED_AGAIN = Message("The one that went has been united with another event since.")


@dataclass(frozen=True, slots=True)
class Separating:
    """Undoes the union of two events; ``kinds`` are events and series."""

    store: Store
    editor: Editor
    kinds: tuple[Kind, Kind]
    doubles: Doubles
    choices: DoubleChoices

    def separate(self, first: int, second: int, caller: Caller, language: str) -> None:
        """Undo the union of a pair, which is open then.

        Raises ``NotFound`` where they were not united, and ``InvalidParameters`` naming ``id``
        where something stands in the way. All is stored or nothing.
        """
        self.editor.together(lambda: self._separate(first, second, caller, language))

    def _separate(self, first: int, second: int, caller: Caller, language: str) -> None:
        pair = self.doubles.united_pair(first, second)
        if pair is None:
            raise NotFound("double", first)
        removed_kind, union = self._union(pair)
        if caller.role == SOURCE_ROLE and not (union["notes"] or union["user"] == caller.id):
            # It was entered here, and is nothing of what a keeper keeps.
            raise NotOnBothSides
        stays, kind = union["kept"], self._kind(union["kept_kind"])
        remaining = self._there(kind, stays)
        removed = self._there(removed_kind, union["record"])
        if remaining["status"] == TRASH:
            raise InvalidParameters({"id": _TRASHED})
        moved = {note["source"]: note for note in notes_of(remaining)}
        moved = {n["source"]: moved.get(n["source"], {}) for n in union["notes"]}
        self._take_sources(kind, remaining, moved)
        removed = self._restore(removed_kind, removed, union, caller, language)
        self._return_sources(removed_kind, removed, union, moved)
        FormerSlugs(self.store).lead_back(removed_kind, removed, union["slugs"], stays)
        self._return_children(union)
        Unions(self.store).forget(removed_kind, union["record"])
        self.doubles.separate(pair, union["pairs"], union["made"])
        waits = {*pair.get("waits", ()), *union["shown"]}
        waits = {each for each in waits if self.doubles.still_wait(each)}
        waiting = WaitingEvents(self.store, self.editor, self.kinds, self.doubles)
        waiting.set_status(sorted(waits), (PUBLISH, PENDING), caller, language)
        # The dates of a series that waits again do as well.
        self._empty((kind, remaining), union, moved, caller, language)
        self._compare(union, waiting, caller, language)

    def _kind(self, name: str) -> Kind:
        return next(each for each in self.kinds if each.name == name)

    def _union(self, pair: Record) -> tuple[Kind, Record]:
        """Return the kind of the event that went, and the union, with the data of its undo."""
        reference = pair.get("gone")
        kind = self._kind(reference["kind"]) if reference else self.kinds[0]
        union = Unions(self.store).find(kind, reference["id"]) if reference else None
        if union is None or "pairs" not in union:
            for each in (union["kept"], union["record"]) if union else ():
                self._there(kind, each)
            raise InvalidParameters({"id": _TOO_OLD})
        if union["kept"] not in {*pair["events"], *pair.get("owners", ())}:
            raise InvalidParameters({"id": _UNITED_AGAIN})
        return kind, union

    def _there(self, kind: Kind, record_id: int) -> Record:
        record = self.store.of(kind).first(identified(record_id))
        if record is None:
            raise InvalidParameters({"id": _GONE})
        return record

    # The event that stayed.

    def _take_sources(self, kind: Kind, remaining: Record, moved: Collection[int]) -> None:
        """Let the sources of the other one know this one no more, nor any date of it."""
        notes = [each for each in remaining.get(NOTES, ()) if each["source"] not in moved]
        store_notes(self.store, kind, remaining, notes)
        if not notes:
            self.store.of(kind).change(identified(remaining["_id"]), {"$unset": {NOTES: ""}})
        if kind is self.kinds[1]:
            of_moved = {"$pull": {NOTES: {"source": {"$in": sorted(moved)}}}}
            dates = equals("series", remaining["_id"])
            noted_dates = all_of([dates, one_of(f"{NOTES}.source", sorted(moved))])
            self.store[self.kinds[0].name].change_all(noted_dates, of_moved)

    def _empty(
        self,
        owner: tuple[Kind, Record],
        union: Record,
        moved: Mapping[int, Record],
        caller: Caller,
        language: str,
    ) -> None:
        """Revert the writes of the union, and later ones by the other event's sources."""
        kind, remaining = owner
        restorer = Restorer(self.store, self.editor, History(self.store))
        for each in union["filled"]:
            of_kind = self._kind(each["kind"])
            record = self.store.of(of_kind).first(identified(each["id"]))
            if record is None or record["status"] == TRASH:
                continue
            paths = _unchanged(record, each)
            if each["id"] == remaining["_id"]:
                paths = [path for path in paths if path not in ADDED_UP]
            if paths:
                state = with_values(record, paths, each["before"])
                restorer.write_state(of_kind, record, state, caller, language)
        record = self._there(kind, remaining["_id"])
        if terms := self._terms_before(record, union):
            state = with_values(record, [*terms], terms)
            restorer.write_state(kind, record, state, caller, language)
        record = self._there(kind, remaining["_id"])
        if theirs := _written_by(kind, record, moved, union["stood"]):
            state = with_values(record, theirs, union["stood"])
            restorer.write_state(kind, record, state, caller, language)

    def _terms_before(self, record: Record, union: Record) -> Record:
        """Return the categories and tags of an event without those that a union has added.

        Terms that came later stay. So do those of other events that were united with it; they go
        with the last of these.
        """
        removed = self._there(self._kind(union["kind"]), union["record"])
        unions = Unions(self.store)
        united = unions.into(self.kinds, record["_id"])
        vanished = [event for event in map(self._gone_in, united) if event]
        terms: Record = {}
        for name in ADDED_UP:
            added = {*removed[name]} - {*union["stood"].get(name, ())}
            unions.disown(united, name, added)
            remaining = {term for event in vanished for term in event[name]}
            if not (added - remaining).isdisjoint(record[name]):
                terms[name] = [term for term in record[name] if term not in added - remaining]
        return terms

    def _gone_in(self, union: Record) -> Record | None:
        """Return the event that went in a union; ``None`` where it is deleted."""
        return self.store.of(self._kind(union["kind"])).first(identified(union["record"]))

    # The event that went.

    def _restore(
        self, kind: Kind, record: Record, union: Record, caller: Caller, language: str
    ) -> Record:
        """Take an event out of the trash, of a series but the dates that lay there before."""
        if record["status"] != TRASH:
            return record
        status = {"status": restored_status(caller, record)}
        restored = self.editor.change(kind, record["_id"], status, caller, language)
        if kind is self.kinds[1]:
            events = self.kinds[0]
            for date in StoredSeries(self.store).occurrences(restored):
                if date["_id"] in union["out"] and date["status"] != TRASH:
                    self.editor.remove(events, date["_id"], caller)
        return self._there(kind, record["_id"])

    def _return_sources(
        self, kind: Kind, record: Record, union: Record, moved: Mapping[int, Record]
    ) -> None:
        """Restore the notes of an event; later readings are compared again."""
        notes = []
        for note in union["notes"]:
            is_same = moved[note["source"]].get("digest") == note.get("digest")
            is_read = is_same and note.get("revision") == union["revision"]
            notes.append(note | {"revision": record["revision"] if is_read else NEVER})
        if notes:
            store_notes(self.store, kind, record, [*notes, *named_notes(record)])
        events = self.store.of(self.kinds[0])
        updates = [
            (identified(each["id"]), {"$set": {NOTES: each["notes"]}}) for each in union["dates"]
        ]
        if updates:
            events.change_each(updates)

    def _compare(
        self, union: Record, waiting: WaitingEvents, caller: Caller, language: str
    ) -> None:
        """Compare a restored event with later arrivals, like a new one."""
        owner = union["record"]
        fresh = self.doubles.note([owner])
        sources = [note["source"] for note in union["notes"]]
        documents = self.store[SOURCES].find(one_of("_id", sources)) if fresh else ()
        is_held = any(self.choices.lets_wait(Source.of(each)) for each in documents)
        if is_held and waiting.set_status([owner], (PUBLISH, PENDING), caller, language):
            self.doubles.let_wait(fresh, owner)

    def _return_children(self, union: Record) -> None:
        own = all_of([one_of("_id", union["children"]), equals("parent", union["kept"])])
        self.store.of(self.kinds[0]).change_all(own, {"$set": {"parent": union["record"]}})


def _unchanged(record: Record, change: Record) -> list[str]:
    """Return the paths of a record that stand as the union has left them."""
    after = change["after"]
    return [
        path for path in change["paths"] if values_at(record, [path]) == values_at(after, [path])
    ]


def _written_by(
    kind: Kind, record: Record, moved: Mapping[int, Record], stood: Record
) -> Sequence[str]:
    """Return the paths at which sources of the other event have written something else."""
    wrote = [memory_of(note).wrote for note in moved.values()]
    rest = [memory_of(note).wrote for note in notes_of(record)]
    paths = {path for own in wrote for path in own}
    stands = {
        path: digest(value) for path, value in stored_values(record, paths, kind.usual).items()
    }
    theirs = {
        path
        for path, text in stands.items()
        if any(own.get(path) == text for own in wrote)
        and not any(own.get(path) == text for own in rest)
    }
    differing = {*changed_paths(kind, stood, record)}
    return sorted(differing & {*_in_history(theirs)})


def _in_history(paths: Collection[str]) -> Iterator[str]:
    for path in paths:
        yield from (*TIME_PATHS, "start", "end") if path == TIMES else (path,)
