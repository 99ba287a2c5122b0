"""Series in feeds for calendar programs: one component with the rule, and one per override.

From today on a subscriber gets the dates of the list and no other; past ones may come along. A
rule stays a rule, since many programs show one date alone where it is missing: it ends with the
last date of the list, and those before it that the list lacks, or that are hidden from the caller,
are exceptions. The dates of further rules, and all of a series without any, are named one by one.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, groupby
from operator import itemgetter
from typing import NamedTuple

from xxhash import xxh3_128_digest

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import may_read, visible_to
from calendar_app.calendar.reading.links import LINKS, Links, readable_overrides
from calendar_app.calendar.reading.provenance import SHOWN_OF_NOTES, UNKNOWN, Provenance, Publisher
from calendar_app.domain.kind import Record
from calendar_app.domain.provenance import INHERITED
from calendar_app.domain.recurrence.changing import by_first_rule, concealing, ended_before
from calendar_app.domain.recurrence.rules import ExtraDate, Recurrence, recurrence_of, span_of
from calendar_app.domain.statuses import TOUCHED, TRASH, LinkVersion, LinkVersions, Stamp, stamp_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    NOTHING,
    Clause,
    after,
    all_of,
    differs,
    none_of,
    one_of,
)
from calendar_app.storage.query.words import as_shown


@dataclass(frozen=True, slots=True)
class FeedSeries:
    """A series as a feed holds it: its record, and the events that differ from it.

    ``recurrence`` gives the dates of the feed, counted from ``start``, in wall clock.
    """

    record: Record
    overrides: Sequence[Record]
    start: datetime
    recurrence: Recurrence

    @property
    def records(self) -> Sequence[Record]:
        """Return all records that the feed shows."""
        return (self.record, *self.overrides)

    @property
    def dates(self) -> tuple[datetime, Recurrence]:
        """Return the first date and the recurrence, for cache keys."""
        return self.start, self.recurrence


# Survey of a feed's events by a few fields, before they are read.

_BEGINNING = datetime(1970, 1, 1)  # noqa: DTZ001  # naive means UTC
# A write of the event raises its revision; what it links to may change without one.
_OWN = ("revision", TOUCHED, "timezone", "start", "modified", "status", "published")
_RIGHTS = (INHERITED, "password", "author", "status_before_trash")
IN_SERIES = ("series", "recurrence_id", "overrides")
TELLING = (*_OWN, *_RIGHTS, *IN_SERIES, *SHOWN_OF_NOTES, "image", *LINKS)


class Item(NamedTuple):
    """An event of a feed, or its ``series``; ``off``: it was withdrawn.

    ``version`` stands for all that it shows; ``stamps`` are those of the event, or of each record
    of the series.
    """

    id: int
    off: bool
    version: bytes
    stamps: tuple[Stamp, ...]
    series: int = 0


@dataclass(frozen=True, slots=True)
class Selection:
    """The events of one feed: those that were withdrawn, then all others.

    ``zones`` has the first year in which the clocks of each zone matter, ``changed`` is the latest
    change of an event, naive in UTC. ``more`` says that there are further events, on the next page.
    """

    clause: Clause
    items: Sequence[Item]
    zones: dict[str, int]
    changed: datetime
    more: bool
    series: Mapping[int, FeedSeries]

    def __len__(self) -> int:
        """Return how many events the feed holds."""
        return len(self.items)

    def digest(self) -> bytes:
        """Return a digest of all events' versions."""
        return xxh3_128_digest(b"".join(item.version for item in self.items))


@dataclass(slots=True)
class Survey:
    """Becomes a selection, event by event; ``linked`` has the ids that events link to, by kind."""

    clause: Clause
    linked: dict[str, set[int]] = field(default_factory=dict)
    provenance: Provenance = UNKNOWN
    _events: list[tuple[Record, bool]] = field(default_factory=list)
    _more: bool = False
    _series: Mapping[int, FeedSeries] = field(default_factory=dict)

    def note(self, events: Iterable[Record], room: int) -> None:
        """Note the events, ``room`` of them; that there are more is all that is said of those."""
        for number, event in enumerate(events):
            if number == room:
                self._more = True
                return
            self._note_links(event)
            self._events.append((event, False))

    def note_withdrawn(self, events: Iterable[Record]) -> None:
        """Note events that are off, as they last were, with the time ``at`` which that ended."""
        for event in events:
            # The withdrawal is a change of its own.
            last = {**event, "revision": event["revision"] + 1, "modified": event["at"]}
            self._events.append((last, True))

    @property
    def events(self) -> list[Record]:
        """Return the noted events."""
        return [event for event, _ in self._events]

    @property
    def records(self) -> list[Record]:
        """Return the noted events, and the records of the noted series."""
        of_series = (record for each in self._series.values() for record in each.records)
        return [*(event for event, _ in self._events), *of_series]

    def series_ids(self) -> set[int]:
        """Return the series of the noted events; withdrawn ones do not count."""
        return {event["series"] for event, off in self._events if not off and "series" in event}

    def note_series(self, series: Mapping[int, FeedSeries]) -> None:
        """Note the series that stand in place of their events."""
        self._series = series
        for each in series.values():
            for record in each.records:
                self._note_links(record)

    def note_more(self) -> None:
        """Note that there are further events, none of which is read."""
        self._more = True

    def result(self, versions: LinkVersions, is_unlocked: Callable[[Record], bool]) -> Selection:
        """Return the selection; ``versions`` are those of visible linked records.

        Locked events show nothing that they link to.
        """
        items = list(self._items(versions, is_unlocked))
        selection = Selection(self.clause, items, {}, _BEGINNING, self._more, self._series)
        places = ((event["timezone"], event["start"].year) for event in self.events)
        return summed_up(selection, places)

    def _items(
        self, versions: LinkVersions, is_unlocked: Callable[[Record], bool]
    ) -> Iterator[Item]:
        for event, off in self._events:
            number = 0 if off else event.get("series", 0)
            series = self._series.get(number)
            records = series.records if series else [event]
            links = [
                {} if off or not is_unlocked(record) else _links(record, versions)
                for record in records
            ]
            publishers = [
                () if off or not is_unlocked(record) else self.provenance.of(record)
                for record in records
            ]
            contents = [
                _shown_state(*each) for each in zip(records, links, publishers, strict=True)
            ]
            version = xxh3_128_digest(repr((contents, series and series.dates)).encode())
            stamps = tuple(
                stamp_of(record, links_of_record.values())
                for record, links_of_record in zip(records, links, strict=True)
            )
            yield Item(event["_id"], off, version, stamps, number if series else 0)

    def _note_links(self, event: Record) -> None:
        for name in LINKS:
            self.linked.setdefault(name, set()).update(event[name])
        if isinstance(event.get("image"), int):
            self.linked.setdefault("media", set()).add(event["image"])


def summed_up(selection: Selection, places: Iterable[tuple[str, int]]) -> Selection:
    """Return a selection with its zones, and the latest change; ``places`` are those of events."""
    zones: dict[str, int] = {}
    of_series = (record for each in selection.series.values() for record in each.records)
    for zone, year in chain(
        places, ((record["timezone"], record["start"].year) for record in of_series)
    ):
        zones[zone] = min(zones.get(zone, year), year)
    stamps = (stamp.changed for item in selection.items for stamp in item.stamps)
    return replace(selection, zones=zones, changed=max(stamps, default=_BEGINNING))


def _shown_state(
    event: Record,
    links: Mapping[tuple[str, int], LinkVersion],
    publishers: Sequence[Publisher],
) -> tuple[object, ...]:
    """Return all that a feed shows of an event; withdrawn and locked ones show no links."""
    own = (event.get(name) for name in _OWN)
    # A picture at another site has an address alone.
    visible = (*own, event.get("image"), list(links.items()), publishers)
    return event["_id"], event.get("at"), *visible


def _links(event: Record, versions: LinkVersions) -> dict[tuple[str, int], LinkVersion]:
    """Return the versions of an event's linked records, its picture included."""
    pairs = [(name, linked) for name in LINKS for linked in event[name]]
    pairs += [("media", event["image"])] if isinstance(event.get("image"), int) else []
    return {
        (name, linked): versions[name][linked]
        for name, linked in pairs
        if linked in versions.get(name, {})
    }


# Reads the series of feeds for calendar programs.

_BY_DATE = (("series", 1), ("recurrence_id", 1))
_DATE = itemgetter("recurrence_id")


class SeriesOfFeeds:
    """Reads the series of feeds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._links = Links(store)

    def select(
        self, ids: Collection[int], clause: Clause, caller: Caller, today: datetime
    ) -> Mapping[int, FeedSeries]:
        """Return the series with these ids; ``clause`` matches the events of the feed.

        ``today`` is the wall clock from which the feed holds no other events.
        """
        if not ids:
            return {}
        own, events = one_of("series", ids), self._store["events"]
        fields = (*TELLING, "start_local")
        visible = events.find(all_of([own, visible_to(caller)]), order=_BY_DATE, fields=fields)
        listed = {event["_id"] for event in events.find(all_of([own, clause]), fields=["_id"])}
        present = events.find(all_of([own, differs("status", TRASH)]), fields=_DATED)
        hidden = _by_series(present, without={event["_id"] for event in visible})
        by_series = {key: list(group) for key, group in groupby(visible, itemgetter("series"))}
        stored = self._store["series"].find(one_of("_id", by_series))
        records = {record["_id"]: record for record in stored if may_read(caller, record)}
        unreadable = {
            number: [event for event in its_events if event["_id"] in listed]
            for number, its_events in by_series.items()
            if number not in records
        }
        differing = self._differing(visible, records, caller)
        left_out = {
            event["_id"]
            for event in visible
            if event["_id"] not in listed and event["start_local"] >= today
        }
        versions = {
            record["_id"]: _latest_version(by_series[record["_id"]], record) for record in stored
        }
        return {
            number: _selected(
                series,
                _Dates(by_series[number], listed, left_out, hidden.get(number, [])),
                differing,
            )
            for number, series in records.items()
        } | self._without_series(unreadable, versions)

    def _differing(
        self, events: Sequence[Record], series: Mapping[int, Record], caller: Caller
    ) -> set[int]:
        """Return the ids of events that visibly differ from their series."""
        linked = self._links.visible([*events, *series.values()], caller)
        return {
            event["_id"]
            for event in events
            if event["series"] in series
            and readable_overrides(event, series[event["series"]], linked)
        }

    def _without_series(
        self, events: Mapping[int, Sequence[Record]], versions: Mapping[int, Record]
    ) -> dict[int, FeedSeries]:
        """Return series that the caller may not read, each by its listed events alone."""
        if not events:
            return {}
        first_ids = [its_events[0]["_id"] for its_events in events.values()]
        firsts = self._store["events"].find(one_of("_id", first_ids), fields=as_shown())
        by_series = {first["series"]: first for first in firsts}
        return {
            number: FeedSeries(
                _as_series(by_series[number]) | versions.get(number, {}),
                its_events,
                _DATE(its_events[0]),
                _dates_alone(its_events),
            )
            for number, its_events in events.items()
        }

    def withdrawn(self, off: Clause, caller: Caller) -> Clause:
        """Narrow withdrawn events to single ones, and to those of series without any other."""
        if off == NOTHING:
            return off
        events = self._store["events"]
        withdrawn_events = events.find(all_of([off, after("series", 0)]), fields=["series"])
        its_series = one_of("series", {event["series"] for event in withdrawn_events})
        visible = events.find(all_of([its_series, visible_to(caller)]), fields=["series"])
        return all_of([off, none_of("series", {event["series"] for event in visible})])

    def read(self, selected: Sequence[FeedSeries]) -> Sequence[FeedSeries]:
        """Return series with all fields of their overrides, in one query."""
        ids = [event["_id"] for series in selected for event in series.overrides]
        records = self._store["events"].find(one_of("_id", ids), fields=as_shown()) if ids else []
        events = {event["_id"]: event for event in records}
        return [
            replace(series, overrides=[events[event["_id"]] for event in series.overrides])
            for series in selected
        ]


_DATED = ("series", "recurrence_id")


def _by_series(events: Sequence[Record], *, without: set[int]) -> dict[int, list[datetime]]:
    dates: dict[int, list[datetime]] = {}
    for event in events:
        if event["_id"] not in without:
            dates.setdefault(event["series"], []).append(_DATE(event))
    return dates


def _as_series(event: Record) -> Record:
    """Return an event in place of its series."""
    fields = {name: value for name, value in event.items() if name not in IN_SERIES}
    return fields | {"_id": event["series"]}


def _latest_version(events: Sequence[Record], series: Record) -> Record:
    """Return the version that a hidden series may show, by its visible events."""
    latest = {name: max(event[name] for event in events) for name in ("revision", "modified")}
    return latest | ({TOUCHED: series[TOUCHED]} if TOUCHED in series else {})


def _dates_alone(events: Sequence[Record]) -> Recurrence:
    """Return the dates of all events but the first one, without a rule."""
    return Recurrence(rdates=tuple(ExtraDate(_DATE(event)) for event in events[1:]))


class _Dates(NamedTuple):
    """The events of a series by their dates, as far as the caller may see them.

    Of the ``visible`` ones some are ``listed``; those that come and are not are ``left_out``.
    """

    visible: list[Record]
    listed: set[int]
    left_out: set[int]
    hidden: list[datetime]


def _selected(series: Record, dates: _Dates, differing: set[int]) -> FeedSeries:
    """Return a series by its rule; without any by its listed events."""
    stored = recurrence_of(series)
    listed = [event for event in dates.visible if event["_id"] in dates.listed]
    if stored.rules or not dates.left_out.intersection(each["_id"] for each in dates.visible):
        in_feed = [event for event in dates.visible if event["_id"] not in dates.left_out]
        recurrence, start = _shortened(stored, series, dates, listed), series["start_local"]
        if len(recurrence.rules) > 1:
            recurrence = by_first_rule(recurrence, span_of(series), [*map(_DATE, in_feed)])
    else:
        in_feed, recurrence, start = listed, _dates_alone(listed), _DATE(listed[0])
    # Programs that do not know PERIOD as a value of RDATE learn the end from a component.
    with_own_end = {extra.start for extra in stored.rdates if extra.end}
    overrides = [
        event for event in in_feed if event["_id"] in differing or _DATE(event) in with_own_end
    ]
    return FeedSeries(series, overrides, start, recurrence)


def _shortened(
    stored: Recurrence, series: Record, dates: _Dates, listed: Sequence[Record]
) -> Recurrence:
    """Return a recurrence up to the last listed date, without the dates that the feed lacks."""
    span = span_of(series)
    left_out = [_DATE(event) for event in dates.visible if event["_id"] in dates.left_out]
    last = max(map(_DATE, listed), default=span.start_local)
    behind = [date for date in left_out if date > last]
    if behind:
        stored = ended_before(stored, span, min(behind))
    gaps = [date for date in left_out if date < last]
    remaining = [date for date in dates.hidden if not behind or date < min(behind)]
    recurrence = concealing(stored, span, [*remaining, *gaps])
    return replace(recurrence, rdates=tuple(ExtraDate(extra.start) for extra in recurrence.rdates))
