"""Views of the calendar: lists by day, as cards or by place; ``tables.py`` has those by date."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from flask import abort
from marshmallow import ValidationError

from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.nodes import Node, document
from calendar_app.domain.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.fragments import digest
from calendar_app.readmodel.records import LocalText
from calendar_app.site.pages.choices import OF_DATES, wider
from calendar_app.site.pages.events import read_events
from calendar_app.site.pages.places import Place, day_in_field
from calendar_app.site.pages.questions import PageQuery, Question, load
from calendar_app.storage.query.list_query import Page, Window

# The question of a view, and what its template shows.
Filled = tuple[Question, dict[str, Any]]
_MISSING = 404
# Some twenty sheets of paper.
MOST_PRINTED = 200


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page of a list stands, and its neighbors."""

    number: int
    pages: int
    total: int
    earlier: str
    later: str


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """The events at one venue."""

    name: LocalText
    point: tuple[float, float] | None
    events: Sequence[ReadEvent]


def fill_list(page_query: PageQuery, place: Place) -> Filled:
    """Return one page of a list, by day."""
    question, context = page_query.question(), page_query.context
    if question.listing is None:
        return question, {
            **dict.fromkeys(("events", "groups", "over", "wider"), ()),
            **dict.fromkeys(("paging", "next_event", "results_version", "item_list")),
        }
    page = context.reader.search(EVENT, question.listing, context.caller)
    if not page.items and page.window.number > max(page.pages, 1):
        abort(_MISSING)
    events = read_events(page.items)
    return question, {
        "events": events,
        "over": over(context, events),
        "groups": _by_day(events, question),
        "results_version": _version(events),
        "paging": _paging(page, question, place, page_query.today),
        "next_event": None if events else next_event(context, question, page_query.today),
        "wider": () if events else wider(page_query, question, place),
        "item_list": _item_list(events),
    }


def _item_list(events: Sequence[ReadEvent]) -> Node | None:
    """Return the list as search engines read it, each event by its page; ``None`` without any."""
    entries = [
        {"@type": "ListItem", "position": number, "url": event.url}
        for number, event in enumerate(events, 1)
    ]
    return document({"@type": "ItemList", "itemListElement": entries}) if entries else None


def fill_programme(page_query: PageQuery, _place: Place) -> Filled:
    """Return all events of a list, as far as paper has room, by day."""
    question, context = page_query.question(whole=True), page_query.context
    if question.listing is None:
        return question, {"events": (), "groups": (), "total": 0}
    listing = replace(question.listing, window=Window(1, MOST_PRINTED))
    page = context.reader.search(EVENT, listing, context.caller)
    events = read_events(page.items)
    return question, {
        "events": events,
        "groups": _by_day(events, question),
        "total": page.total,
        "results_version": _version(events),
        "printed_on": page_query.today,
    }


def over(context: Context, events: Iterable[ReadEvent]) -> tuple[int, ...]:
    """Return which of the events have ended today."""
    minute, day = context.minute(), context.today().date()
    return tuple(
        [each.id for each in events if each.days[1] == day and each.record["end"] <= minute]
    )


def _version(events: Sequence[ReadEvent]) -> bytes | None:
    """Return a digest of all that is read of events, if there are any that are kept."""
    versions = [event.version or b"" for event in events]
    return digest(b"".join(versions).hex()) if versions and all(versions) else None


def fill_map(page_query: PageQuery, place: Place) -> Filled:
    """Return one page of a list, by place."""
    question, content = fill_list(page_query, place)
    events: list[ReadEvent] = content["events"]
    by_place: dict[tuple[str, Any], list[ReadEvent]] = {}
    for event in events:
        by_place.setdefault((event.where.text, event.point), []).append(event)
    places = [PlaceGroup(group[0].where, point, group) for (_, point), group in by_place.items()]
    return question, content | {"places": places}


def next_event(context: Context, question: Question, day: date) -> ReadEvent | None:
    """Return the first event after a day that the other filters select."""
    filters = {name: value for name, value in question.filters.items() if name not in OF_DATES}
    later = {**filters, "starts_after": day.isoformat(), "per_page": 1}
    try:
        listing = load(later).listing
    except ValidationError:
        return None
    events = read_events(context.reader.search(EVENT, listing, context.caller).items)
    return events[0] if events else None


def _by_day(
    events: Sequence[ReadEvent], question: Question
) -> list[tuple[date | None, list[ReadEvent]]]:
    """Return events by the day on which they start, where they are in that order.

    What has begun before the first day that was asked for stands under that day.
    """
    if not question.is_by_day:
        return [(None, list(events))] if events else []
    first_day = day_in_field(question.sent.get("overlaps_from", ""))
    first = date.fromisoformat(first_day) if first_day else date.min
    by_day = groupby(events, key=lambda event: max(event.days[0], first))
    return [(day, list(group)) for day, group in by_day]


def _paging(page: Page, question: Question, place: Place, today: date) -> Paging:
    """Return the neighboring pages; past events lie before the first one, latest first."""
    number, total = page.window.number, page.total
    pages = max(page.pages, 1)
    following = place.having(page=str(number + 1)).address() if number < pages else ""
    previous = _numbered(place, number - 1) if number > 1 else ""
    if question.sent.get("order", "").lower() == "desc":
        return Paging(
            number, pages, total, following, previous or place.without(*OF_DATES).address()
        )
    if not previous and not OF_DATES & question.sent.keys():
        yesterday = today - timedelta(days=1)
        past = place.having(ends_before=yesterday.isoformat(), order="desc")
        previous = past.address()
    return Paging(number, pages, total, previous, following)


def _numbered(place: Place, number: int) -> str:
    page = place.having(page=str(number)) if number > 1 else place.without("page")
    return page.address()
