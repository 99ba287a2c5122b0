"""Readings of sources and their reports, and the state in which each source is."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from calendar_app.domain.kind import Index, Record
from calendar_app.domain.moments import Now
from calendar_app.errors import NotFound
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.source import Source, identity_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    at_most,
    equals,
    given,
    one_of,
)
from calendar_app.storage.query.list_query import Page, Window

SOURCE_STATES, SOURCE_READINGS = "source_states", "source_readings"
SOURCE_READING_EVENTS = "source_reading_events"
_KEPT_SECONDS = 90 * 24 * 60 * 60  # seconds
READING_INDEXES: Mapping[str, Sequence[Index]] = {
    SOURCE_READINGS: (
        Index((("source", 1), ("started", -1)), "the readings of a source, the last one first"),
        Index((("started", 1),), "forgetting readings after 90 days", expire_after=_KEPT_SECONDS),
    ),
    SOURCE_READING_EVENTS: (
        Index((("reading", 1), ("outcome", 1), ("_id", 1)), "the report of a reading"),
        Index((("at", 1),), "forgetting reports after 90 days", expire_after=_KEPT_SECONDS),
    ),
    SOURCE_STATES: (
        Index((("due", 1),), "the sources that are to be read now"),
        Index((("removed", 1),), "a removed source that is made again", having="removed"),
    ),
}
RUNNING, STOPPING, STOPPED = "running", "stopping", "stopped"
DONE, UNCHANGED, WAITING, FAILED = "done", "unchanged", "waiting", "failed"
INTERRUPTED, PREVIEW = "interrupted", "preview"
# How a reading can end; the figures count each from 0, as an increase needs a value before it.
RESULTS = (DONE, UNCHANGED, WAITING, FAILED, INTERRUPTED, STOPPED)
# It is on its way.
OPEN = (RUNNING, STOPPING)
# What tells that the source could be read.
GOOD = (DONE, UNCHANGED)
_LATEST_FIRST = (("started", -1), ("_id", -1))
_AT_ONCE = 1000


@dataclass(slots=True)
class SourceRun:
    """One reading, its progress, and its report in numbers; ``bytes`` is the fetched size.

    ``dates`` are those of the events that are new or changed, where series are among them. With
    ``other_settings`` those of the source have changed since the reading before.
    """

    id: str
    source: int
    state: str
    started: datetime
    by: int = 0
    finished: datetime | None = None
    duration: float = 0.0
    bytes: int = 0
    reason: str = ""
    done: int = 0
    all: int = 0
    dates: int = 0
    alarming: int = 0
    vanishing: int | None = None  # of these; earlier releases did not say
    coming: int = 0
    other_settings: bool = False
    listed: int = 0
    numbers: dict[str, int] | None = None
    entries: list[Record] | None = None  # of a preview

    def note_alarm(self, alarming: int, vanishing: int, coming: int) -> None:
        """Note how many of the coming events would change or vanish, and how many vanish."""
        self.alarming, self.vanishing, self.coming = alarming, vanishing, coming

    @property
    def document(self) -> Record:
        names = [name for name in self.__dataclass_fields__ if name not in ("id", "entries")]
        return {"_id": self.id, **{name: getattr(self, name) for name in names}}

    @classmethod
    def of(cls, document: Record) -> "SourceRun":
        own = {name: value for name, value in document.items() if name != "_id"}
        return cls(id=document["_id"], **own)


class Reports:
    """The readings of one store."""

    def __init__(self, store: Store, now: Now) -> None:
        self._readings = store[SOURCE_READINGS]
        self._entries = store[SOURCE_READING_EVENTS]
        self._states = store[SOURCE_STATES]
        self.now = now

    def begin(self, reading: SourceRun) -> None:
        """Store a new reading; mark earlier ones that still run as interrupted."""
        running = all_of([equals("source", reading.source), one_of("state", OPEN)])
        end = {"state": INTERRUPTED, "finished": self.now()}
        self._readings.change_all(running, {"$set": end})
        self._readings.insert(reading.document)

    def new(self, source_id: int, by: int) -> SourceRun:
        """Return a reading of which nothing is stored."""
        return SourceRun(_later_id(), source_id, RUNNING, self.now(), by, numbers={})

    def note_progress(self, reading: SourceRun) -> bool:
        """Store how far a reading is; return whether it is to go on."""
        own = all_of([equals("_id", reading.id), equals("state", RUNNING)])
        return self._readings.change(own, {"$set": {"done": reading.done, "all": reading.all}})

    def stop(self, source_id: int) -> bool:
        """Let the reading that runs end before its next events; say whether there is one."""
        own = all_of([equals("source", source_id), equals("state", RUNNING)])
        return bool(self._readings.change_all(own, {"$set": {"state": STOPPING}}))

    def finish(self, reading: SourceRun) -> None:
        own = reading.document
        self._readings.change(equals("_id", own.pop("_id")), {"$set": own})

    def add(self, reading: SourceRun, results: Iterable[Result]) -> None:
        """Count the outcomes; store the outcome of each event, but for unchanged ones.

        A preview lists these too where a rule decides.
        """
        is_preview = reading.entries is not None
        numbers = Counter(reading.numbers or {})
        entries = []
        for result in results:
            numbers[str(result.outcome)] += 1
            numbers["refused"] += len(result.refused_dates)
            if result.kept and result.outcome is not Outcome.KEPT:
                numbers["kept"] += 1
            if result.outcome is not Outcome.UNCHANGED or (is_preview and result.rule):
                entries.append(result.document)
            for label, reason in result.refused_dates:
                refused = Result(Outcome.REFUSED, label, result.uid, reason=reason)
                entries.append(refused.document)
        reading.numbers = {name: number for name, number in numbers.items() if number}
        if reading.entries is not None:
            reading.entries += entries
            return
        now = self.now()
        for begin in range(0, len(entries), _AT_ONCE):
            part = entries[begin : begin + _AT_ONCE]
            own = {"reading": reading.id, "source": reading.source, "at": now}
            first, reading.listed = reading.listed, reading.listed + len(part)
            self._entries.insert_many(
                [
                    {"_id": f"{reading.id} {number:06}", **own, **each}
                    for number, each in enumerate(part, first)
                ]
            )

    def reading(self, reading_id: str) -> SourceRun:
        document = self._readings.first(equals("_id", reading_id))
        if document is None:
            raise NotFound("source")
        return SourceRun.of(document)

    def still_waits(self, reading: SourceRun) -> bool:
        """Return whether a reading was held back, and none after it has written anything."""
        later = all_of(
            [
                equals("source", reading.source),
                after("_id", reading.id),
                one_of("state", (*GOOD, STOPPED)),
            ]
        )
        return reading.state == WAITING and self._readings.first(later, ["_id"]) is None

    def accepted(self, source_id: int, accept: str) -> int:
        """Return how many events a person lets a reading touch that was held back.

        Once the source has been read well since then, another loss is another question.
        """
        if not accept:
            return 0
        held = self.reading(accept)
        if held.source != source_id or not self.still_waits(held):
            raise NotFound("source", source_id)
        return max(held.alarming, 1)

    def last(self, source_id: int) -> SourceRun | None:
        """Return the last reading of a source, if there is one."""
        readings = self._readings.find(equals("source", source_id), order=_LATEST_FIRST, limit=1)
        return SourceRun.of(readings[0]) if readings else None

    def page(self, source_id: int, window: Window) -> Page:
        """Return a page of the readings of a source, the last one first."""
        own = equals("source", source_id)
        readings = self._readings.find(
            own, order=_LATEST_FIRST, skip=window.skip, limit=window.size
        )
        return Page(readings, window, lambda: self._readings.count(own))

    def entries(self, reading_id: str, window: Window, outcome: str = "") -> Page:
        """Return a page of the outcomes of a reading."""
        own: Clause = equals("reading", reading_id)
        own = all_of([own, equals("outcome", outcome)]) if outcome else own
        order = (("outcome", 1), ("_id", 1))
        entries = self._entries.find(own, order=order, skip=window.skip, limit=window.size)
        return Page(entries, window, lambda: self._entries.count(own))

    def forget(self, source: Source) -> None:
        """Forget the readings and the state of a source, but not its identity.

        Its events keep their notes, so that it may be taken up.
        """
        own = equals("source", source.id)
        self._readings.remove(own)
        self._entries.remove(own)
        state = self.state(source.id)
        self._states.remove(equals("_id", source.id))
        mark = {"imports": True} if state.get("imports") else {}
        name = identity_of(source.kind, source.address, source.name)
        self.set_state(source.id, {**mark, "removed": name, "removed_at": self.now()})

    def removed(self, kind: str, address: str, name: str) -> int:
        """Return the id of a source that was removed, the last one of its kind and address.

        Without an address it is known by its name. 0 stands for none.
        """
        own = equals("removed", identity_of(kind, address, name))
        latest = self._states.find(own, order=[("removed_at", -1)], limit=1, fields=["_id"])
        return int(latest[0]["_id"]) if latest else 0

    def take_up(self, source_id: int) -> bool:
        """Reactivate a removed source; return false if there was none."""
        own = all_of([equals("_id", source_id), given("removed")])
        return self._states.change(own, {"$unset": {"removed": "", "removed_at": ""}})

    def of_imports(self) -> set[int]:
        """Return the ids of the sources that imports have made, removed ones too."""
        return {each["_id"] for each in self._states.find(equals("imports", True), fields=["_id"])}

    # The state of a source.

    def states(self, source_ids: Iterable[int]) -> dict[int, Record]:
        """Return the states of sources that were read before, or are to be."""
        return {each["_id"]: each for each in self._states.find(one_of("_id", source_ids))}

    def state(self, source_id: int) -> Record:
        return self._states.first(equals("_id", source_id)) or {"_id": source_id}

    def set_state(self, source_id: int, values: Mapping[str, Any]) -> None:
        self._states.upsert(equals("_id", source_id), {"$set": dict(values)})

    def failing(self, since: datetime) -> list[int]:
        """Return the ids of the sources that fail since then and of which nobody was told."""
        untold = all_of([at_most("failing_since", since), equals("told", None)])
        return [each["_id"] for each in self._states.find(untold, fields=["_id"])]

    def claim_telling(self, source_id: int) -> bool:
        """Note that somebody is told that a source fails; false where another process did."""
        untold = all_of([equals("_id", source_id), equals("told", None)])
        return self._states.change(untold, {"$set": {"told": self.now()}})

    def end(self, source_id: int, values: Mapping[str, Any]) -> None:
        """Set the state of a source after a reading, and count that by its result."""
        counted = {f"readings.{values['result']}": 1}
        self._states.upsert(equals("_id", source_id), {"$set": dict(values), "$inc": counted})

    def due(self, now: datetime) -> list[int]:
        """Return the ids of the sources due now, longest waiting first."""
        due = {"due": {"$lte": now}}
        return [each["_id"] for each in self._states.find(due, order=[("due", 1)], fields=["_id"])]


def _later_id() -> str:
    """Return an id that is sorted behind those before, also within a second."""
    return f"{time.time_ns():016x}{uuid4().hex[:16]}"


# When a source is read next.

_DAY = timedelta(days=1)
_MOST_DOUBLINGS = 10


def next_due(
    now: datetime, every: int, daily_at: str, zone: Any, failures: int = 0
) -> datetime | None:
    """Return when a source is read next, naive in UTC; later after each failure, up to a day.

    ``zone`` is the one in which ``daily_at`` is meant.
    """
    if every:
        minutes = every * 2 ** min(failures, _MOST_DOUBLINGS)
        return now + min(timedelta(minutes=minutes), max(_DAY, timedelta(minutes=every)))
    if not daily_at:
        return None
    hour, minute = map(int, daily_at.split(":"))
    local = now.replace(tzinfo=UTC).astimezone(zone)
    at = local.replace(hour=hour, minute=minute, second=0, microsecond=0)
    at = at if at > local else at + _DAY
    return at.astimezone(UTC).replace(tzinfo=None)
