"""Two events become one: with the sources, the edits and the links of both.

The one that goes lies in the trash then, and its addresses lead to the other. Its sources know it
as the one that stays, so that it never comes back.
"""

from dataclasses import dataclass
from typing import Any

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.series.changing import ALL
from calendar_app.calendar.slugs import FormerSlugs
from calendar_app.calendar.unions import Unions
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.provenance import INHERITED
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH
from calendar_app.errors import InvalidParameters, Message, NotFound
from calendar_app.sources.doubles import DIFFERENT, MERGED, Doubles
from calendar_app.sources.leading import NEVER
from calendar_app.sources.merging import TEXTS, TIMES
from calendar_app.sources.notes import NOTES, store_notes
from calendar_app.sources.origins import edited_in
from calendar_app.sources.waiting import WaitingEvents
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, identified

_LISTS = ("venues", "organizers")
_UNIONS = ("categories", "tags")
_SINGLE = ("image", "cost", "online_url", "attendance_mode", "event_status")
_SAME_SOURCE = Message("Both come from the same source, which tells them apart.")

_Owner = tuple[Kind, Record]


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
        kept, gone = self._in_order(*sorted((first, second)))
        self._refuse_common_source(kept[1], gone[1])
        changes = additions(kept, gone)
        if (kept[1]["status"], gone[1]["status"]) == (PENDING, PUBLISH):
            # What everybody sees does not vanish because the other one waits.
            changes["status"] = PUBLISH
        if changes:
            self.editor.change(*_kind_and_id(kept), changes, caller, language)
        ids = (first, second)
        stays = kept[1]["_id"] if kept[1]["_id"] in ids else min(ids)
        self.doubles.decide(first, second, MERGED)
        waiting = self.doubles.take_over(next(each for each in ids if each != stays), stays)
        self._take_place(kept, gone, caller)
        waiting |= set(pair.get("waits", ()))
        self.waiting.show(sorted(waiting - {gone[1]["_id"]}), caller, language)
        return self.store.of(self.kinds[0]).first(identified(stays)) or {}

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

    def _in_order(self, older: int, newer: int) -> tuple[_Owner, _Owner]:
        """Return (kept, removed); an occurrence wins, two series are merged."""
        events, series = self.kinds
        pair = [self._living(each) for each in (older, newer)]
        ids = [each.get("series") for each in pair]
        if all(ids):
            whole = [self.store.of(series).first(identified(each or 0)) or {} for each in ids]
            if ids[0] == ids[1] or not all(whole):
                raise NotFound("event", newer)
            return (series, whole[0]), (series, whole[1])
        if ids[1]:
            pair.reverse()
        return (events, pair[0]), (events, pair[1])

    def _living(self, event_id: int) -> Record:
        event = self.store.of(self.kinds[0]).first(identified(event_id))
        if event is None or event["status"] == TRASH:
            raise NotFound("event", event_id)
        return event

    def _refuse_common_source(self, first: Record, second: Record) -> None:
        sources = [{note["source"] for note in each.get(NOTES, ())} for each in (first, second)]
        if sources[0] & sources[1]:
            raise InvalidParameters({"": _SAME_SOURCE})

    def _take_place(self, first: _Owner, second: _Owner, caller: Caller) -> None:
        """Move the second event to the trash, and lead all references to the first."""
        kind, record = second
        collection, events = self.store.of(kind), self.store.of(self.kinds[0])
        stays: int = first[1]["_id"]
        FormerSlugs(self.store).hand_over(kind, record, stays)
        Unions(self.store).note(kind, record["_id"], {"kept": stays})
        self.editor.remove(kind, record["_id"], caller, scope=ALL)
        without: Record = {"$unset": {NOTES: "", INHERITED: ""}}
        collection.change(identified(record["_id"]), without)
        if kind is self.kinds[1]:
            events.change_all(equals("series", record["_id"]), without)
        else:
            parents = {"$set": {"parent": stays}}
            events.change_all(equals("parent", record["_id"]), parents)
        moved = [note | {"revision": NEVER} for note in record.get(NOTES, ())]
        if moved:
            store_notes(self.store, *first, [*first[1].get(NOTES, ()), *moved])


def _kind_and_id(owner: _Owner) -> tuple[Kind, int]:
    kind, record = owner
    return kind, record["_id"]


# What the one that stays gets from the other.


def additions(first: _Owner, second: _Owner) -> Record:
    """Return the fields missing in one event, and those edited in the other alone."""
    kind, stays = first
    own, goes = edited_of(first), edited_of(second)
    takes = {path for path in goes if path not in own}
    changes: Record = {}
    variants = _texts(stays, second[1], takes)
    if variants:
        changes[TEXTS] = variants
    for name in (*_LISTS, *_SINGLE):
        present, other = stays.get(name), second[1].get(name)
        if other and other != present and (not present or name in takes):
            changes[name] = other
    for name in _UNIONS:
        union = list(dict.fromkeys((*stays[name], *second[1][name])))
        if len(union) > len(stays[name]):
            changes[name] = union
    if TIMES in takes and second[0] is kind and "recurrence" not in second[1]:
        changes |= _times(second[1])
    return changes


def edited_of(owner: _Owner) -> set[str]:
    """Return the paths that were edited here; all paths of an event without a source."""
    kind, record = owner
    if record.get(NOTES):
        return edited_in(kind, record)
    texts = {
        f"{TEXTS}.{tag}.{name}"
        for tag, own in record["variants"].items()
        for name, text in own.items()
        if text
    }
    return texts | {TIMES} | {name for name in (*_LISTS, *_SINGLE) if record.get(name)}


def _texts(stays: Record, goes: Record, takes: set[str]) -> Record:
    variants: Record = {}
    for tag, texts in goes["variants"].items():
        present = stays["variants"].get(tag, {})
        own = {
            name: text
            for name, text in texts.items()
            if name != "slug"
            and text
            and text != present.get(name)
            and (not present.get(name) or f"{TEXTS}.{tag}.{name}" in takes)
        }
        if own:
            variants[tag] = own
    return variants


def _times(record: Record) -> Record:
    edges: dict[str, Any] = {name: Moment(record[f"{name}_local"]) for name in ("start", "end")}
    return edges | {"timezone": record["timezone"], "all_day": bool(record["all_day"])}
