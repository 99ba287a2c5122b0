"""Pages of single records: events, venues, organizers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Response, abort

from calendar_app.accounts.policy import may_read
from calendar_app.calendar.reading.event_lists import (
    ending_by,
    on_days,
    starting_after_day,
    starting_from,
)
from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import default_window
from calendar_app.domain.slugs import dated_slug, slug_in_path, trashed
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.pages.answers import page, redirect_view
from calendar_app.pages.events import picture, read_events, search
from calendar_app.pages.feeds import event_feed, feed, wants_feed
from calendar_app.pages.languages import record_alternates
from calendar_app.pages.links import Place, record_page, unpublished_page
from calendar_app.pages.lists import today
from calendar_app.pages.series_dates import series_dates
from calendar_app.pages.subscriptions import calendar_entry, subscription
from calendar_app.presentation.json_ld import (
    Node,
    document,
    event_document,
    organization_node,
    place_node,
)
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, equals
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer, ReadVenue

PAGES: Mapping[str, Kind] = {kind.singular: kind for kind in (EVENT, VENUE, ORGANIZER)}
_HOSTS: Mapping[str, tuple[Callable[..., Any], Callable[..., Node]]] = {
    VENUE.name: (ReadVenue, place_node),
    ORGANIZER.name: (ReadOrganizer, organization_node),
}
_MISSING, _GONE, _LOCKED = 404, 410, 403
_MOST_OTHERS, _MOST_COMING = 4, 12


def show(singular: str, slug: str) -> Response:
    """Answer the page of a record, by its slug in any language."""
    kind, reader, chain = PAGES[singular], current.reader(), current.chain()
    clause = readable(kind, current.caller())
    record = reader.find_by_slug(kind, slug_in_path(slug), chain, clause)
    if record is None:
        return _moved_or_missing(kind, slug)
    if slug not in (_slug_of(record), _series_slug(record)):
        return _moved(kind, record, slug)
    return _page(kind, record, _own_address(kind, record))


def show_by_id(record_id: int) -> Response:
    """Lead to the page of a record; show one there that is not public yet."""
    for kind in PAGES.values():
        record = current.reader().find(kind, record_id)
        if record is not None:
            break
    else:
        abort(_MISSING)
    if record["status"] == TRASH:
        abort(_GONE if record.get("status_before_trash") == PUBLISH else _MISSING)
    if not may_read(current.caller(), record):
        abort(_MISSING)
    own = _own_address(kind, record)
    if record["status"] == PUBLISH and _slug_of(record) and not wants_feed():
        return redirect_view(own)
    return _page(kind, record, own)


def preview_page(event: Record) -> Response:
    """Return the page of an event as its readers will see it."""
    return _page(EVENT, event, _own_address(EVENT, event))


def _moved_or_missing(kind: Kind, slug: str) -> Response:
    """Lead from a former slug to the record; without one, the page is gone or was never there."""
    reader, chain = current.reader(), current.chain()
    present = reader.moved_to(kind, slug_in_path(slug), chain, current.caller())
    clause = readable(kind, current.caller())
    record = reader.find_by_slug(kind, present, chain, clause) if present else None
    if record is None:
        trashed_record = reader.find_by_slug(kind, trashed(slug_in_path(slug)), chain, EVERYTHING)
        was_public = (
            trashed_record is not None and trashed_record.get("status_before_trash") == PUBLISH
        )
        abort(_GONE if was_public else _MISSING)
    return _moved(kind, record, slug)


def _moved(kind: Kind, record: Record, slug: str) -> Response:
    """Lead from another slug of a record, or of its series, to the present one."""
    is_of_date = "/" in slug or dated_slug(slug)
    own = "" if is_of_date else _series_slug(record)
    language = current.language()
    return redirect_view(record_page(kind, own, language) if own else _own_address(kind, record))


def _series_slug(record: Record) -> str:
    """Return the slug of a record's series, which has the page of its next date."""
    return _slug_of(record).partition("/")[0] if "series" in record else ""


def _slug_of(record: Record) -> str:
    """Return the slug that a record has for readers of the current language."""
    texts = (record["variants"].get(tag, {}) for tag in current.chain())
    return next((text["slug"] for text in texts if text.get("slug")), "")


def _own_address(kind: Kind, record: Record) -> str:
    slug, language = _slug_of(record), current.language()
    if slug:
        return record_page(kind, slug, language)
    return unpublished_page(kind, record["_id"], language)


def _page(kind: Kind, record: Record, own: str) -> Response:
    if wants_feed():
        return event_feed(record) if kind is EVENT else feed({kind.singular: record["_id"]})
    alternates = record_alternates(kind, record)
    shared = {
        "alternates": alternates,
        "canonical": _canonical(alternates, own),
        "is_public": record["status"] == PUBLISH,
        "record": record,
    }
    if kind is EVENT:
        return _event_page(record, shared)
    return _host_page(kind, record, shared)


def _host_page(kind: Kind, record: Record, shared: Mapping[str, Any]) -> Response:
    """Return the page of a venue or an organizer, with its coming events."""
    read, describe = _HOSTS[kind.name]
    host = read(record, records.context_of(kind, [record]))
    coming = all_of([_in_window(), equals(kind.name, record["_id"])])
    events = search(coming, _MOST_COMING)
    own_filter = {kind.singular: str(record["_id"])}
    return page(
        "host.html",
        kind=kind,
        host=host,
        picture=picture(host.picture),
        json_ld=document(describe(host)),
        events=read_events(events.items),
        total=events.total,
        all_events=Place("list", query=tuple(own_filter.items())).address(),
        subscription=subscription(own_filter),
        **shared,
    )


def _event_page(record: Record, shared: Mapping[str, Any]) -> Response:
    (event,) = read_events([record])
    if event.is_locked:
        is_wrong = current.parameter("password") is not None
        return page("locked.html", _LOCKED, event=event, wrong=is_wrong, **shared)
    is_open = record["password"] is None
    return page(
        "event.html",
        event=event,
        picture=picture(event.picture),
        json_ld=event_document(event) if is_open else None,
        entry=calendar_entry(event),
        series=series_dates(event),
        **_others(event),
        **shared,
    )


def _others(event: ReadEvent) -> dict[str, Any]:
    """Return other dates of the series, other events of the day, and next events there."""
    parent = event.record.get("parent")
    dates = _listed(all_of([_in_window(), equals("parent", parent)])) if parent else []
    day = event.days[0]
    same_day = _listed(on_days(day, day), by_title=True)
    at_place: list[ReadEvent] = []
    if event.places:
        later = starting_after_day(max(day, today()))
        at_place = _listed(all_of([later, equals("venues", event.places[0].id)]))
    listed_ids = {event.id}
    own_series = event.record.get("series")
    if own_series:
        at_place = [other for other in at_place if other.record.get("series") != own_series]
    return {
        "dates": _except(dates, listed_ids),
        "same_day": _except(same_day, listed_ids),
        "at_place": _except(at_place, listed_ids | {other.id for other in same_day}),
    }


def _in_window() -> Clause:
    begin, end = default_window(current.today(), current.site_zone())
    return all_of([starting_from(begin), ending_by(end)])


def _listed(clause: Clause, *, by_title: bool = False) -> list[ReadEvent]:
    return read_events(search(clause, _MOST_OTHERS + 1, by_title=by_title).items)


def _except(events: Sequence[ReadEvent], listed_ids: set[int]) -> list[ReadEvent]:
    return [event for event in events if event.id not in listed_ids][:_MOST_OTHERS]


def _canonical(alternates: Sequence[Any], own: str) -> str:
    """Return the address in the language from which a page without own texts borrows them."""
    mine = next(each for each in alternates if each.is_current)
    if mine.is_written:
        return own
    by_language = {each.language: each for each in alternates}
    written_pages = (by_language[tag] for tag in current.chain() if by_language[tag].is_written)
    return next((each.address for each in written_pages), own)
