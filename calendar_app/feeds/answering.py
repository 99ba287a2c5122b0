"""Feed responses, with an entity tag computed before rendering."""

import re
from http import HTTPStatus
from os import SEEK_END
from typing import IO

from flask import Response
from werkzeug.wsgi import FileWrapper

from calendar_app.accounts.policy import may_read
from calendar_app.calendar.feeds.contents import FeedReader
from calendar_app.calendar.feeds.series import Selection
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import slugify
from calendar_app.errors import NoSuchPage
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.formats import ICALENDAR, Format
from calendar_app.feeds.making import IN_MEMORY, write_feed
from calendar_app.http.answers.answering import add_common_headers, make_conditional, set_etag
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.lists.paging import link_parameters
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.guarding import existing
from calendar_app.kinds import EVENT
from calendar_app.query.list_query import Listing
from calendar_app.readmodel.events import ReadEvent
from calendar_app.resources.events.routes import OTHER_KINDS

_CHUNK_SIZE = 1 << 15  # bytes
_MEGABYTE = 1 << 20
_PLAIN = re.compile(r"[a-z0-9-]{1,100}")


class Streamed(Response):
    """A response that may stream a file."""

    implicit_sequence_conversion = False


def answer_feed(kind: Format, list_request: ListRequest) -> Response:
    """Answer the requested events, up to the limit of feeds."""
    listing = list_request.listing
    feeds = current.services().feeds
    reader = FeedReader(current.caller(), records.read_context({}).password)
    selection = feeds.select(
        EVENT, listing, reader, with_off=kind.with_off, in_series=kind.series is not None
    )
    number = listing.window.number
    if number > 1 and not len(selection):
        raise NoSuchPage(EVENT.singular)
    feed = _feed(kind, selection, listing)
    return _feed_response(kind, feed)


def answer_event(sent: Record) -> Response:
    """Answer the event of the path, if the caller may read it.

    A withdrawn event stays for a while as canceled, for its subscribers.
    """
    record, is_withdrawn = _event(sent.get("password"))
    caller = current.caller()
    context = records.read_context(current.reader().linked([record], caller))
    feeds = current.services().feeds
    linked = {} if is_withdrawn else context.linked
    selection = feeds.selected(record, linked, FeedReader(caller, context.password))
    kind = ICALENDAR
    name = f"{EVENT.name}/{record['_id']}"
    feed = Feed(name, kind.suffix, feeds.identity(), link_parameters(), selection, context)
    event = ReadEvent(record, context, is_withdrawn=is_withdrawn)
    (stamp,) = selection.items[0].stamps
    text = kind.head(feed) + kind.item(event, stamp, feed) + kind.end
    response = Response(text, content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(event.shown_slug, kind)
    return set_etag(add_common_headers(response))


def _event(password: str | None) -> tuple[Record, bool]:
    """Return the event for the caller, and whether it is withdrawn."""
    record, feeds = existing(EVENT, OTHER_KINDS), current.services().feeds
    caller, reader = current.caller(), current.reader()
    last_public = feeds.last_public(record)
    if last_public is None or may_read(caller, record):
        reader.require_readable(EVENT, record, caller, password)
        return record, False
    reader.require_readable(EVENT, last_public, caller, password)
    return last_public, True


def _feed(kind: Format, selection: Selection, listing: Listing) -> Feed:
    context, number = records.read_context({}), listing.window.number
    parameters = link_parameters()
    next_url = ""
    if selection.more:
        next_parameters = parameters | {"page": str(number + 1)}
        next_url = context.addresses.feed(EVENT.name, kind.suffix, next_parameters)
    calendar = current.services().feeds.identity()
    own_parameters = parameters | ({"page": str(number)} if number > 1 else {})
    return Feed(EVENT.name, kind.suffix, calendar, own_parameters, selection, context, next_url)


def _feed_response(kind: Format, feed: Feed) -> Response:
    response = Streamed(content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(slugify(feed.title), kind)
    if feed.next_url:
        response.headers.add("Link", f'<{feed.next_url}>; rel="next"')
        response.headers["X-Feed-Truncated"] = str(len(feed.selection))
    head = kind.head(feed)
    # Weak, since it also changes with fields that this format omits.
    response.set_etag(feed.entity_tag(head), weak=True)
    make_conditional(response)
    size = 0
    if response.status_code == HTTPStatus.OK:
        file = write_feed(kind, feed, current.services().feeds, head)
        size = file.seek(0, SEEK_END)
        _send(response, file, size)
    exchange = current.context().exchange
    exchange.cluster_time = current.reader().cluster_time()
    # One feed may take half of the cache at most.
    capacity = current.settings().remember_answers * _MEGABYTE // 2
    exchange.is_cached = exchange.is_cacheable and size <= capacity
    return add_common_headers(response)


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
