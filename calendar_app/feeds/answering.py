"""Feeds as answers: streamed, with an entity tag that is known before any event is read."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from flask import Response

from calendar_app.access.policy import may_read
from calendar_app.catalogue.feeds.survey import Selection
from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import slugify
from calendar_app.errors import NoSuchPage
from calendar_app.feeds.entry import entry
from calendar_app.feeds.feed import Feed
from calendar_app.feeds.formats import ICALENDAR, Format
from calendar_app.query.window import Listing
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.routes import OTHERS
from calendar_app.rest.answers.answering import label
from calendar_app.rest.answers.conditional import heed_conditions, tag
from calendar_app.rest.lists.filtering import Wanted
from calendar_app.rest.lists.paging import repeated
from calendar_app.rest.request import current
from calendar_app.rest.views import records

_SENT_AT_ONCE = 1 << 15  # bytes
_PLAIN = re.compile(r"[a-z0-9-]{1,100}")


class Streamed(Response):
    """An answer that is never held as a whole."""

    implicit_sequence_conversion = False


def answer_feed(kind: Format, wanted: Wanted) -> Response:
    """Answer with all events that were asked for, as far as one feed goes."""
    listing = wanted.listing
    feeds = current.services().feeds
    selection = feeds.select(EVENT, listing, current.caller(), with_off=kind.with_off)
    number = listing.window.number
    if number > 1 and not len(selection):
        raise NoSuchPage(EVENT.singular)
    feed = _feed(kind, selection, listing)
    head = kind.head(feed)
    return _answered(kind, feed, head, chain([head], kind.body(feed.entries(feeds))))


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
    text = kind.head(feed) + b"".join(kind.body(iter([only])))
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


def _answered(kind: Format, feed: Feed, head: bytes, pieces: Iterator[bytes]) -> Response:
    response = Streamed(_gathered(pieces), content_type=f"{kind.media_type}; charset=utf-8")
    response.headers["Content-Disposition"] = _disposition(slugify(feed.title), kind)
    if feed.following:
        response.headers.add("Link", f'<{feed.following}>; rel="next"')
        response.headers["X-Feed-Truncated"] = str(len(feed.selection))
    # Whoever reads the same selection later may be sent an event that was changed meanwhile.
    response.set_etag(feed.entity_tag(head), weak=True)
    heed_conditions(response)
    return label(response)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces together, since to send each by itself takes longer than to make it."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _SENT_AT_ONCE:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


def _disposition(name: str, kind: Format) -> str:
    """Return what to call a file; not all programs understand names beyond ASCII."""
    plain_name = name if _PLAIN.fullmatch(name) else EVENT.name
    return f'{kind.disposition}; filename="{plain_name}.{kind.suffix}"'
