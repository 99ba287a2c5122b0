"""The views that show one page of a list: by day, as cards, or by place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from flask import abort
from marshmallow import ValidationError

from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.pages.events import read_events
from calendar_app.pages.links import Place
from calendar_app.pages.questions import Question, ask, load
from calendar_app.query.list_query import Page
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText
from calendar_app.resources.events.filters import RELATIVE

_DATES = {"start_date", "end_date", *RELATIVE, "page", "order", "orderby", "include"}
_SORTED_BY_START = ("", "start_date")
_MISSING = 404


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page of a list stands, and its neighbours."""

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


def fill(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    """Return one page of a list, by day."""
    question = ask(fixed)
    if question.listing is None:
        return question, {"events": [], "groups": [], "paging": None, "next_event": None}
    page = current.reader().search(EVENT, question.listing, current.caller())
    if not page.items and page.window.number > max(page.pages, 1):
        abort(_MISSING)
    events = read_events(page.items)
    return question, {
        "events": events,
        "groups": _by_day(events, question),
        "paging": _paging(page, question, place),
        "next_event": None if events else next_event(question, today()),
    }


def fill_map(place: Place, fixed: Mapping[str, Any]) -> tuple[Question, dict[str, Any]]:
    """Return one page of a list, by place."""
    question, content = fill(place, fixed)
    events: list[ReadEvent] = content["events"]
    by_place: dict[tuple[str, Any], list[ReadEvent]] = {}
    for event in events:
        by_place.setdefault((event.where.text, event.point), []).append(event)
    places = [PlaceGroup(group[0].where, point, group) for (_, point), group in by_place.items()]
    return question, content | {"places": places}


def today() -> date:
    """Return the present day in the zone of the site."""
    return current.today().astimezone(current.site_zone()).date()


def next_event(question: Question, day: date) -> ReadEvent | None:
    """Return the first event after a day that the other filters select."""
    filters = {name: value for name, value in question.filters.items() if name not in _DATES}
    later = {**filters, "starts_after": day.isoformat(), "per_page": 1}
    try:
        listing = load(later).listing
    except ValidationError:
        return None
    found = current.reader().search(EVENT, listing, current.caller()).items
    return read_events(found)[0] if found else None


def _by_day(
    events: Sequence[ReadEvent], question: Question
) -> list[tuple[date | None, list[ReadEvent]]]:
    """Return events by the day on which they start, where they are in that order."""
    if question.sent.get("orderby", "") not in _SORTED_BY_START:
        return [(None, list(events))] if events else []
    return [(day, list(group)) for day, group in groupby(events, key=lambda event: event.days[0])]


def _paging(page: Page, question: Question, place: Place) -> Paging:
    """Return the neighbouring pages; past events lie before the first one, latest first."""
    number, total = page.window.number, page.total
    pages = max(page.pages, 1)
    following = place.having(page=str(number + 1)).address() if number < pages else ""
    previous = _numbered(place, number - 1) if number > 1 else ""
    if question.sent.get("order", "").lower() == "desc":
        return Paging(number, pages, total, following, previous or place.without(*_DATES).address())
    if not previous and not _DATES & question.sent.keys():
        yesterday = today() - timedelta(days=1)
        past = place.having(ends_before=yesterday.isoformat(), order="desc")
        previous = past.address()
    return Paging(number, pages, total, previous, following)


def _numbered(place: Place, number: int) -> str:
    page = place.having(page=str(number)) if number > 1 else place.without("page")
    return page.address()
