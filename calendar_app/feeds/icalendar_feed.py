"""iCalendar feed (RFC 5545, with the properties of RFC 7986)."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, timedelta, tzinfo

from icalendar import Calendar, vDuration

from calendar_app.calendar.feeds.series import FeedSeries
from calendar_app.domain.statuses import Stamp
from calendar_app.domain.zones import zone_of
from calendar_app.feeds.content_lines import lines
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.values import text, uri
from calendar_app.feeds.vevent import vevent
from calendar_app.feeds.vevent_series import series_components
from calendar_app.feeds.vtimezone import is_utc, tzid_of, vtimezone
from calendar_app.readmodel.events import ReadEvent

_PRODUCT = "-//calendar-app//Calendar of public events//EN"
END = b"END:VCALENDAR\r\n"
_REFRESH = timedelta(hours=1)


def head(feed: Feed) -> bytes:
    """Return the bytes before the first event, time zones included."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _PRODUCT)
    calendar.add("uid", str(feed.uid))
    calendar["NAME"] = text(feed.title, feed.language)
    # For clients that do not support NAME and REFRESH-INTERVAL.
    calendar["X-WR-CALNAME"] = text(feed.title)
    calendar["X-WR-TIMEZONE"] = text(_shown_zone(feed))
    calendar.add("refresh-interval", vDuration(_REFRESH, {"VALUE": "DURATION"}))
    calendar.add("x-published-ttl", vDuration(_REFRESH))
    calendar.add("last-modified", feed.selection.changed.replace(tzinfo=UTC))
    calendar["SOURCE"] = uri(feed.address, VALUE="URI")
    color = feed.context.settings.feed_color
    if color:
        calendar.add("color", color)
    if feed.next_url:
        calendar["X-FEED-TRUNCATED"] = text(str(len(feed.selection)))
    for zone, first in _zones(feed):
        calendar.add_component(vtimezone(zone, first))
    return lines(calendar).removesuffix(END)


def _shown_zone(feed: Feed) -> str:
    """Return the zone in which programs show times in UTC: that of the site.

    They take the rule of a series in UTC into that zone as well, where its dates would follow other
    clocks; beside such a series it is UTC.
    """
    records = (series.record for series in feed.selection.series.values())
    has_utc_series = any(is_utc(zone_of(record["timezone"])) for record in records)
    return "UTC" if has_utc_series else feed.context.settings.timezone


def _zones(feed: Feed) -> Iterator[tuple[tzinfo, int]]:
    """Yield each zone once, with the first year of use.

    An empty feed has the zone of the site, since RFC 5545 section 3.6 requires a component.
    """
    used = feed.selection.zones
    if not used:
        yield zone_of(feed.context.settings.timezone), date.max.year
    zones = {tzid_of(zone_of(name)): zone_of(name) for name in used}
    for tzid, zone in sorted(zones.items()):
        if not is_utc(zone):
            yield zone, min(year for name, year in used.items() if tzid_of(zone_of(name)) == tzid)


def item(event: ReadEvent, stamp: Stamp, feed: Feed) -> bytes:
    """Return an event as content lines."""
    return lines(vevent(event, stamp, feed))


def series(stamped: Sequence[tuple[ReadEvent, Stamp]], selected: FeedSeries, feed: Feed) -> bytes:
    """Return a series as content lines."""
    return b"".join(map(lines, series_components(stamped, selected, feed)))
