"""The formats of feeds, each with its media type and its renderers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calendar_app.calendar.feeds.series import FeedSeries
from calendar_app.domain.statuses import Stamp
from calendar_app.feeds import atom, geojson, icalendar_feed, table
from calendar_app.feeds.feed import Feed
from calendar_app.http.answers.headers import FEED_TYPES
from calendar_app.readmodel.events import ReadEvent


@dataclass(frozen=True, slots=True)
class Format:
    """One format: ``head`` before the events, ``separator`` between, ``end`` behind.

    ``with_off`` includes withdrawn events. With ``series`` a series stands in place of its events.
    """

    suffix: str
    head: Callable[[Feed], bytes]
    item: Callable[[ReadEvent, Stamp, Feed], bytes]
    series: Callable[[Sequence[tuple[ReadEvent, Stamp]], FeedSeries, Feed], bytes] | None = None
    separator: bytes = b""
    end: bytes = b""
    with_off: bool = False
    disposition: str = "inline"

    @property
    def media_type(self) -> str:
        return FEED_TYPES[self.suffix]


ICALENDAR = Format(
    "ics",
    icalendar_feed.head,
    icalendar_feed.item,
    icalendar_feed.series,
    end=icalendar_feed.END,
    with_off=True,
)
ATOM = Format("atom", atom.head, atom.item, end=atom.END)
GEOJSON = Format(
    "geojson", geojson.head, geojson.item, separator=geojson.SEPARATOR, end=geojson.END
)
CSV = Format("csv", table.head, table.item, disposition="attachment")
