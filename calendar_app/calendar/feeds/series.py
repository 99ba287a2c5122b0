"""Reads the series of feeds for calendar programs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from calendar_app.accounts.policy import Caller, may_read, visible_to
from calendar_app.calendar.feeds.feed_series import FeedSeries
from calendar_app.calendar.feeds.survey import IN_SERIES, TELLING
from calendar_app.calendar.reading.links import Links, readable_overrides
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.documents import recurrence_of, span_of
from calendar_app.domain.recurrence.exceptions import concealing
from calendar_app.domain.recurrence.model import ExtraDate, Recurrence
from calendar_app.domain.stamps import TOUCHED
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import NOTHING, Clause, after, all_of, differs, none_of, one_of
from calendar_app.query.words import as_shown

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
        # Dates of which the list leaves out one that comes cannot be said by a rule.
        shortened = {
            event["series"]
            for event in visible
            if event["_id"] not in listed and event["start_local"] >= today
        }
        whole = {number: hidden.get(number, []) for number in records.keys() - shortened}
        versions = {
            record["_id"]: _latest_version(by_series[record["_id"]], record) for record in stored
        }
        return {
            number: _selected(series, by_series[number], listed, whole.get(number), differing)
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
    """Return what a hidden series may tell of its version, by its visible events."""
    latest = {name: max(event[name] for event in events) for name in ("revision", "modified")}
    return latest | ({TOUCHED: series[TOUCHED]} if TOUCHED in series else {})


def _dates_alone(events: Sequence[Record]) -> Recurrence:
    """Return the dates of all events but the first one, without a rule."""
    return Recurrence(rdates=tuple(ExtraDate(_DATE(event)) for event in events[1:]))


def _selected(
    series: Record,
    visible: list[Record],
    listed: set[int],
    hidden: list[datetime] | None,
    differing: set[int],
) -> FeedSeries:
    """Return a series by its rule without ``hidden`` dates; without any by its listed events."""
    in_feed = [event for event in visible if event["_id"] in listed]
    stored = recurrence_of(series)
    if hidden is not None:
        recurrence = concealing(stored, span_of(series), hidden)
        extra_dates = tuple(ExtraDate(extra.start) for extra in recurrence.rdates)
        recurrence = replace(recurrence, rdates=extra_dates)
        start, in_feed = series["start_local"], visible
    else:
        recurrence, start = _dates_alone(in_feed), _DATE(in_feed[0])
    # Programs that do not know PERIOD as a value of RDATE learn the end from a component.
    with_own_end = {extra.start for extra in stored.rdates if extra.end}
    overrides = [
        event for event in in_feed if event["_id"] in differing or _DATE(event) in with_own_end
    ]
    return FeedSeries(series, overrides, start, recurrence)
