"""Contents of feeds: first the selection and its version, then the events.

The first takes a few fields of each event, the second reads those events that are not known.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import readable_by
from calendar_app.calendar.reading.feed_series import (
    TELLING,
    FeedSeries,
    Item,
    Selection,
    SeriesOfFeeds,
    Survey,
)
from calendar_app.calendar.reading.feed_versions import Versions
from calendar_app.calendar.reading.kept_selections import (
    KeptSelection,
    keep,
    rows_of,
)
from calendar_app.calendar.reading.links import LINKED, Linked, is_shown
from calendar_app.calendar.reading.planner import ranked
from calendar_app.calendar.reading.provenance import UNKNOWN, Provenance
from calendar_app.calendar.reading.reader import Reader, unlocked
from calendar_app.calendar.reading.slots import FeedSlots
from calendar_app.domain.fields import WITHDRAWN_AT, WORDS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now, default_window
from calendar_app.domain.statuses import PUBLISH, LinkVersions, version_of
from calendar_app.domain.zones import zone_of
from calendar_app.storage.cache_memory import size_of
from calendar_app.storage.mongo.editions import Edition
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    NOTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    differs,
    equals,
    not_any,
    one_of,
    within,
)
from calendar_app.storage.query.distances import by_distance
from calendar_app.storage.query.list_query import (
    AsListed,
    ByDistance,
    ByRelevance,
    ByText,
    Listing,
    Order,
    Slice,
)
from calendar_app.storage.query.stages import Hint, Stages, as_listed, in_order, only
from calendar_app.storage.query.words import as_shown

# Withdrawn events keep their last public state, for feeds to report as cancelled.
#
# A calendar program that has taken an event into its own calendar is told that it is off, for
# ``WITHDRAWN_FOR``; and is told nothing of what has become of the text since.

WITHDRAWN_FOR = timedelta(days=30)
WITHDRAWN = "withdrawn"
LAST_PUBLIC = f"{WITHDRAWN}.record"
# What feeds tell nothing of; a note that was left behind would make this one grow without end.
_OMITTED = (WORDS, WITHDRAWN)


def note_withdrawal(before: Record, after: Record, now: datetime) -> None:
    """Store the last public state in an event that is no longer public."""
    if after["status"] == PUBLISH:
        after.pop(WITHDRAWN, None)
    elif before.get("status") == PUBLISH:
        public = {name: value for name, value in before.items() if name not in _OMITTED}
        after[WITHDRAWN] = {"at": now, "record": public}


def last_public(event: Record, now: datetime) -> Record | None:
    """Return an event as the public last saw it, if it is gone for no longer than is told."""
    note = event.get(WITHDRAWN)
    if not note or note["at"] < _since(now):
        return None
    record: Record = note["record"]
    # The note itself is a change; what is written afterwards is nobody's business.
    return record | {"revision": record["revision"] + 1, "modified": note["at"]}


def withdrawn_lately(now: datetime) -> Clause:
    """Match events withdrawn within ``WITHDRAWN_FOR``."""
    return at_least(WITHDRAWN_AT, _since(now))


def lately_public(clause: Clause, now: datetime) -> Clause:
    """Match withdrawn events by their last public state.

    What it matches today is left out. The time counts by whole days.
    """
    return all_of(
        [
            withdrawn_lately(now),
            differs("status", PUBLISH),
            within(LAST_PUBLIC, clause),
            not_any([clause]),
        ]
    )


def _since(now: datetime) -> datetime:
    return datetime.combine(now - WITHDRAWN_FOR, time.min)


_CALENDAR = "calendar"  # the document of the calendar itself


class FeedRecords(NamedTuple):
    """The events and series of a feed, with all that they show."""

    events: Mapping[Item, Record]
    series: Mapping[Item, FeedSeries]
    linked: Linked
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Who reads a feed, with which password."""

    caller: Caller
    password: str | None = field(default=None, repr=False)


class _Asked(NamedTuple):
    """A feed that somebody asks for: the clause of its events, and of those that are ``off``."""

    kind: Kind
    listing: Listing
    clause: Clause
    off: Clause
    reader: FeedReader


class Feeds:
    """Selects and reads the events of feeds.

    ``now`` gives the present as a naive UTC time, ``zone`` is that of the site. So many feeds are
    made ``at_once``, and beside them as many graphs, which have no limit of events.
    """

    def __init__(self, store: Store, reader: Reader, now: Now, at_once: int, *, zone: str) -> None:
        self.slots = FeedSlots(at_once)
        self.graph_slots = FeedSlots(at_once)
        self._store = store
        self._reader = reader
        self._now = now
        self._zone = zone_of(zone)
        self.versions = Versions(store)
        self._selections = store.cache_memory.cache("feeds")
        self._series = SeriesOfFeeds(store)

    def identity(self) -> UUID:
        """Return the permanent UUID of this calendar."""
        calendars, by_id = self._store["calendars"], equals("_id", _CALENDAR)
        calendar = calendars.first(by_id)
        if calendar is None:
            new = {"$setOnInsert": {"uuid": str(uuid4())}}
            calendar = calendars.upsert(by_id, new)
        return UUID(calendar["uuid"])

    def select(
        self,
        kind: Kind,
        listing: Listing,
        reader: FeedReader,
        *,
        with_off: bool,
        in_series: bool = False,
    ) -> Selection:
        """Return which events a feed holds; ``with_off``: those also that were withdrawn.

        With ``in_series`` a series stands in place of its first event, and of all its others.
        """
        return self._store.in_snapshot(
            lambda: self._select(kind, listing, reader, with_off=with_off, in_series=in_series)
        )

    @staticmethod
    def selected(
        event: Record, linked: Linked, reader: FeedReader, provenance: Provenance = UNKNOWN
    ) -> Selection:
        """Return the selection of one event, with the linked records that it shows."""
        survey = Survey(EVERYTHING, provenance=provenance)
        survey.note([event], 1)
        versions = {
            name: {number: version_of(record) for number, record in records.items()}
            for name, records in linked.items()
        }
        return survey.result(
            versions, lambda record: unlocked(record, reader.caller, reader.password)
        )

    def read(
        self, kind: Kind, selection: Selection, items: Sequence[Item], caller: Caller
    ) -> FeedRecords:
        """Return events and series of a selection, with their linked records and publishers.

        Events that no longer match are left out.
        """
        events: dict[Item, Record] = {}
        single = [item for item in items if not item.series]
        for off in {item.off for item in single}:
            by_id = {item.id: item for item in single if item.off == off}
            for event in self._read(kind, selection.clause, [*by_id], off=off):
                events[by_id[event["_id"]]] = event
        in_series = {item: selection.series[item.series] for item in items if item.series}
        selected = self._series.read([*in_series.values()])
        records = [*events.values(), *(record for each in selected for record in each.records)]
        series = dict(zip(in_series, selected, strict=True))
        linked = self._reader.linked(records, caller)
        return FeedRecords(events, series, linked, self._reader.provenance.of(records, caller))

    def shown_to(self, caller: Caller) -> Clause:
        """Match readable events, and recently withdrawn ones."""
        return any_of([readable_by(caller), withdrawn_lately(self._now())])

    def last_public(self, event: Record) -> Record | None:
        """Return a withdrawn event as the public last saw it, as long as feeds tell of it."""
        return last_public(event, self._now())

    def _select(
        self,
        kind: Kind,
        listing: Listing,
        reader: FeedReader,
        *,
        with_off: bool,
        in_series: bool,
    ) -> Selection:
        """Select the events of a feed; selections are cached until the next write.

        With a password nothing is cached, since each guessed one would take room.
        """
        caller = reader.caller
        grouped = replace(listing, first_in_series=in_series or listing.first_in_series)
        clause = self._reader.clause(kind, listing, caller)
        off = lately_public(clause, self._now()) if with_off else NOTHING
        edition = self._store.edition() if reader.password is None else None
        today, _ = default_window(self._now().replace(tzinfo=UTC), self._zone)
        key = repr((kind.name, clause, off, grouped, today)), caller
        kept: KeptSelection | None = self._selections.get(key) if edition else None
        if kept and kept.edition is edition:
            return kept.selection
        if kept and edition:
            kept = self._carried(kept, _Asked(kind, grouped, clause, off, reader), edition)
        if kept is None:
            source = self._reader.source(kind, grouped, caller)
            survey = Survey(clause)
            if in_series:
                off = self._series.withdrawn(off, caller)
            self._fill(survey, kind, replace(grouped, clause=source.clause), off, source.hint)
            if in_series:
                survey.note_series(self._series.select(survey.series_ids(), clause, caller, today))
            selection, versions = self._selection_of(survey, reader)
            if edition is None:
                return selection
            kept = keep(edition, survey, selection, grouped, versions)
        self._selections.keep(key, kept, size_of(key) + kept.size)
        return kept.selection

    def _selection_of(self, survey: Survey, reader: FeedReader) -> tuple[Selection, LinkVersions]:
        """Return the selection of a survey, and the versions of all that it links to."""
        caller, password = reader.caller, reader.password
        survey.provenance = self._reader.provenance.of(survey.records, caller)
        versions = self._versions(survey.linked, caller)
        selection = survey.result(versions, lambda event: unlocked(event, caller, password))
        return selection, versions

    def _carried(
        self, kept: KeptSelection, asked: _Asked, edition: Edition
    ) -> KeptSelection | None:
        """Return a selection at a later edition; ``None`` where all of it is to be read."""
        events, caller = self._store.of(asked.kind), asked.reader.caller
        ids = kept.written_ids(edition, lambda linked: self._versions(linked, caller))
        if ids is None:
            return None
        if not ids:
            return replace(kept, edition=edition)
        own = one_of("_id", sorted(ids))
        # Whatever is written of one date may change what is told of its series.
        if asked.listing.first_in_series:
            written_events = events.find(own, fields=["series"])
            if len(written_events) < len(ids) or any(
                event.get("series") for event in written_events
            ):
                return None
        if asked.off != NOTHING and events.count(all_of([own, asked.off])):
            return None
        survey = Survey(asked.clause)
        part = Slice(0, len(ids))
        stages = [*in_order(all_of([own, asked.clause]), kept.order, part), *_surveyed(kept.order)]
        survey.note(events.aggregate(stages, hint={"_id": 1}), len(ids))
        selection, versions = self._selection_of(survey, asked.reader)
        rows = rows_of(survey, selection, kept.order)
        return kept.after(ids, rows, survey.linked, versions, edition)

    def _fill(self, survey: Survey, kind: Kind, listing: Listing, off: Clause, hint: Hint) -> None:
        skip, end = listing.window.skip, listing.window.skip + listing.window.size
        withdrawn = self._store.of(kind).count(off) if off != NOTHING else 0
        part = Slice(skip, min(withdrawn, end) - skip)
        if part.size > 0:
            survey.note_withdrawn(self._store.of(kind).each(_withdrawn(off, part)))
        if withdrawn > end:
            survey.note_more()
        else:
            room = Slice(max(skip - withdrawn, 0), end - max(skip, withdrawn))
            survey.note(self._surveyed(kind, listing, room, hint), room.size)

    def _surveyed(self, kind: Kind, listing: Listing, room: Slice, hint: Hint) -> Iterator[Record]:
        """Yield the version fields of events, one more than there is room for."""
        clause, part = listing.clause, Slice(room.skip, room.size + 1)
        options: dict[str, Any] = {"hint": hint}
        match listing.order:
            case ByText() as order:
                orders = self._reader.text_orders
                stages = orders.stages(kind, clause, order, part, listing.written)
                options |= orders.sorting(order)
            case AsListed() as order:
                stages = as_listed(clause, order, part)
            case ByDistance() as order:
                stages = by_distance(kind.name, clause, order, part)
            case ByRelevance() as order:
                stages = ranked(kind, clause, listing, order, part)
            case order:
                stages = in_order(clause, order, part)
                return self._store.of(kind).each([*stages, *_surveyed(order)], **options)
        return self._store.of(kind).each([*stages, *only(TELLING)], **options)

    def _versions(self, linked: Mapping[str, Iterable[int]], caller: Caller) -> LinkVersions:
        """Return the versions of linked records that the caller may read, by kind and id."""
        linked_records = {name: self._rights(name, ids) for name, ids in linked.items()}
        return {
            name: {
                record["_id"]: version_of(record)
                for record in records
                if name not in LINKED or is_shown(caller, record)
            }
            for name, records in linked_records.items()
        }

    def _rights(self, name: str, ids: Iterable[int]) -> list[Record]:
        fields = ["revision", "modified", "status", "author"]
        return self._store[name].find(one_of("_id", sorted(ids)), fields=fields)

    def _read(self, kind: Kind, clause: Clause, ids: list[int], *, off: bool) -> list[Record]:
        matching = lately_public(clause, self._now()) if off else clause
        selected = all_of([one_of("_id", ids), matching])
        records = self._store.of(kind).find(selected, fields=as_shown())
        return [event for event in map(self.last_public, records) if event] if off else records


def _surveyed(order: Order) -> Stages:
    """Return stages with the version fields of events, and those of their order."""
    return only(dict.fromkeys([*TELLING, *(name for name, _ in order if name != "_id")]))


def _withdrawn(clause: Clause, part: Slice) -> Stages:
    """Return stages with the version fields of withdrawn events, the latest first."""
    order = [(WITHDRAWN_AT, -1), ("_id", -1)]
    return [
        *in_order(clause, order, part),
        *only([WITHDRAWN_AT, *(f"{LAST_PUBLIC}.{name}" for name in TELLING)]),
    ]
