"""Doubles: the same event from two sources, or beside one that was here.

A pair is stored as ``{_id: "12 34", events, owners, score, certain, waits, sources, state, at}``;
what a person decided is remembered. ``owners`` are the events themselves, or the series of which
they are dates; ``waits`` those of them that are not shown until somebody has decided.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.kinds import VENUE
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import IN_LISTS, REGISTERED, TRASH
from calendar_app.errors import DuplicateKey
from calendar_app.sources.common_dates import with_other_dates
from calendar_app.sources.likeness import ComparedEvent, Venues, VenueTraits, likeness, owner_of
from calendar_app.sources.notes import NOTES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    after,
    all_of,
    differs,
    equals,
    none_of,
    one_of,
)
from calendar_app.storage.query.list_query import Page, Window

SOURCE_DOUBLES = "source_doubles"
DOUBLE_INDEXES = (
    Index((("state", 1), ("at", -1)), "the events that are perhaps one"),
    Index((("events", 1),), "the doubles of an event"),
    Index((("owners", 1),), "the doubles of an event or a series"),
    Index((("sources", 1), ("state", 1), ("at", -1)), "the doubles of a source"),
)
OPEN, DIFFERENT, MERGED = "open", "different", "merged"
_AT_ONCE = 500
_LOOKED_AT = tuple(status for status in REGISTERED if status != TRASH)
_SOURCE = f"{NOTES}.source"
_OF_NOTES = [f"{NOTES}.{name}" for name in ("source", "uid", "url")]
_FIELDS = ("variants", "start", "start_local", "all_day", "venues", "location", "series")


class Pair(NamedTuple):
    """A new event and its possible duplicate, each of them perhaps one date of a series."""

    event: ComparedEvent
    other: ComparedEvent
    score: int
    is_certain: bool

    @property
    def owners(self) -> tuple[int, int]:
        first, second = sorted((self.event.owner, self.other.owner))
        return first, second


class StoredPair(NamedTuple):
    """A pair of which nobody has heard before; ``label`` is the title of the new event."""

    event: int
    other: int
    label: str
    is_certain: bool


class TakenPairs(NamedTuple):
    """The open pairs of a merged event, and the ids of their replacements.

    ``waits`` has what waited for the decision on the former.
    """

    pairs: Sequence[Record]
    made: Sequence[str]
    waits: set[int]


class Scope(NamedTuple):
    """The pairs of some ``sources`` of which both events match ``readable``."""

    sources: Sequence[int]
    readable: Clause

    @property
    def clause(self) -> Clause:
        return one_of("sources", self.sources)


@dataclass(frozen=True, slots=True)
class Doubles:
    """Finds, lists and remembers doubles; ``kinds`` are those of events and of series."""

    store: Store
    kinds: tuple[Kind, Kind]
    now: Now

    def note(self, record_ids: Collection[int], waiting: Collection[int] = ()) -> list[StoredPair]:
        """Store the pairs that events and series make with others; return the fresh ones.

        Those of the ``waiting``, and what waits already for another decision, are not shown until
        somebody has decided. So are open pairs of events that have come back, and wait now.
        """
        events = self._dates_of(record_ids) if record_ids else []
        return self.store_pairs(events, self.find(events), waiting)

    def store_pairs(
        self, events: Iterable[Record], pairs: Sequence[Pair], waiting: Collection[int]
    ) -> list[StoredPair]:
        """Store the pairs of some events, as ``note`` does."""
        stored = self._stored(pairs)
        fresh = [pair for pair in pairs if pair.owners not in stored]
        again = [
            pair
            for pair in pairs
            if stored.get(pair.owners) == OPEN and not {*waiting}.isdisjoint(pair.owners)
        ]
        self._let_wait(again, waiting)
        waiting = {*waiting, *self._already_waiting(fresh)}
        stored_pairs = [pair for pair in fresh if self._store_pair(pair, waiting)]
        titles = {each["_id"]: _title(each) for each in events}
        return [
            StoredPair(pair.event.id, pair.other.id, titles[pair.event.id], pair.is_certain)
            # What was left open once is for somebody to decide.
            for pair in (*stored_pairs, *(each._replace(is_certain=False) for each in again))
        ]

    def undecided(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return those pairs of which nobody has decided that they are two events."""
        stored = self._stored(pairs)
        return [pair for pair in pairs if stored.get(pair.owners, OPEN) == OPEN]

    def let_wait(self, pairs: Iterable[StoredPair], owner: int) -> None:
        """Let an event or a series wait for the decision on some pairs."""
        keys = [_key(*sorted((pair.event, pair.other))) for pair in pairs]
        self.store[SOURCE_DOUBLES].change_all(one_of("_id", keys), {"$addToSet": {"waits": owner}})

    def wait_no_more(self, owners: Collection[int]) -> set[int]:
        """Release events and series from their open pairs, and return the released ones.

        What comes back from the trash is compared anew.
        """
        # The former has an index.
        waits = [one_of("owners", owners), one_of("waits", owners)]
        waiting = all_of([*waits, equals("state", OPEN)])
        doubles = self.store[SOURCE_DOUBLES]
        pairs = doubles.find(waiting, fields=["waits"]) if owners else ()
        if pairs:
            doubles.change_all(waiting, {"$pull": {"waits": {"$in": sorted(owners)}}})
        return {each for pair in pairs for each in pair["waits"]} & {*owners}

    def find(
        self,
        events: Sequence[Record],
        venues: Venues | None = None,
        among: Clause = EVERYTHING,
    ) -> list[Pair]:
        """Return pairs of new with stored events ``among`` some, one pair for two series.

        ``venues`` are those that are not stored yet. What is alike to several is
        certain with none of them, nor are series of which one has further dates.
        """
        similar_pairs = [
            pair
            for begin in range(0, len(events), _AT_ONCE)
            for pair in self._pairs(events[begin : begin + _AT_ONCE], venues or {}, among)
        ]
        pairs: dict[tuple[int, int], Pair] = {}
        for pair in similar_pairs:
            pairs.setdefault(pair.owners, pair)
        compared = [pair[:2] for pair in similar_pairs if pairs[pair.owners].is_certain]
        partial = with_other_dates(self.store, self.kinds[0], events, compared, self.now())
        certain = Counter(
            owner for pair in pairs.values() if pair.is_certain for owner in pair.owners
        )
        return [
            pair._replace(
                is_certain=pair.is_certain
                and frozenset(pair.owners) not in partial
                and all(certain[each] == 1 for each in pair.owners)
            )
            for pair in pairs.values()
        ]

    def page(self, window: Window, scope: Scope | None = None) -> Page:
        """Return a page of the pairs that are open, the newest first.

        Those of which an event is in the trash, or gone, are left out.
        """
        both = self._with_both(equals("state", OPEN), scope)
        order: Record = {"$sort": {"at": -1, "_id": 1}}
        window_of: list[Record] = [{"$skip": window.skip}, {"$limit": window.size}]
        doubles = self.store[SOURCE_DOUBLES]
        pairs = doubles.aggregate([*both, order, *window_of])
        return Page(pairs, window, lambda: doubles.total([*both, {"$count": "total"}]))

    def concerns(self, first: int, second: int, scope: Scope) -> bool:
        """Say whether two events are a pair within a scope, decided or not."""
        pair = equals("_id", _key(*sorted((first, second))))
        stages: list[Record] = [*self._with_both(pair, scope), {"$count": "total"}]
        return self.store[SOURCE_DOUBLES].total(stages) > 0

    def _with_both(self, pairs: Clause, scope: Scope | None) -> list[Record]:
        """Return the stages that find pairs of which both events are there."""
        names = ("events", "score", "certain", "waits", "at", "there.status")
        joined: Record = {"localField": "events", "foreignField": "_id", "as": "there"}
        if scope:
            pairs = all_of([scope.clause, pairs])
            joined["pipeline"] = [{"$match": scope.readable}, {"$project": {"status": 1}}]
        return [
            {"$match": pairs},
            {"$lookup": {"from": self.store.of(self.kinds[0]).name, **joined}},
            {"$project": dict.fromkeys(names, 1)},
            {"$match": {"there.1": {"$exists": True}, **differs("there.status", TRASH)}},
        ]

    def open_pair(self, first: int, second: int) -> Record | None:
        """Return a pair of events of which nobody has decided yet whether they are one."""
        own = all_of([equals("_id", _key(*sorted((first, second)))), equals("state", OPEN)])
        return self.store[SOURCE_DOUBLES].first(own)

    def united_pair(self, first: int, second: int) -> Record | None:
        """Return a pair of events that have become one."""
        own = all_of([equals("_id", _key(*sorted((first, second)))), equals("state", MERGED)])
        return self.store[SOURCE_DOUBLES].first(own)

    def separate(self, pair: Record, pairs: Sequence[Record], made: Collection[str]) -> None:
        """Reopen a pair and undo ``take_over``; later decisions stay."""
        doubles = self.store[SOURCE_DOUBLES]
        doubles.remove(all_of([one_of("_id", made), equals("state", OPEN)]))
        for each in pairs:
            self._insert(each)
        again = {"$set": {"state": OPEN, "at": self.now()}, "$unset": {"gone": ""}}
        doubles.change(equals("_id", pair["_id"]), again)

    def take_over(self, removed_id: int, remaining_id: int) -> TakenPairs:
        """Let the open pairs of an event that is another one now be pairs of that."""
        own = all_of([equals("events", removed_id), equals("state", OPEN)])
        doubles = self.store[SOURCE_DOUBLES]
        united = doubles.first(equals("_id", _key(*sorted((removed_id, remaining_id))))) or {}
        pairs, made = doubles.find(own), []
        for pair in pairs:
            (other_id,) = (each for each in pair["events"] if each != removed_id)
            if other_id != remaining_id:
                ids = sorted((remaining_id, other_id))
                entry = {**pair, "_id": _key(*ids), "events": ids, **self._owners_of(ids)}
                entry["sources"] = sorted({*pair.get("sources", ()), *united.get("sources", ())})
                waits = entry.get("waits", ())
                entry["waits"] = [each for each in waits if each in entry.get("owners", ())]
                if self._insert(entry):
                    made.append(entry["_id"])
        doubles.remove(own)
        return TakenPairs(pairs, made, {each for pair in pairs for each in pair.get("waits", ())})

    def decide(
        self, first: int, second: int, state: str, beside: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Store the decision on two events, with further fields ``beside``."""
        ids = sorted((first, second))
        values = {"events": ids, "state": state, "at": self.now(), **beside}
        values |= self._owners_of(ids)
        self.store[SOURCE_DOUBLES].upsert(equals("_id", _key(*ids)), {"$set": values})

    def reopen(self, first: int, second: int) -> Record | None:
        """Let a pair of different events be undecided again; return it, if there is one."""
        own = equals("_id", _key(*sorted((first, second))))
        different = all_of([own, equals("state", DIFFERENT)])
        doubles = self.store[SOURCE_DOUBLES]
        return doubles.first(own) if doubles.change(different, {"$set": {"state": OPEN}}) else None

    def still_wait(self, owner: int) -> bool:
        """Say whether an event or a series waits for the decision on a pair."""
        undecided = all_of([equals("waits", owner), equals("state", OPEN)])
        waiting = self._with_both(undecided, None)
        return bool(self.store[SOURCE_DOUBLES].aggregate([*waiting, {"$limit": 1}]))

    def _already_waiting(self, pairs: Iterable[Pair]) -> set[int]:
        """Return the events and series of pairs that wait for the decision on an open one."""
        return self.waiting_among({owner for pair in pairs for owner in pair.owners})

    def waiting_among(self, owners: Collection[int]) -> set[int]:
        """Return those events and series that wait for the decision on an open pair."""
        undecided = self.open_pairs(owners) if owners else ()
        return {*owners} & {each for pair in undecided for each in pair.get("waits", ())}

    def open_pairs(self, owners: Collection[int]) -> Sequence[Record]:
        """Return the open pairs of events and series."""
        undecided = all_of([one_of("owners", owners), equals("state", OPEN)])
        return self.store[SOURCE_DOUBLES].find(undecided)

    def compare_again(self, pairs: Sequence[Record]) -> None:
        """Forget those pairs that are alike no more; of series the dates in common may be others.

        A pair of which an event lies in the trash stays: it is open again once that is restored.
        The other event waits for it no more.
        """
        owners = {each for pair in pairs for each in pair["owners"]}
        present = {pair.owners: pair for pair in self.find(self._dates_of(owners))}
        doubles = self.store[SOURCE_DOUBLES]
        for pair in pairs:
            again = present.get((pair["owners"][0], pair["owners"][1]))
            ids = sorted((again.event.id, again.other.id)) if again else None
            trashed = set() if ids else self._owners_in_trash(pair["events"])
            if trashed:
                waits = [each for each in pair.get("waits", ()) if each in trashed]
                doubles.change(equals("_id", pair["_id"]), {"$set": {"waits": waits}})
            elif ids != pair["events"]:
                doubles.remove(equals("_id", pair["_id"]))
                if ids:
                    self._insert({**pair, "_id": _key(*ids), "events": ids})

    def _owners_in_trash(self, event_ids: Sequence[int]) -> set[int]:
        own = all_of([one_of("_id", event_ids), equals("status", TRASH)])
        return set(map(owner_of, self.store.of(self.kinds[0]).find(own, fields=["series"])))

    # What is compared.

    def _dates_of(self, record_ids: Collection[int]) -> list[Record]:
        """Return the events with some ids, and the coming dates of the series among them.

        What lies in the trash takes place with nothing else.
        """
        events, living = self.store.of(self.kinds[0]), differs("status", TRASH)
        by_id = all_of([one_of("_id", record_ids), living])
        own = events.find(by_id, fields=[*_FIELDS, *_OF_NOTES])
        series = {*record_ids, *(each["series"] for each in own if "series" in each)}
        coming = all_of([one_of("series", series), living, after("start", self.now())])
        dates = events.find(coming, fields=[*_FIELDS, *_OF_NOTES], order=[("start", 1)])
        return list({each["_id"]: each for each in (*own, *dates)}.values())

    def _pairs(self, events: Sequence[Record], venues: Venues, among: Clause) -> Iterable[Pair]:
        candidates = self._candidates(events, among)
        notes = self._notes_of_series([*events, *candidates])
        own = [ComparedEvent.of(each, notes.get(each.get("series", 0), ())) for each in events]
        compared = [
            ComparedEvent.of(each, notes.get(each.get("series", 0), ())) for each in candidates
        ]
        venues = {**self._venues(own, compared), **venues}
        at: defaultdict[datetime | date, list[ComparedEvent]] = defaultdict(list)
        for candidate in compared:
            at[candidate.when].append(candidate)
        for event in own:
            for candidate in at[event.when]:
                if found := likeness(event, candidate, venues):
                    yield Pair(event, candidate, *found)

    def _candidates(self, events: Sequence[Record], among: Clause) -> list[Record]:
        """Return the events that begin when others do: at one instant, or on one whole day."""
        listed = [one_of("status", _LOOKED_AT), one_of("hidden", IN_LISTS), among]
        # No two events of one source are the same; dates of a series have none of their own.
        sources = [{note["source"] for note in notes_of(each)} for each in events]
        listed.append(none_of(_SOURCE, set.intersection(*sources)))
        starts = {each["start"] for each in events if not each["all_day"]}
        days = {each["start_local"] for each in events if each["all_day"]}
        clauses: list[list[Clause]] = []
        if starts:
            clauses.append([one_of("start", starts)])
        if days:
            clauses.append([one_of("start_local", days), equals("all_day", True)])
        collection, fields = self.store.of(self.kinds[0]), [*_FIELDS, *_OF_NOTES]
        return [
            each
            for clause in clauses
            for each in collection.find(all_of([*listed, *clause]), fields=fields)
        ]

    def _notes_of_series(self, events: Iterable[Record]) -> dict[int, list[Record]]:
        """Return the notes of the series of which events are dates, by id."""
        ids = {each["series"] for each in events if each.get("series")}
        series = self.store.of(self.kinds[1]).find(one_of("_id", ids), fields=_OF_NOTES)
        return {each["_id"]: notes_of(each) for each in series} if ids else {}

    def _venues(self, *parts: Iterable[ComparedEvent]) -> dict[int, VenueTraits]:
        """Return the traits of the venues of events by id."""
        ids = {venue for part in parts for event in part for venue in event.venues}
        fields = ["variants", "zip", "location"]
        venues = self.store.of(VENUE).find(one_of("_id", ids), fields=fields) if ids else []
        return {each["_id"]: VenueTraits.of(each) for each in venues}

    # What is stored.

    def _stored(self, pairs: Iterable[Pair]) -> dict[tuple[int, int], str]:
        """Return the states of those pairs that are stored, by owners."""
        owners = [list(pair.owners) for pair in pairs]
        stored = self.store[SOURCE_DOUBLES].find(one_of("owners", owners)) if owners else ()
        return {(each["owners"][0], each["owners"][1]): each["state"] for each in stored}

    def _let_wait(self, pairs: Iterable[Pair], waiting: Collection[int]) -> None:
        """Let events and series wait for pairs that are open already."""
        updates = [
            (
                all_of([equals("owners", list(pair.owners)), equals("state", OPEN)]),
                {"$set": {"waits": [each for each in pair.owners if each in waiting]}},
            )
            for pair in pairs
        ]
        if updates:
            self.store[SOURCE_DOUBLES].change_each(updates)

    def _store_pair(self, pair: Pair, waiting: Collection[int]) -> bool:
        """Store a pair; say whether nobody has decided it, nor was told of it, before."""
        ids = sorted((pair.event.id, pair.other.id))
        entry: Record = {"_id": _key(*ids), "events": ids, "owners": list(pair.owners)}
        entry |= {"score": pair.score, "certain": pair.is_certain}
        entry["waits"] = [each for each in pair.owners if each in waiting]
        entry["sources"] = sorted({*pair.event.sources, *pair.other.sources})
        return self._insert(entry | {"state": OPEN, "at": self.now()})

    def _insert(self, entry: Record) -> bool:
        """Store a pair unless it is there; say whether it was not."""
        doubles = self.store[SOURCE_DOUBLES]
        # In a transaction a duplicate key would be the end of all of it.
        if doubles.first(equals("_id", entry["_id"]), fields=["_id"]):
            return False
        try:
            doubles.insert(entry)
        except DuplicateKey:
            return False
        return True

    def _owners_of(self, event_ids: Sequence[int]) -> Record:
        events = self.store.of(self.kinds[0]).find(one_of("_id", event_ids), fields=["series"])
        owners = sorted(set(map(owner_of, events)))
        return {"owners": owners} if len(owners) > 1 else {}


def _key(first: int, second: int) -> str:
    return f"{first} {second}"


def _title(event: Record) -> str:
    titles = (texts.get("title") or "" for texts in event["variants"].values())
    return decoded(next(titles, ""))
