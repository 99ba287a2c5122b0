"""Doubles: the same event from two sources, or beside one that was here.

Two events are perhaps one where they begin at the same instant, near each other, with names that
are alike. A pair is stored as ``{_id: "12 34", events, score, state, at}``; what a person decided
is remembered.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import IN_LISTS, REGISTERED, TRASH
from calendar_app.domain.words import fold
from calendar_app.errors import DuplicateKey
from calendar_app.sources.notes import NOTES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, differs, equals, none_of, one_of
from calendar_app.storage.query.list_query import Page, Window

SOURCE_DOUBLES = "source_doubles"
DOUBLE_INDEXES = (
    Index((("state", 1), ("at", -1)), "the events that are perhaps one"),
    Index((("events", 1),), "the doubles of an event"),
)
OPEN, DIFFERENT, MERGED = "open", "different", "merged"
_ALIKE = 85  # per cent
_NEAR = 0.005  # degrees, some hundred metres
_AT_ONCE = 100
_LOOKED_AT = tuple(status for status in REGISTERED if status != TRASH)
_SOURCE = f"{NOTES}.source"
_FIELDS = ("variants", "start", "start_local", "venues", "location", "series", _SOURCE)


class Pair(NamedTuple):
    """A new event and its possible duplicate."""

    event: int
    other: int
    label: str
    score: int


@dataclass(frozen=True, slots=True)
class Doubles:
    """Finds, lists and remembers doubles; ``events`` is the kind of events."""

    store: Store
    events: Kind
    now: Now

    def note(self, event_ids: Sequence[int]) -> list[Pair]:
        """Store the pairs that new events make with others; return the open ones."""
        pairs = []
        for begin in range(0, len(event_ids), _AT_ONCE):
            batch = event_ids[begin : begin + _AT_ONCE]
            pairs += [pair for pair in self._pairs(batch) if self._store_pair(pair)]
        return pairs

    def page(self, window: Window) -> Page:
        """Return a page of the pairs that are open, the newest first.

        Those of which an event is in the trash, or gone, are left out.
        """
        joined = {"localField": "events", "foreignField": "_id", "as": "there"}
        both: list[Record] = [
            {"$match": equals("state", OPEN)},
            {"$lookup": {"from": self.store.of(self.events).name, **joined}},
            {"$project": dict.fromkeys(("events", "score", "at", "there.status"), 1)},
            {"$match": {"there.1": {"$exists": True}, **differs("there.status", TRASH)}},
        ]
        order: Record = {"$sort": {"at": -1, "_id": 1}}
        window_of: list[Record] = [{"$skip": window.skip}, {"$limit": window.size}]
        doubles = self.store[SOURCE_DOUBLES]
        pairs = doubles.aggregate([*both, order, *window_of])
        return Page(pairs, window, lambda: doubles.total([*both, {"$count": "total"}]))

    def is_open(self, first: int, second: int) -> bool:
        """Say whether nobody has decided yet whether two events are one."""
        key = _key(*sorted((first, second)))
        pair = self.store[SOURCE_DOUBLES].first(equals("_id", key))
        return pair is not None and pair["state"] == OPEN

    def take_over(self, removed_id: int, remaining_id: int) -> None:
        """Let the open pairs of an event that is another one now be pairs of that."""
        own = all_of([equals("events", removed_id), equals("state", OPEN)])
        for pair in self.store[SOURCE_DOUBLES].find(own):
            (other_id,) = (each for each in pair["events"] if each != removed_id)
            if other_id != remaining_id:
                self._store_pair(Pair(remaining_id, other_id, "", pair["score"]))
        self.store[SOURCE_DOUBLES].remove(own)

    def decide(self, first: int, second: int, state: str) -> None:
        """Remember a decision on two events."""
        ids = sorted((first, second))
        update = {"$set": {"events": ids, "state": state, "at": self.now()}}
        self.store[SOURCE_DOUBLES].upsert(equals("_id", _key(*ids)), update)

    def _pairs(self, event_ids: Sequence[int]) -> Iterable[Pair]:
        collection = self.store.of(self.events)
        fresh = collection.find(one_of("_id", event_ids), fields=_FIELDS)
        if not fresh:
            return
        listed = [one_of("status", _LOOKED_AT), one_of("hidden", IN_LISTS)]
        starts = {each["start_local"] for each in fresh}
        # No two events of one source are the same; dates of a series have none of their own.
        source_ids = [sources for each in fresh if (sources := _sources_of(each))]
        shared = set.intersection(*source_ids) if source_ids else ()
        near = all_of([*listed, one_of("start_local", starts), none_of(_SOURCE, shared)])
        candidates: defaultdict[datetime, list[Record]] = defaultdict(list)
        for candidate in collection.find(near, fields=_FIELDS):
            candidates[candidate["start"]].append(candidate)
        names = self._names(chain(fresh, *candidates.values()))
        for event in fresh:
            for candidate in candidates[event["start"]]:
                score = _likeness(event, candidate, names)
                if score and not (
                    candidate["_id"] in event_ids and candidate["_id"] < event["_id"]
                ):
                    yield Pair(event["_id"], candidate["_id"], _title(event), score)

    def _names(self, events: Iterable[Record]) -> dict[int, str]:
        """Return the folded names of venues by id."""
        ids = {venue for event in events for venue in event["venues"]}
        venues = self.store["venues"].find(one_of("_id", ids), fields=["variants"]) if ids else []
        return {
            each["_id"]: fold(" ".join(own.get("venue", "") for own in each["variants"].values()))
            for each in venues
        }

    def _store_pair(self, pair: Pair) -> bool:
        """Store a pair; say whether nobody has decided it, nor was told of it, before."""
        ids = sorted((pair.event, pair.other))
        entry = {"_id": _key(*ids), "events": ids, "score": pair.score}
        try:
            self.store[SOURCE_DOUBLES].insert(entry | {"state": OPEN, "at": self.now()})
        except DuplicateKey:
            return False
        return True


def _key(first: int, second: int) -> str:
    return f"{first} {second}"


def _likeness(event: Record, candidate: Record, names: dict[int, str]) -> int:
    """Return how much two events at one instant are alike, in per cent; 0 where they are two."""
    if event["_id"] == candidate["_id"]:
        return 0
    if "series" in event and event["series"] == candidate.get("series"):
        return 0
    if _sources_of(event) & _sources_of(candidate) or not _is_near(event, candidate, names):
        return 0
    titles = [_titles(each) for each in (event, candidate)]
    score = max((_ratio(a, b) for a in titles[0] for b in titles[1]), default=0)
    return round(score) if score >= _ALIKE else 0


def _sources_of(event: Record) -> set[int]:
    return {note["source"] for note in event.get(NOTES, ())}


def _is_near(event: Record, candidate: Record, names: dict[int, str]) -> bool:
    """Say whether two events may be at one place; one without a place may be anywhere."""
    if (
        not event["venues"]
        or not candidate["venues"]
        or set(event["venues"]) & set(candidate["venues"])
    ):
        return True
    points = [each["location"] for each in (event, candidate) if each.get("location")]
    if len(points) > 1:
        distances = (abs(points[0][name] - points[1][name]) for name in ("latitude", "longitude"))
        return bool(max(distances) <= _NEAR)
    return any(
        _ratio(names.get(a, ""), names.get(b, "")) >= _ALIKE
        for a in event["venues"]
        for b in candidate["venues"]
    )


def _ratio(first: str, second: str) -> float:
    """Return how many of their words two texts share, in per cent."""
    # Loaded late, since only readings of sources need it.
    from rapidfuzz.fuzz import token_set_ratio  # noqa: PLC0415

    return token_set_ratio(first, second)


def _titles(event: Record) -> list[str]:
    from rapidfuzz.utils import default_process  # noqa: PLC0415

    titles = (texts.get("title") for texts in event["variants"].values())
    return [default_process(fold(decoded(title))) for title in titles if title]


def _title(event: Record) -> str:
    titles = (texts.get("title", "") for texts in event["variants"].values())
    return decoded(next(titles, ""))
