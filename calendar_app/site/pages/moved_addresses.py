"""Where the addresses of pages of The Events Calendar lead here.

A site that has moved is linked by them: in menus, in other sites and in search engines. Each is
redirected for good to the page that shows the same. Rule: docs/reference/moved-addresses.md.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import quote, urlencode

from flask import Response

from calendar_app.api.http.lists.paging import as_query_text
from calendar_app.api.http.request.current import Context
from calendar_app.domain.slugs import path_as_slug
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
    find_term,
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
# Segments at the end of a path, and the parameter that says the same.
_ENDINGS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("feed", "rss2", "rss", "rdf"), ("feed", "rss2")),
    "atom": ("feed", "atom"),
    "ical": ("ical", "1"),
    "featured": ("featured", "true"),
}


def moved_address(context: Context) -> Response | None:
    """Redirect an address of The Events Calendar's pages; ``None`` for all others."""
    asking = context.request
    if asking.method not in ("GET", "HEAD"):
        return None
    segments = [segment for segment in asking.path.split("/") if segment]
    if segments[:1] in ([], ["events"]):
        return _moved_calendar(context, segments)
    if segments[0] in (*RECORDS.values(), "series"):
        return _moved_feed(context, segments)
    return None


def _moved_calendar(context: Context, segments: Sequence[str]) -> Response | None:
    sent = context.request.args
    if not segments and (page := _page_of_record(context)):
        return moved(page)
    behind = _read_endings(segments)
    words = [*behind.words, *(sent[name] for name in VIEW_NAMES if name in sent)]
    is_type = not segments and sent.get(_TYPE) == _EVENTS and "p" not in sent
    if not (behind.is_there or is_type) and _NAMES.isdisjoint(sent):
        return None
    scope = read_scope(behind.path[1:])
    if scope is None or (behind.is_there and _is_term(context, segments)):
        return None
    return moved(_place(context, scope, words, behind.parameters).address())


@dataclass(frozen=True, slots=True)
class _Endings:
    """A path without what stands at its end: names of views, and what stands for parameters."""

    path: Sequence[str]
    words: Sequence[str] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    is_there: bool = False


def _read_endings(segments: Sequence[str]) -> _Endings:
    """Read ``/events/past/page/2/``, ``/list/featured/``, ``/day/2030-03-10/``, ``/feed/rss2/``."""
    path, page = list(segments), list[str]()
    match path:
        case [*_, "page", number] if number.isdecimal():
            path, page = path[:-2], path[-2:]
        case [*_, "day", text] if _day(text):
            del path[-2]
    words, parameters = list[str](), dict[str, str]()
    while path and (path[-1] in _PATHS or path[-1] in _ENDINGS):
        last = path.pop()
        if last in _PATHS:
            words.append(last)
        else:
            # The innermost one says it: ``/feed/atom/``.
            parameters.setdefault(*_ENDINGS[last])
    is_there = len(path) + len(page) < len(segments)
    return _Endings([*path, *page], words, parameters, is_there)


def _is_term(context: Context, segments: Sequence[str]) -> bool:
    """Return whether a path names a term with a slug like a word of these addresses."""
    scope = read_scope(segments[1:])
    if scope is None or not scope.taxonomy or scope.slugs[-1] != segments[-1]:
        return False
    term = find_term(context, scope.taxonomy, segments[-1])
    path = term.path(context.chain) if term else ""
    return path == path_as_slug("/".join((scope.taxonomy, *scope.slugs)))


def _moved_feed(context: Context, segments: Sequence[str]) -> Response | None:
    """Redirect the feed of a record's page; ``None`` where its address is not another one."""
    is_path = len(segments) > len(("event", "SLUG")) and segments[-1] == "ical"
    if not is_path and context.request.args.get("outlook-ical") != "1":
        return None
    path = "/".join(quote(each, safe="") for each in (segments[:-1] if is_path else segments))
    return moved(f"{PageLinks(context).home()}{path}/{_feed_query(context, ical=True)}")


def _page_of_record(context: Context) -> str:
    """Return the address of the page of one record; empty where none is named."""
    sent = context.request.args
    for name, folder in RECORDS.items():
        if slug := _slug(sent.get(name, "")):
            behind = _date_of_event(sent) if name == _EVENTS else ""
            feed = _feed_query(context, ical=bool(sent.get("ical") or sent.get("outlook-ical")))
            return f"{PageLinks(context).home()}{folder}/{quote(slug, safe='')}/{behind}{feed}"
    return ""


def _date_of_event(sent: Mapping[str, str]) -> str:
    """Return what stands behind the slug of an event: one date of its series, or all of them."""
    if any(sent.get(name) == "all" for name in VIEW_NAMES):
        return "all/"
    day = _day(sent.get("eventDate", ""))
    return f"{day.isoformat()}/" if day else ""


def _feed_query(context: Context, *, ical: bool) -> str:
    recurrence = context.request.args.get(RECURRENCE, "")
    query = [("ical", "1"), *([(RECURRENCE, recurrence)] if recurrence else [])]
    return f"?{urlencode(query)}" if ical else ""


def _place(
    context: Context, scope: Scope, words: Sequence[str], parameters: Mapping[str, str]
) -> Place:
    """Return the page of a scope, with its view from ``words``, its query from parameters."""
    # A filter may be there several times.
    texts = {name: as_query_text(value) for name, value in context.parameters.items()}
    sent = {name: text for name, text in texts.items() if text is not None}
    word = next((word for word in words if word in VIEWS), "")
    view = VIEWS.get(word) or scope.view or context.settings.default_view
    query = [(RENAMED.get(name, name), text) for name, text in sent.items() if name not in _READ]
    added = {**parameters, **(_OF_PAST if word == _PAST else {})}
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
    left_out = added.keys() | ({"page"} if "feed" in parameters else set())
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
