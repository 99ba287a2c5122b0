"""The formats of feeds, each with the type of its answer and what writes it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from calendar_app.feeds import atom, geojson, icalendar_feed, table
from calendar_app.feeds.entry import Entry
from calendar_app.feeds.feed import Feed
from calendar_app.rest.answers.feed_links import FEED_TYPES


@dataclass(frozen=True, slots=True)
class Format:
    """One format: ``head`` is what stands before the events, ``body`` the events and the end.

    ``with_off``: it tells of events that were withdrawn.
    """

    suffix: str
    head: Callable[[Feed], bytes]
    body: Callable[[Iterator[Entry]], Iterator[bytes]]
    with_off: bool = False
    disposition: str = "inline"

    @property
    def media_type(self) -> str:
        return FEED_TYPES[self.suffix]


ICALENDAR = Format("ics", icalendar_feed.head, icalendar_feed.body, with_off=True)
ATOM = Format("atom", atom.head, atom.body)
GEOJSON = Format("geojson", geojson.head, geojson.body)
CSV = Format("csv", table.head, table.body, disposition="attachment")
