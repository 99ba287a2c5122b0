"""Two venues, or two organizers, become one; and the way back.

The one that goes lies in the trash then. The events that linked it link the one that stays, its
addresses lead there, and imports find that one under the ids of both.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import may_edit, may_read, restored_status
from calendar_app.calendar.alike_records import AlikeRecord, alike_records, events_linking
from calendar_app.calendar.auditing import written_by
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import TEXTS, changed_paths, values_at, with_values
from calendar_app.calendar.places import Places
from calendar_app.calendar.reading.feed_contents import WITHDRAWN
from calendar_app.calendar.restoring import Restorer
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.unions import Unions
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.calendar.writing.changes import Change, require_revision
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import NOTES
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters, Message, NotAllowed, NotFound
from calendar_app.storage.migrations import FORMER_NAMES, origins_in
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, equals, identified, one_of

# Adjusts what else an event says of its links; is given the kind of these, and it before and after.
FollowLinks = Callable[[Kind, Record, Record], None]
Result = TypeVar("Result")
_BATCH = 200  # events
# Batches of one transaction; of more events the first ones follow in transactions of their own.
_BATCHES = 5
_PATIENCE = 60.0  # seconds; as long as MongoDB lets a transaction run
_WITH = "with"
_ITSELF = Message("A record cannot be united with itself.")
_MISSING = Message("There is no such {kind}.")
_TRASHED = Message("It is in the trash.")
_NOT_UNITED = Message("It was not united with this one.")
# The fields with notes by which imports find a record, and the name in a note of each.
_NAMES = {NOTES: "uid", **FORMER_NAMES}
# Facts that hold in all languages: where one says the street, another one means the same.
_FACTS = (Markup.LINE, Markup.URL)


class UnionFollower(Protocol):
    """Whatever names venues or organizers beside events; called within the transaction."""

    def follow(self, kind: Kind, removed: int, remaining: int) -> Record:
        """Name another record instead; return the data of an undo."""

    def return_to(self, kind: Kind, removed: int, remaining: int, note: Record) -> None:
        """Undo ``follow``."""


@dataclass(frozen=True, slots=True)
class UnionRequest:
    """The record to keep, the one to remove, and the caller; ``revision`` is of the kept one.

    With ``fill`` the one that stays gets what it lacks.
    """

    kind: Kind
    remaining: int
    removed: int
    caller: Caller
    language: str
    fill: bool = True
    revision: int | None = None


class RecordUniting:
    """Makes one of two records that events link to; the followers share its transaction."""

    def __init__(  # noqa: PLR0913  # the parts of a union
        self,
        store: Store,
        restorer: Restorer,
        linking: Sequence[Kind],
        now: Now,
        *,
        follow_links: FollowLinks,
        follower: UnionFollower,
    ) -> None:
        """Unite records to which those of the ``linking`` kinds have links."""
        self.unions = Unions(store)
        self._store = store
        self._restorer = restorer
        self._linking = linking
        self._now = now
        self._slugs = FormerSlugs(store)
        self._follow_links = follow_links
        self._follower = follower

    def unite(self, request: UnionRequest) -> Record:
        """Unite two records, and return the remaining one.

        All is stored or nothing, but for the first of very many events. Raises
        ``InvalidParameters`` naming ``with`` or ``id``, ``NotFound`` or ``NotAllowed``.
        """
        with written_by(request.caller):
            while self._attempt(lambda: self._relink_part(request)):
                pass
            return self._attempt(lambda: self._unite(request))

    def separate(self, request: UnionRequest) -> Record:
        """Undo a union, and return the record that had stayed.

        Events that people have given other links meanwhile keep those.
        """
        with written_by(request.caller):
            while self._attempt(lambda: self._return_part(request)):
                pass
            return self._attempt(lambda: self._separate(request))

    def alike(self, kind: Kind, clause: Clause) -> list[list[AlikeRecord]]:
        """Return groups of matching records that are perhaps one, the one to keep first."""
        return alike_records(self._store, kind, clause)

    def numbers(self, kind: Kind, record_ids: Sequence[int]) -> Counter[int]:
        """Return how many events link to records, by their ids."""
        return events_linking(self._store, kind, record_ids)

    def _attempt(self, work: Callable[[], Result]) -> Result:
        return retry_conflicts(self._store, work, _PATIENCE)

    # Unite.

    def _unite(self, request: UnionRequest) -> Record:
        kind, caller = request.kind, request.caller
        remaining, removed = self._pair(request)
        require_revision(remaining, request.revision)
        self._relink(request)
        slugs = self._slugs.lead_to(kind, removed, remaining["_id"])
        self._editor.remove(kind, removed["_id"], caller)
        origins = self._move_origins(kind, removed, remaining["_id"])
        filled = self._fill(request, remaining, removed) if request.fill else {}
        union = {"kept": remaining["_id"], "user": caller.id, "date": self._now()}
        followed = self._follower.follow(kind, removed["_id"], remaining["_id"])
        undo = {"slugs": slugs, "origins": origins, "filled": filled, "followed": followed}
        self.unions.note(kind, removed["_id"], union | undo)
        return self._record(kind, remaining["_id"])

    def _pair(self, request: UnionRequest) -> tuple[Record, Record]:
        """Return the remaining and the removed record, both editable and alive."""
        if request.remaining == request.removed:
            raise InvalidParameters({_WITH: _ITSELF})
        remaining, removed = self._readable(request)
        for name, record in (("id", remaining), (_WITH, removed)):
            if record["status"] == TRASH:
                raise InvalidParameters({name: _TRASHED})
        if not all(may_edit(request.caller, each) for each in (remaining, removed)):
            raise NotAllowed
        return remaining, removed

    def _readable(self, request: UnionRequest) -> tuple[Record, Record]:
        kind, caller = request.kind, request.caller
        remaining, removed = (
            self._store.of(kind).first(identified(each))
            for each in (request.remaining, request.removed)
        )
        if remaining is None or not may_read(caller, remaining):
            raise NotFound(kind.singular, request.remaining)
        if removed is None or not may_read(caller, removed):
            raise InvalidParameters({_WITH: Message(_MISSING.pattern, kind=kind.singular)})
        return remaining, removed

    def _relink_part(self, request: UnionRequest) -> bool:
        """Relink as many events as one transaction may; return whether there were that many."""
        kind, removed = request.kind, request.removed
        self._pair(request)
        events = self._store.of(self._linking[0])
        linking = events.find(equals(kind.name, removed), limit=_BATCH * _BATCHES, fields=["_id"])
        is_full = len(linking) == _BATCH * _BATCHES
        if is_full:
            self._relink(request, _BATCHES)
        return is_full

    def _relink(self, request: UnionRequest, most: int | None = None) -> None:
        """Let events, then series, link to the other record, at ``most`` so many batches."""
        kind, removed = request.kind, request.removed
        batches = islice(self._linking_batches(kind, removed), most)
        for linking, batch in batches:
            self.unions.note_links(kind, removed, linking, batch)
            links = {
                each["_id"]: _replaced(each[kind.name], removed, request.remaining)
                for each in batch
            }
            self._write_links(kind, linking, batch, links)

    def _linking_batches(self, kind: Kind, record_id: int) -> Iterator[tuple[Kind, list[Record]]]:
        """Yield all that links to a record, until nothing does any more."""
        for linking in self._linking:
            records = self._store.of(linking)
            while batch := records.find(equals(kind.name, record_id), limit=_BATCH):
                yield linking, batch

    def _write_links(
        self, kind: Kind, linking: Kind, batch: Sequence[Record], links: Mapping[int, list[int]]
    ) -> None:
        """Store records with other links, in one update."""
        places = Places(self._store)
        if kind.is_place:
            numbers = {number for own in links.values() for number in own}
            for venues in self._store.find_each(places.questions(numbers)):
                places.expect(venues)
        changes = []
        for before in batch:
            after = before | {kind.name: links[before["_id"]]}
            if WITHDRAWN in before:
                after[WITHDRAWN] = _relinked_note(before[WITHDRAWN], kind, before, after)
            if kind.is_place:
                after |= places.place_of(after)
            self._follow_links(kind, before, after)
            of_series = "series" in before and kind.name not in before["overrides"]
            changes.append(Change(linking, before, after, "", in_history=not of_series))
        self._editor.writer.apply(changes)

    def _move_origins(self, kind: Kind, record: Record, target: int) -> Record:
        """Let imports find another record by the ids of one; return these by field."""
        origins = {name: record[name] for name in _NAMES if record.get(name)}
        if origins:
            records = self._store.of(kind)
            added = {name: {"$each": notes} for name, notes in origins.items()}
            records.change(identified(record["_id"]), {"$unset": dict.fromkeys(origins, "")})
            records.change(identified(target), {"$push": added})
        return origins

    def _fill(self, request: UnionRequest, remaining: Record, removed: Record) -> Record:
        """Fill the empty fields of one record from the other; return the data of an undo."""
        kind = request.kind
        paths = [*_lacking(kind, remaining, removed)]
        if not paths:
            return {}
        before = self._record(kind, remaining["_id"])
        state = with_values(before, paths, values_at(removed, paths))
        after = self._restorer.write_state(kind, before, state, request.caller, request.language)
        changed = changed_paths(kind, before, after)
        values = values_at(before, changed)
        return {"revision": after["revision"], "paths": changed, "before": values}

    # Undo.

    def _separate(self, request: UnionRequest) -> Record:
        kind, caller = request.kind, request.caller
        remaining, removed, union = self._united(request)
        self._empty(request, remaining, union["filled"])
        self._return_origins(kind, request, origins_in(union, remaining))
        if removed["status"] == TRASH:
            status = {"status": restored_status(caller, removed)}
            removed = self._editor.change(kind, removed["_id"], status, caller, request.language)
        self._slugs.lead_back(kind, removed, union["slugs"], remaining["_id"])
        for batch in self.unions.links(kind, request.removed):
            self._return_links(request, batch)
        self.unions.forget(kind, request.removed)
        self._follower.return_to(kind, request.removed, request.remaining, union["followed"])
        return self._record(kind, request.remaining)

    def _united(self, request: UnionRequest) -> tuple[Record, Record, Record]:
        """Return the remaining record, the removed one, and their union."""
        remaining, removed = self._readable(request)
        union = self.unions.find(request.kind, request.removed)
        if union is None or union["kept"] != request.remaining:
            raise InvalidParameters({_WITH: _NOT_UNITED})
        if remaining["status"] == TRASH and self.unions.find(request.kind, request.remaining):
            # Its events link to a third record by now: that union has to be undone first.
            raise InvalidParameters({"id": _TRASHED})
        if not all(may_edit(request.caller, each) for each in (remaining, removed)):
            raise NotAllowed
        return remaining, removed, union

    def _return_part(self, request: UnionRequest) -> bool:
        """Return as many links as one transaction may; return whether there were that many."""
        self._united(request)
        batches = [*islice(self.unions.links(request.kind, request.removed), _BATCHES)]
        is_full = len(batches) == _BATCHES
        for batch in batches if is_full else ():
            self._return_links(request, batch)
            self.unions.forget_links(batch)
        return is_full

    def _return_links(self, request: UnionRequest, batch: Record) -> None:
        """Give records their earlier links, where nobody has changed these since."""
        kind = request.kind
        linking = next(each for each in self._linking if each.name == batch["kind"])
        earlier = {each["id"]: each["links"] for each in batch["records"]}
        unchanged = [
            record
            for record in self._store.of(linking).find(one_of("_id", sorted(earlier)))
            if record[kind.name]
            == _replaced(earlier[record["_id"]], request.removed, request.remaining)
        ]
        self._write_links(kind, linking, unchanged, earlier)

    def _return_origins(self, kind: Kind, request: UnionRequest, origins: Record) -> None:
        if origins:
            records = self._store.of(kind)
            moved = {
                field: {_NAMES[field]: {"$in": [each[_NAMES[field]] for each in notes]}}
                for field, notes in origins.items()
            }
            records.change(identified(request.remaining), {"$pull": moved})
            records.change(identified(request.removed), {"$set": origins})

    def _empty(self, request: UnionRequest, remaining: Record, filled: Record) -> None:
        """Empty the filled fields, unless the record was changed since."""
        if filled and remaining["revision"] == filled["revision"]:
            state = with_values(remaining, filled["paths"], filled["before"])
            self._restorer.write_state(
                request.kind, remaining, state, request.caller, request.language
            )

    @property
    def _editor(self) -> Editor:
        return self._restorer.editor

    def _record(self, kind: Kind, record_id: int) -> Record:
        return self._store.of(kind).first(identified(record_id)) or {}


def _replaced(ids: Sequence[int], removed: int, remaining: int) -> list[int]:
    """Return links in their order with one record in place of another, each once."""
    return list(dict.fromkeys(remaining if each == removed else each for each in ids))


def _relinked_note(note: Record, kind: Kind, before: Record, after: Record) -> Record:
    """Return the note of a withdrawn event with its present links, if it has the former ones."""
    record = note["record"]
    if record.get(kind.name) != before[kind.name]:
        return note
    return note | {"record": record | {kind.name: after[kind.name]}}


def _lacking(kind: Kind, remaining: Record, removed: Record) -> Iterator[str]:
    """Yield the paths at which one record says nothing and the other something."""
    place = ("location",) if kind.is_place else ()
    for name in ("image", *place, *kind.lines):
        if removed.get(name) and not remaining.get(name):
            yield name
    stated = {name for texts in remaining[TEXTS].values() for name, text in texts.items() if text}
    for tag, texts in removed[TEXTS].items():
        own = remaining[TEXTS].get(tag, {})
        for name, text in texts.items():
            markup = kind.texts.get(name)
            is_fact = markup in _FACTS and name in stated
            if markup and text and not own.get(name) and not is_fact:
                yield f"{TEXTS}.{tag}.{name}"
