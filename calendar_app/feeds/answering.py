"""Answers feeds: their parameters, their rendering from cached fragments, their responses."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import wraps
from http import HTTPStatus
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from flask import Response
from werkzeug.wsgi import FileWrapper

from calendar_app.accounts.limits import client_of
from calendar_app.accounts.policy import may_read
from calendar_app.api.http.answers.answering import (
    add_common_headers,
    encode,
    make_conditional,
    set_etag,
    settled_encoding,
)
from calendar_app.api.http.fields.scalars import Flag, OneOf
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.lists.paging import link_parameters
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.guarding import existing
from calendar_app.api.http.views.records import LockedReadSchema
from calendar_app.api.http.views.resource_view import in_snapshot
from calendar_app.api.resources.events.filters import RELATIVE, EventListSchema
from calendar_app.api.resources.events.routes import OTHER_KINDS
from calendar_app.calendar.pace import Pace
from calendar_app.calendar.reading.feed_contents import FeedReader, Feeds
from calendar_app.calendar.reading.feed_series import Item
from calendar_app.calendar.reading.provenance import UNKNOWN
from calendar_app.calendar.reading.slots import FeedSlots
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.slugs import slugify
from calendar_app.errors import NoSuchPage
from calendar_app.feeds.feed import Feed, Format
from calendar_app.feeds.icalendar_feed import FLAT_ICALENDAR, ICALENDAR
from calendar_app.feeds.naming import subject_of
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.fragments import FragmentCache
from calendar_app.settings import Settings
from calendar_app.storage.query.list_query import Window

_BACK = timedelta(days=30)
RECURRENCE = "recurrence"
RECURRENCES = RULES, FLAT = "rules", "flat"
_OPENING = ("start_date", *RELATIVE, "include")


class FeedSchema(EventListSchema):
    """Parameters of a feed; ``per_page`` defaults to the limit of feeds."""

    def default_bounds(self, values: Record, context: Context) -> Record:
        """Return the default window: from 30 days ago, without an end."""
        if any(name in values for name in _OPENING):
            return {}
        first = context.today().replace(tzinfo=None) - _BACK
        return {"overlaps_from": datetime.combine(first, time.min)}

    def page_window(self, values: Record, settings: Settings) -> Window:
        """Return the requested page."""
        limit = settings.feed_limit
        return Window(values["page"], min(values.get("per_page", limit), limit))


def _recurrence() -> OneOf:
    return OneOf(
        RECURRENCES,
        description="rules: a series once, with its rule. flat: one event for each date.",
        finds_locked=True,
    )


class ICalendarSchema(FeedSchema):
    """Parameters of a list as iCalendar."""

    recurrence = _recurrence()


class EventFileSchema(LockedReadSchema):
    """Parameters of one event as iCalendar."""

    recurrence = _recurrence()


def icalendar_format(context: Context, usual: str = RULES) -> Format:
    """Return the form of iCalendar that a request asks for; the ``usual`` one unless it says so."""
    asked = context.parameters.get(RECURRENCE) or usual
    return FLAT_ICALENDAR if asked == FLAT else ICALENDAR


class TableSchema(FeedSchema):
    """Parameters of a table."""

    bom = Flag(
        description="Whether it begins with a byte order mark, as Excel needs; false by default.",
        finds_locked=True,
    )


# Rendering of feeds from cached fragments, before the first byte is sent.
#
# A slow client then occupies neither the database nor a slot.

_BATCH_SIZE = 100  # events
IN_MEMORY = 1 << 22  # bytes; a larger feed is written to a temporary file


def in_slot(view: Callable[..., Response]) -> Callable[..., Response]:
    """Run a view in a slot for feeds, in one snapshot."""
    return _in_slot_of(lambda feeds: feeds.slots, view)


def in_graph_slot(view: Callable[..., Response]) -> Callable[..., Response]:
    """Run a view in a slot for graphs of all records, in one snapshot."""
    return _in_slot_of(lambda feeds: feeds.graph_slots, view)


def _in_slot_of(
    slots_of: Callable[[Feeds], FeedSlots], view: Callable[..., Response]
) -> Callable[..., Response]:
    @wraps(view)
    def run(*args: Any, **kwargs: Any) -> Response:
        context = current.context()
        slots = slots_of(context.services.feeds)
        with slots.slot(client_of(_address(context))):
            return in_snapshot(lambda: view(*args, **kwargs))

    return run


def write_feed(
    kind: Format, feed: Feed, feeds: Feeds, head: bytes, cache: FragmentCache
) -> IO[bytes]:
    """Return a file with the whole feed."""
    with ExitStack() as files:
        file = files.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))
        file.write(head)
        separator = b""
        for fragment in _fragments(kind, feed, feeds, cache):
            file.write(separator)
            file.write(fragment)
            separator = kind.separator
        file.write(kind.end)
        # Its response closes it.
        files.pop_all()
        return file


def _fragments(kind: Format, feed: Feed, feeds: Feeds, cache: FragmentCache) -> Iterator[bytes]:
    """Yield the events in order, rendered or from the cache."""
    pace, items, view_key = Pace(), feed.selection.items, feed.view_key()
    # Each guessed password would add a view to the cache.
    keeps = feed.context.password is None
    for first in range(0, len(items), _BATCH_SIZE):
        batch = items[first : first + _BATCH_SIZE]
        keys = [view_key + item.version for item in batch]
        fragments = cache.find(keys) if keeps else {}
        missing = [item for item in batch if view_key + item.version not in fragments]
        for item, fragment in _render(kind, feed, feeds, missing):
            fragments[view_key + item.version] = fragment
            if keeps:
                cache.keep(view_key + item.version, fragment)
            pace.keep()
        pace.keep()
        yield from (fragments[key] for key in keys if key in fragments)


def _render(
    kind: Format, feed: Feed, feeds: Feeds, items: Sequence[Item]
) -> Iterator[tuple[Item, bytes]]:
    if not items:
        return
    contents = feeds.read(EVENT, feed.selection, items, feed.context.caller)
    context = replace(feed.context, linked=contents.linked, provenance=contents.provenance)
    for item, record in contents.events.items():
        (stamp,) = item.stamps
        yield item, kind.item(ReadEvent(record, context, is_withdrawn=item.off), stamp, feed)
    for item, selected in contents.series.items():
        events_of_series = [ReadEvent(record, context) for record in selected.records]
        stamped = list(zip(events_of_series, item.stamps, strict=True))
        if kind.series:
            yield item, kind.series(stamped, selected, feed)


# Feed responses, with an entity tag computed before rendering.

_CHUNK_SIZE = 1 << 15  # bytes
_PLAIN = re.compile(r"[a-z0-9-]{1,100}")


class Streamed(Response):
    """A response that may stream a file."""

    implicit_sequence_conversion = False


def answer_feed(kind: Format, list_request: ListRequest) -> Response:
    """Answer the requested events, up to the limit of feeds."""
    context, listing = current.context(), list_request.listing
    require_room(context, may_be_unchanged=has_version(context))
    feeds, reading = context.services.feeds, records.read_context({})
    reader = FeedReader(context.caller, reading.password)
    selection = feeds.select(
        EVENT, listing, reader, with_off=kind.with_off, in_series=kind.series is not None
    )
    number = listing.window.number
    if number > 1 and not len(selection):
        raise NoSuchPage(EVENT.singular)
    parameters = link_parameters(context)
    next_url = ""
    if selection.more:
        next_parameters = parameters | {"page": str(number + 1)}
        next_url = reading.addresses.feed(EVENT.name, kind.suffix, next_parameters)
    own_parameters = parameters | ({"page": str(number)} if number > 1 else {})
    feed = Feed(
        EVENT.name,
        kind.suffix,
        feeds.identity(),
        own_parameters,
        selection,
        reading,
        next_url,
        subject_of(context, list_request),
        kind.one_by_one,
    )
    return _feed_response(kind, feed, context)


def answer_event(sent: Record, kind: Format) -> Response:
    """Answer the event of the path as iCalendar of this form, if the caller may read it.

    A withdrawn event stays for a while as canceled, for its subscribers.
    """
    context = current.context()
    record, is_withdrawn = _readable(existing(EVENT, OTHER_KINDS), sent.get("password"), context)
    linked = context.reader.linked([record], context.caller)
    provenance = context.reader.provenance.of([record], context.caller)
    reading = records.read_context(linked, provenance=provenance)
    reader = FeedReader(context.caller, reading.password)
    feeds, content = context.services.feeds, {} if is_withdrawn else linked
    selection = feeds.selected(record, content, reader, UNKNOWN if is_withdrawn else provenance)
    name = f"{EVENT.name}/{record['_id']}"
    feed = Feed(
        name,
        kind.suffix,
        feeds.identity(),
        link_parameters(context),
        selection,
        reading,
        one_by_one=kind.one_by_one,
    )
    event = ReadEvent(record, reading, is_withdrawn=is_withdrawn)
    (stamp,) = selection.items[0].stamps
    text = kind.head(feed) + kind.item(event, stamp, feed) + kind.end
    response = Response(text, content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(event.shown_slug, kind)
    response.last_modified = stamp.changed
    return set_etag(add_common_headers(response))


def _readable(record: Record, password: str | None, context: Context) -> tuple[Record, bool]:
    """Return the event as the caller may read it, and whether it is withdrawn."""
    last_public = context.services.feeds.last_public(record)
    is_withdrawn = last_public is not None and not may_read(context.caller, record)
    readable = last_public if last_public is not None and is_withdrawn else record
    context.reader.require_readable(EVENT, readable, context.caller, password)
    return readable, is_withdrawn


def _feed_response(kind: Format, feed: Feed, context: Context) -> Response:
    response = Streamed(content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(slugify(feed.title), kind)
    if feed.next_url:
        response.headers.add("Link", f'<{feed.next_url}>; rel="next"')
        response.headers["X-Feed-Truncated"] = str(len(feed.selection))
    head = kind.head(feed)
    # Weak, since it also changes with fields that this format omits.
    tag, now = feed.entity_tag(head), context.services.clock()
    response.set_etag(tag, weak=True)
    response.last_modified = context.services.feeds.versions.since(feed.key, tag, now)
    make_conditional(response)
    if not is_of_client(response, context):
        claim_room(context, len(feed.selection))
    size = 0
    if response.status_code == HTTPStatus.OK:
        file = write_feed(kind, feed, context.services.feeds, head, context.services.fragments)
        size = file.seek(0, SEEK_END)
        _send(response, file, size)
        if not response.direct_passthrough:
            encode(response, settled_encoding(response))
    exchange = context.exchange
    exchange.edition = context.reader.edition()
    # What is too large to be kept is sent in pieces.
    exchange.is_cached = exchange.is_cacheable and size < context.services.cache_memory.largest
    return add_common_headers(response)


# What is made anew for an address, and is neither kept nor unchanged, is limited.


def require_room(context: Context, *, may_be_unchanged: bool = False) -> None:
    """Raise ``TooManyReads`` where enough feeds were made for the address of a stranger."""
    rate = context.services.feed_rate
    if rate and not context.caller.known:
        rate.require_room(_address(context), may_be_unchanged=may_be_unchanged)


def count_events(context: Context, events: int) -> None:
    """Count events that are made for the address of a stranger."""
    rate = context.services.feed_rate
    if rate and not context.caller.known:
        rate.count(_address(context), events)


def claim_room(context: Context, events: int) -> None:
    try:
        require_room(context)
    finally:  # Whoever tries with invented versions has had them looked for.
        count_events(context, events)


def _address(context: Context) -> str:
    return context.request.remote_addr or ""


def has_version(context: Context) -> bool:
    """Return whether a client says which version it has."""
    tags = context.request.if_none_match
    return (bool(tags) and not tags.star_tag) or context.request.if_modified_since is not None


def is_of_client(response: Response, context: Context) -> bool:
    """Return whether the version is the one that the client says it has, neither all nor later."""
    request = context.request
    if response.status_code != HTTPStatus.NOT_MODIFIED:
        return False
    if request.if_none_match:
        return not request.if_none_match.star_tag
    return request.if_modified_since == response.last_modified


def answer_file(file: IO[bytes], media_type: str, tag: str) -> Response:
    """Answer a file that is written, unless the client has it."""
    response = _conditional(media_type, tag)
    if response.status_code == HTTPStatus.OK:
        _send(response, file, file.seek(0, SEEK_END))
    else:
        file.close()
    return response


def answer_unchanged(media_type: str, tag: str) -> Response | None:
    """Return an answer without a body, where the client has this entity tag."""
    response = _conditional(media_type, tag)
    return response if response.status_code == HTTPStatus.NOT_MODIFIED else None


def _conditional(media_type: str, tag: str) -> Response:
    response = Streamed(content_type=media_type)
    # Weak, since it is the same however the body is compressed.
    response.set_etag(tag, weak=True)
    make_conditional(response)
    return response


def _send(response: Response, file: IO[bytes], size: int) -> None:
    """Set a file as the body; stream a large one."""
    file.seek(0)
    if size > IN_MEMORY:
        response.response = FileWrapper(file, _CHUNK_SIZE)
        response.direct_passthrough = True
        response.content_length = size
    else:
        with file:
            response.set_data(file.read())


def _disposition(name: str, kind: Format) -> str:
    """Return a file name in ASCII, which all clients understand."""
    plain_name = name if _PLAIN.fullmatch(name) else EVENT.name
    return f'{kind.disposition}; filename="{plain_name}.{kind.suffix}"'
