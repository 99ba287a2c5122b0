"""How a feed is made: whole, from fragments that are kept, before the first byte is sent.

So neither the database nor a slot waits for a slow client.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from flask import Response

from calendar_app.calendar.feeds.contents import Feeds
from calendar_app.calendar.feeds.slots import Pace
from calendar_app.calendar.feeds.survey import Item
from calendar_app.feeds.entry import entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.formats import Format
from calendar_app.http.request import current
from calendar_app.http.views.resource_view import in_snapshot
from calendar_app.resources.events.kind import EVENT

_READ_TOGETHER = 100  # events
IN_MEMORY = 1 << 22  # bytes; a larger feed is written to a temporary file


def in_slot(view: Callable[..., Response]) -> Callable[..., Response]:
    """Run a view once a slot for feeds is free, with all its reads at one moment."""

    @wraps(view)
    def run(*args: Any, **named: Any) -> Response:
        with current.services().feeds.slots.slot():
            return in_snapshot(lambda: view(*args, **named))

    return run


def write_feed(kind: Format, feed: Feed, feeds: Feeds, head: bytes) -> IO[bytes]:
    """Return a file with the whole feed."""
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - its response closes it
    file.write(head)
    separator = b""
    for fragment in _fragments(kind, feed, feeds):
        file.write(separator)
        file.write(fragment)
        separator = kind.separator
    file.write(kind.end)
    return file


def _fragments(kind: Format, feed: Feed, feeds: Feeds) -> Iterator[bytes]:
    """Yield the events in their order, and render those that are not kept."""
    pace, items, view_key = Pace(), feed.selection.items, feed.view_key()
    # Each guess at a password would be another view.
    kept = feeds.fragments if feed.view.password is None else None
    for first in range(0, len(items), _READ_TOGETHER):
        batch = items[first : first + _READ_TOGETHER]
        keys = [view_key + item.version for item in batch]
        fragments = kept.find(keys) if kept else {}
        missing = [item for item in batch if view_key + item.version not in fragments]
        for item, fragment in _rendered(kind, feed, feeds, missing):
            fragments[view_key + item.version] = fragment
            if kept:
                kept.keep(view_key + item.version, fragment)
            pace.keep()
        pace.keep()
        yield from (fragments[key] for key in keys if key in fragments)


def _rendered(
    kind: Format, feed: Feed, feeds: Feeds, items: Sequence[Item]
) -> Iterator[tuple[Item, bytes]]:
    if not items:
        return
    events, linked = feeds.read(EVENT, feed.selection, items, feed.view.caller)
    # What is presented once is kept for these events only.
    view = replace(feed.view, linked=linked, made={})
    for item, event in events.items():
        yield item, kind.item(entry(event, view, feed.calendar, off=item.off))
