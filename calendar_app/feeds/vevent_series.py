"""A series as VEVENTs (RFC 5545 sections 3.8.4.4 and 3.8.5): the rule, then each override."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from icalendar import Event

from calendar_app.calendar.feeds.series import FeedSeries
from calendar_app.domain.recurrence.changing import portable
from calendar_app.domain.recurrence.notation import as_lines
from calendar_app.domain.recurrence.rules import ExtraDate, span_of
from calendar_app.domain.statuses import Stamp
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.values import Value
from calendar_app.feeds.vevent import vevent, wall_time
from calendar_app.feeds.vtimezone import is_utc, tzid_of
from calendar_app.readmodel.events import ReadEvent

_SECOND = timedelta(seconds=1)


def series_components(
    stamped: Sequence[tuple[ReadEvent, Stamp]], series: FeedSeries, feed: Feed
) -> Iterator[Event]:
    """Yield the series with its dates, and its events that differ from it."""
    (master, stamp), *overrides = stamped
    component = vevent(master, stamp, feed)
    _add_dates(component, series)
    if "continues" in series.record:
        component["RELATED-TO"] = Value(str(feed.uid_of(series.record["continues"])))
    yield component
    for event, own_stamp in overrides:
        override = vevent(event, own_stamp, feed)
        override["RECURRENCE-ID"] = wall_time(event.record["recurrence_id"], series.record)
        yield override


def _add_dates(component: Event, series: FeedSeries) -> None:
    record, span = series.record, span_of(series.record)
    component["DTSTART"] = wall_time(series.start, record)
    if span.end_local > span.start_local:
        end = series.start + (span.end_local - span.start_local)
        component["DTEND"] = wall_time(end + _SECOND if span.all_day else end, record)
    zone = zone_of(record["timezone"])
    start = instant_of(series.start, zone)
    if not span.all_day and wall_of(start, zone) != series.start:
        # The clocks skip the start, so that the wall clock of its end tells no length.
        component.pop("DTEND", None)
        component.add("duration", span.end - span.start)
    recurrence = portable(series.recurrence, span)
    if not recurrence.rules:  # without a rule ical.js leaves out the start
        dates = (ExtraDate(series.start), *recurrence.rdates)
        recurrence = replace(recurrence, rdates=dates)
    for line in as_lines(recurrence, span, "" if is_utc(zone) else tzid_of(zone)):
        values = component.setdefault(line.name, [])
        values.append(Value(line.value, line.parameters.items()))
