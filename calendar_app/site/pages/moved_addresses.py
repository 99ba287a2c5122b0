"""Where the addresses of pages of The Events Calendar lead here.

A site that has moved is linked by them: in menus, in other sites and in search engines. Each is
redirected for good to the page that shows the same. Rule: docs/reference/moved-addresses.md.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from urllib.parse import quote

from flask import Response

from calendar_app.api.http.lists.paging import as_query_text
from calendar_app.api.http.request.current import Context
from calendar_app.feeds.answering import RECURRENCE
from calendar_app.site.pages.answers import moved
from calendar_app.site.pages.places import (
    DAY,
    LIST,
    MAP,
    MONTH,
    PHOTO,
    WEEK,
    PageLinks,
    Place,
    Scope,
    read_scope,
)

_DATE = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?", re.ASCII)
_BY_DATE = (MONTH, WEEK, DAY)
_PAST = "past"
# Values of ``eventDisplay``, and the views that show the same.
VIEWS: Mapping[str, str] = {
    **{view: view for view in (LIST, MONTH, WEEK, DAY, PHOTO, MAP)},
    **dict.fromkeys(("upcoming", "default", "summary", _PAST), LIST),
    "today": DAY,
}
# Parameters that are called otherwise here.
RENAMED: Mapping[str, str] = {
    "tribe-bar-search": "search",
    "tribe-bar-geoloc-lat": "geoloc_lat",
    "tribe-bar-geoloc-lng": "geoloc_lng",
    "tribe-bar-geoloc-radius": "geoloc_radius",
    "tribe_paged": "page",
    "paged": "page",
    "outlook-ical": "ical",
}
VIEW_NAMES = ("eventDisplay", "tribe_event_display")
DATE_NAMES = ("tribe-bar-date", "eventDate")
# Parameters that name one record, or a term, and the first part of its page's path.
RECORDS: Mapping[str, str] = {
    "tribe_events": "event",
    "tribe_venue": "venue",
    "tribe_organizer": "organizer",
}
_TERM = "tribe_events_cat"
_TYPE, _EVENTS = "post_type", "tribe_events"
# Parameters that do not stand in the address to which they lead.
_READ = frozenset({*VIEW_NAMES, *DATE_NAMES, *RECORDS, _TERM, _TYPE, "tribe-bar-location"})
_NAMES = frozenset({*RENAMED, *_READ}) - {_TYPE}
# What the list of past events adds: the latest first.
_OF_PAST = {"ends_before": "yesterday", "order": "desc"}
# Paths of earlier releases; they are values of ``eventDisplay`` too.
_PATHS = ("past", "upcoming", "summary")
_FEED = "feed"


def moved_address(context: Context) -> Response | None:
    """Redirect an address of The Events Calendar's pages; ``None`` for all others."""
    asking = context.request
    segments = [segment for segment in asking.path.split("/") if segment]
    if segments[:1] not in ([], ["events"]) or asking.method not in ("GET", "HEAD"):
        return None
    if not segments and (page := _page_of_record(context)):
        return moved(page)
    words = [asking.args[name] for name in VIEW_NAMES if name in asking.args]
    feed = {}
    if segments and segments[-1] == _FEED:
        segments.pop()
        feed = {_FEED: "rss2"}
    if segments and segments[-1] in _PATHS:
        words.insert(0, segments.pop())
    is_type = not segments and asking.args.get(_TYPE) == _EVENTS and "p" not in asking.args
    if not (words or feed or is_type) and _NAMES.isdisjoint(asking.args):
        return None
    scope = read_scope(segments[1:])
    return None if scope is None else moved(_place(context, scope, words, feed).address())


def _page_of_record(context: Context) -> str:
    """Return the address of the page of one record; empty where none is named."""
    sent = context.request.args
    for name, folder in RECORDS.items():
        if slug := _slug(sent.get(name, "")):
            feed = "?ical=1" if sent.get("ical") or sent.get("outlook-ical") else ""
            if feed and (recurrence := sent.get(RECURRENCE)):
                feed += f"&{RECURRENCE}={quote(recurrence, safe='')}"
            return f"{PageLinks(context).home()}{folder}/{quote(slug, safe='')}/{feed}"
    return ""


def _place(context: Context, scope: Scope, words: Sequence[str], feed: Mapping[str, str]) -> Place:
    """Return the page of a scope, with its view and query from parameters and ``words``."""
    # A filter may be there several times.
    texts = {name: as_query_text(value) for name, value in context.parameters.items()}
    sent = {name: text for name, text in texts.items() if text is not None}
    word = next((word for word in words if word in VIEWS), "")
    view = VIEWS.get(word) or scope.view or context.settings.default_view
    query = [(RENAMED.get(name, name), text) for name, text in sent.items() if name not in _READ]
    added = {**feed, **(_OF_PAST if word == _PAST else {})}
    day = next(filter(None, (_day(sent.get(name, "")) for name in DATE_NAMES)), None)
    if day and view not in _BY_DATE:
        added["ends_before" if word == _PAST else "start_date"] = day.isoformat()
    term = "/".join((scope.taxonomy, *scope.slugs)) if scope.taxonomy else ""
    if category := _slug(sent.get(_TERM, "")):
        term = f"category/{quote(category, safe='')}"
    if scope.page is not None:
        added["page"] = str(scope.page)
    shown_day = (day or scope.day) if view in _BY_DATE else None
    # Feeds have pages of another size.
    left_out = added.keys() | ({"page"} if feed else set())
    remaining = [pair for pair in query if pair[0] not in left_out]
    return Place(view, shown_day, term, (*remaining, *added.items()), links=PageLinks(context))


def _slug(text: str) -> str:
    """Return the last segment of a path; empty where that leads to another folder."""
    return text.strip("/").rpartition("/")[2].lstrip(".")


def _day(text: str) -> date | None:
    """Return a day, or the first one of a month; ``None`` where a text is neither."""
    match = _DATE.fullmatch(text)
    with suppress(ValueError):
        return date(int(match[1]), int(match[2]), int(match[3] or 1)) if match else None
    return None
