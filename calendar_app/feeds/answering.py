"""Feeds as answers, with an entity tag that is known before any event is rendered."""

import re
from http import HTTPStatus
from os import SEEK_END
from typing import IO

from flask import Response
from werkzeug.wsgi import FileWrapper

from calendar_app.accounts.policy import may_read
from calendar_app.calendar.feeds.contents import FeedReader
from calendar_app.calendar.feeds.survey import Selection
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import slugify
from calendar_app.errors import NoSuchPage
from calendar_app.feeds.entry import entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.formats import ICALENDAR, Format
from calendar_app.feeds.making import IN_MEMORY, write_feed
from calendar_app.http.answers.answering import label
from calendar_app.http.answers.conditional import heed_conditions, tag
from calendar_app.http.lists.filtering import Wanted
from calendar_app.http.lists.paging import repeated
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.query.list_query import Listing
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.routes import OTHERS

_SENT_AT_ONCE = 1 << 15  # bytes
_MEGABYTE = 1 << 20
_PLAIN = re.compile(r"[a-z0-9-]{1,100}")


class Streamed(Response):
    """A response whose body may be a file."""

    implicit_sequence_conversion = False


def answer_feed(kind: Format, wanted: Wanted) -> Response:
    """Answer with all events that were asked for, as far as one feed goes."""
    listing = wanted.listing
    feeds = current.services().feeds
    reader = FeedReader(current.caller(), records.view({}).password)
    selection = feeds.select(EVENT, listing, reader, with_off=kind.with_off)
    number = listing.window.number
    if number > 1 and not len(selection):
        raise NoSuchPage(EVENT.singular)
    feed = _feed(kind, selection, listing)
    return _answered(kind, feed)


def answer_event(sent: Record) -> Response:
    """Answer with the one event that the path names, if the caller may read it.

    For who has it in their calendar, one that is withdrawn goes on for a while as being off.
    """
    record, off = _event(sent.get("password"))
    view = records.view(current.reader().linked([record], current.caller()))
    feeds = current.services().feeds
    selection = feeds.selected([record])
    kind = ICALENDAR
    name = f"{EVENT.name}/{record['_id']}"
    feed = Feed(name, kind.suffix, feeds.identity(), repeated(), selection, view)
    only = entry(record, view, feed.calendar, off=off)
    text = kind.head(feed) + kind.item(only) + kind.end
    response = Response(text, content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(only.shown["slug"], kind)
    return tag(label(response))


def _event(password: str | None) -> tuple[Record, bool]:
    """Return the event as the caller may see it, and whether it is off."""
    record, feeds = records.existing(EVENT, OTHERS), current.services().feeds
    caller, reader = current.caller(), current.reader()
    was = feeds.last_public(record)
    if was is None or may_read(caller, record):
        reader.admit(EVENT, record, caller, password)
        return record, False
    reader.admit(EVENT, was, caller, password)
    return was, True


def _feed(kind: Format, selection: Selection, listing: Listing) -> Feed:
    view, number = records.view({}), listing.window.number
    asked = repeated()
    following = ""
    if selection.more:
        pages = asked | {"page": str(number + 1)}
        following = view.addresses.feed(EVENT.name, kind.suffix, pages)
    calendar = current.services().feeds.identity()
    here = asked | ({"page": str(number)} if number > 1 else {})
    return Feed(EVENT.name, kind.suffix, calendar, here, selection, view, following)


def _answered(kind: Format, feed: Feed) -> Response:
    response = Streamed(content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(slugify(feed.title), kind)
    if feed.following:
        response.headers.add("Link", f'<{feed.following}>; rel="next"')
        response.headers["X-Feed-Truncated"] = str(len(feed.selection))
    head = kind.head(feed)
    # It may change with what this format does not show.
    response.set_etag(feed.entity_tag(head), weak=True)
    heed_conditions(response)
    size = 0
    if response.status_code == HTTPStatus.OK:
        file = write_feed(kind, feed, current.services().feeds, head)
        size = file.seek(0, SEEK_END)
        _send(response, file, size)
    exchange = current.exchange()
    exchange.cluster_time = current.reader().cluster_time()
    # All that is kept must not go for a single feed.
    room = current.settings().remember_answers * _MEGABYTE // 2
    exchange.to_be_kept = exchange.may_be_kept and size <= room
    return label(response)


def _send(response: Response, file: IO[bytes], size: int) -> None:
    """Make a file the body, a large one without holding it in memory."""
    file.seek(0)
    if size > IN_MEMORY:
        response.response = FileWrapper(file, _SENT_AT_ONCE)
        response.direct_passthrough = True
        response.content_length = size
    else:
        with file:
            response.set_data(file.read())


def _disposition(name: str, kind: Format) -> str:
    """Return what to call a file; not all programs understand names beyond ASCII."""
    plain_name = name if _PLAIN.fullmatch(name) else EVENT.name
    return f'{kind.disposition}; filename="{plain_name}.{kind.suffix}"'
