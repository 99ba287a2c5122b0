"""Rendering of feeds from cached fragments, before the first byte is sent.

A slow client then occupies neither the database nor a slot.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from flask import Response

from calendar_app.calendar.feeds.contents import Feeds, Pace
from calendar_app.calendar.feeds.series import Item
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.formats import Format
from calendar_app.http.request import current
from calendar_app.http.views.resource_view import in_snapshot
from calendar_app.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent

_BATCH_SIZE = 100  # events
IN_MEMORY = 1 << 22  # bytes; a larger feed is written to a temporary file


def in_slot(view: Callable[..., Response]) -> Callable[..., Response]:
    """Run a view in a slot for feeds, in one snapshot."""

    @wraps(view)
    def run(*args: Any, **kwargs: Any) -> Response:
        with current.services().feeds.slots.slot():
            return in_snapshot(lambda: view(*args, **kwargs))

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
    """Yield the events in order, rendered or from the cache."""
    pace, items, view_key = Pace(), feed.selection.items, feed.view_key()
    # Each guessed password would add a view to the cache.
    cache = feeds.fragments if feed.context.password is None else None
    for first in range(0, len(items), _BATCH_SIZE):
        batch = items[first : first + _BATCH_SIZE]
        keys = [view_key + item.version for item in batch]
        fragments = cache.find(keys) if cache else {}
        missing = [item for item in batch if view_key + item.version not in fragments]
        for item, fragment in _render(kind, feed, feeds, missing):
            fragments[view_key + item.version] = fragment
            if cache:
                cache.keep(view_key + item.version, fragment)
            pace.keep()
        pace.keep()
        yield from (fragments[key] for key in keys if key in fragments)


def _render(
    kind: Format, feed: Feed, feeds: Feeds, items: Sequence[Item]
) -> Iterator[tuple[Item, bytes]]:
    if not items:
        return
    events, series, linked = feeds.read(EVENT, feed.selection, items, feed.context.caller)
    context = replace(feed.context, linked=linked)
    for item, record in events.items():
        (stamp,) = item.stamps
        yield item, kind.item(ReadEvent(record, context, is_withdrawn=item.off), stamp, feed)
    for item, selected in series.items():
        events_of_series = [ReadEvent(record, context) for record in selected.records]
        stamped = list(zip(events_of_series, item.stamps, strict=True))
        if kind.series:
            yield item, kind.series(stamped, selected, feed)
