"""Pages of single records: events, venues, organizers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property, partial
from typing import Any
from urllib.parse import urlencode

from flask import Response, abort

from calendar_app.accounts.policy import may_read
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.guarding import find_by_slug
from calendar_app.api.presentation.json_ld import event_document, organization_node, place_node
from calendar_app.api.presentation.nodes import Node, document
from calendar_app.api.resources.mistakes.handling import takes_reports
from calendar_app.calendar.reading.event_lists import (
    in_default_window,
    on_day,
    starting_after_day,
)
from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, SERIES, VENUE
from calendar_app.domain.recurrence.rules import span_of
from calendar_app.domain.slugs import dated_slug, path_as_slug, slug_in_path, trashed
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.domain.texts.recurrence_text.describing import describe
from calendar_app.feeds.icalendar_feed import ICALENDAR
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer, ReadVenue
from calendar_app.site.html.pieces import json_in_html
from calendar_app.site.pages.answers import moved_view, page
from calendar_app.site.pages.events import picture, read_events, search, today
from calendar_app.site.pages.places import LIST, PRINT, PageLinks, Place, record_alternates, slug_of
from calendar_app.site.pages.questions import PageQuery, event_feed, feed, feed_format, subscription
from calendar_app.storage.query.clauses import EVERYTHING, all_of, equals

PAGES: Mapping[str, Kind] = {kind.singular: kind for kind in (EVENT, VENUE, ORGANIZER)}
_HOSTS: Mapping[str, tuple[Callable[..., Any], Callable[..., Node]]] = {
    VENUE.name: (ReadVenue, place_node),
    ORGANIZER.name: (ReadOrganizer, organization_node),
}
_MISSING, _HTTP_GONE, _LOCKED = 404, 410, 403
_MOST_OTHERS, _MOST_DATES, _MOST_COMING = 4, 6, 12
_GOOGLE = "https://calendar.google.com/calendar/render"
_OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose"


def show(singular: str, slug: str) -> Response:
    """Answer the page of a record, by its slug in any language."""
    context, kind = current.context(), PAGES[singular]
    record = find_by_slug(kind, slug)
    if record is None:
        return _moved_or_missing(context, kind, slug)
    if path_as_slug(slug) not in (slug_of(record, context.chain), _series_slug(context, record)):
        return _moved(context, kind, record, slug)
    return _page(context, kind, record)


def show_poster(slug: str) -> Response:
    """Answer the poster of an event; a former slug leads to its page."""
    context = current.context()
    record = find_by_slug(EVENT, slug)
    if record is None:
        return show(EVENT.singular, slug)
    if path_as_slug(slug) != slug_of(record, context.chain):
        return moved_view(context, f"{_own_address(context, EVENT, record)}poster/")
    return _page(context, EVENT, record, poster=True)


def show_events_of(singular: str, slug: str, number: int) -> Response:
    """Lead to a page of the coming events of a venue or an organizer, by its slug."""
    context, kind = current.context(), PAGES[singular]
    record = find_by_slug(kind, slug)
    if record is None:
        return show(singular, slug)
    filters = {singular: str(record["_id"]), "page": str(number)}
    return moved_view(context, _list_page(PageLinks(context), filters))


def show_series(slug: str, number: int = 1) -> Response:
    """Lead to a page of the coming dates of a series, by its slug or that of a date."""
    context = current.context()
    for kind, id_field in ((SERIES, "_id"), (EVENT, "series")):
        record = find_by_slug(kind, slug)
        if record is not None and id_field in record:
            filters = {"series": str(record[id_field])}
            if number > 1:
                filters["page"] = str(number)
            return moved_view(context, _list_page(PageLinks(context), filters))
    return abort(_MISSING)


def show_by_id(record_id: int) -> Response:
    """Lead to the page of a record; show one there that is not public yet."""
    context = current.context()
    for kind in PAGES.values():
        record = context.reader.find(kind, record_id)
        if record is None or record["status"] == TRASH:
            targets = context.reader.united_into(kind, [record_id], context.caller)
            record = context.reader.find(kind, targets[record_id]) if targets else record
        if record is not None:
            break
    else:
        abort(_MISSING)
    if record["status"] == TRASH:
        abort(_HTTP_GONE if record.get("status_before_trash") == PUBLISH else _MISSING)
    if not may_read(context.caller, record):
        abort(_MISSING)
    has_address = record["status"] == PUBLISH and slug_of(record, context.chain)
    if has_address and not feed_format(context):
        return moved_view(context, _own_address(context, kind, record))
    return _page(context, kind, record)


def preview_page(event: Record) -> Response:
    """Return the page of an event as its readers will see it."""
    return _page(current.context(), EVENT, event)


def _moved_or_missing(context: Context, kind: Kind, slug: str) -> Response:
    """Lead from a former slug to the record; without one, the page is gone or was never there."""
    reader, chain, caller = context.reader, context.chain, context.caller
    present = reader.moved_to(kind, slug_in_path(slug), chain, caller)
    record = reader.find_by_slug(kind, present, chain, readable(kind, caller)) if present else None
    if record is None:
        trashed_record = reader.find_by_slug(kind, trashed(slug_in_path(slug)), chain, EVERYTHING)
        was_public = (
            trashed_record is not None and trashed_record.get("status_before_trash") == PUBLISH
        )
        abort(_HTTP_GONE if was_public else _MISSING)
    return _moved(context, kind, record, slug)


def _moved(context: Context, kind: Kind, record: Record, slug: str) -> Response:
    """Lead from another slug of a record, or of its series, to the present one."""
    is_of_date = "/" in slug or dated_slug(slug)
    series_slug = "" if is_of_date else _series_slug(context, record)
    address = _own_address(context, kind, record)
    if series_slug:
        address = f"{PageLinks(context).home()}{kind.singular}/{series_slug}/"
    return moved_view(context, address)


def _series_slug(context: Context, record: Record) -> str:
    """Return the slug of a record's series, which has the page of its next date."""
    return slug_of(record, context.chain).partition("/")[0] if "series" in record else ""


def _own_address(context: Context, kind: Kind, record: Record) -> str:
    return PageLinks(context).record_page(kind, record, context.chain)


def _page(context: Context, kind: Kind, record: Record, *, poster: bool = False) -> Response:
    format_ = feed_format(context)
    if format_ and format_.suffix == ICALENDAR.suffix and kind is EVENT:
        return event_feed(context, record, format_)
    if format_ and kind is not EVENT:
        return feed(PageQuery.by(context, {kind.singular: record["_id"]}), format_)
    links, language = PageLinks(context), context.language
    alternates = record_alternates(context.settings, links, kind, record, language)
    address = links.record_page(kind, record, context.chain)
    shared = {
        "links": links,
        "alternates": alternates,
        "canonical": _canonical(context, alternates, address),
        "is_public": record["status"] == PUBLISH,
        "record": record,
        "api_root": _api_root(context, kind, record["_id"]),
    }
    if kind is EVENT:
        return _event_page(context, record, shared, poster=poster)
    return _host_page(context, kind, record, shared)


def _api_root(context: Context, kind: Kind, record_id: int) -> str:
    """Return the address of an event, or of the events of a host, in the interface."""
    if kind is EVENT:
        return context.addresses.record(EVENT.name, record_id)
    return f"{context.addresses.collection(EVENT.name)}/?{kind.singular}={record_id}"


def _host_page(context: Context, kind: Kind, record: Record, shared: Mapping[str, Any]) -> Response:
    """Return the page of a venue or an organizer, with its coming events."""
    read, describe = _HOSTS[kind.name]
    host = read(record, records.context_of(kind, [record]))
    coming = all_of(
        [in_default_window(context.today(), context.zone), equals(kind.name, record["_id"])]
    )
    events = search(context, coming, _MOST_COMING)
    own_filter = {kind.singular: str(record["_id"])}
    return page(
        "host.html",
        kind=kind,
        host=host,
        picture=picture(host.picture),
        json_ld=document(describe(host)),
        events=read_events(events.items),
        total=events.total,
        all_events=_list_page(shared["links"], own_filter),
        programme=_list_page(shared["links"], own_filter, PRINT),
        subscription=subscription(own_filter, context.settings.site_name),
        **shared,
    )


def _list_page(links: PageLinks, filters: Mapping[str, str], view: str = LIST) -> str:
    return Place(view, query=tuple(filters.items()), links=links).address()


def _event_page(
    context: Context, record: Record, shared: Mapping[str, Any], *, poster: bool
) -> Response:
    (event,) = read_events([record])
    if event.is_locked:
        is_wrong = context.parameters.get("password") is not None
        return page("locked.html", _LOCKED, event=event, wrong=is_wrong, **shared)
    if poster:
        return page("poster.html", event=event, picture=picture(event.picture), **shared)
    is_open = record["password"] is None
    return page(
        "event.html",
        event=event,
        picture=picture(event.picture),
        json_ld=event.fragment("JSON-LD", partial(_json_ld, event)) if is_open else None,
        entry=CalendarEntry(event),
        takes_reports=takes_reports(record),
        **_related_events(context, shared["links"], event),
        **shared,
    )


def _json_ld(event: ReadEvent) -> str:
    return json_in_html(event_document(event))


class Later(Sequence[ReadEvent]):
    """Events that are read lazily; a cached part of a page never reads them."""

    def __init__(self, read: Callable[[], Sequence[ReadEvent]]) -> None:
        self._read = read

    @cached_property
    def _events(self) -> Sequence[ReadEvent]:
        return self._read()

    def __getitem__(self, index: Any) -> Any:
        return self._events[index]

    def __len__(self) -> int:
        return len(self._events)


@dataclass(frozen=True, slots=True)
class SeriesDates:
    """A series: its recurrence in words, its coming ``events``, its list and its feed."""

    text: str
    events: Sequence[ReadEvent]
    list_page: str
    ics: str


def _related_events(context: Context, links: PageLinks, event: ReadEvent) -> dict[str, Any]:
    """Return the series, other dates, other events of the day, and next events there."""
    fragments = event.context.fragments

    @cache
    def related() -> Mapping[str, Sequence[ReadEvent]]:
        return _read_related(context, event)

    return {
        "fragments": fragments,
        "others_version": fragments.state() if fragments else None,
        "today": today(context),
        "series": _series_dates(links, event, Later(lambda: related()["series"])),
        **{
            name: Later(partial(lambda name: related()[name], name))
            for name in ("dates", "same_day", "at_place")
        },
    }


def _read_related(context: Context, event: ReadEvent) -> Mapping[str, Sequence[ReadEvent]]:
    parent, series, day = event.record.get("parent"), event.record.get("series"), event.days[0]
    most, window = _MOST_OTHERS + 1, in_default_window(context.today(), context.zone)
    lists: dict[str, Sequence[Record]] = dict.fromkeys(("series", "dates", "at_place"), ())
    if event.series:
        clause = all_of([window, equals("series", series)])
        lists["series"] = search(context, clause, _MOST_DATES + 1).items
    if parent:
        lists["dates"] = search(context, all_of([window, equals("parent", parent)]), most).items
    lists["same_day"] = search(
        context, on_day(day, context.night_to(day)), most, by_title=True
    ).items
    if event.places:
        later = starting_after_day(max(day, today(context)))
        clause = all_of([later, equals("venues", event.places[0].id)])
        at_place = search(context, clause, most).items
        lists["at_place"] = [
            each for each in at_place if not series or each.get("series") != series
        ]
    # All of them are read at once.
    read = iter(read_events([each for records in lists.values() for each in records]))
    read_lists = {name: [next(read) for _ in records] for name, records in lists.items()}
    same_day = {each.id for each in read_lists["same_day"]}
    return {
        "series": _except(read_lists["series"], {event.id}, _MOST_DATES),
        "dates": _except(read_lists["dates"], {event.id}),
        "same_day": _except(read_lists["same_day"], {event.id}),
        "at_place": _except(read_lists["at_place"], {event.id} | same_day),
    }


def _series_dates(
    links: PageLinks, event: ReadEvent, coming: Sequence[ReadEvent]
) -> SeriesDates | None:
    """Return the series of an event; ``None`` for a single event."""
    facts = event.series
    if facts is None:
        return None
    own_filter = {"series": str(event.record["series"])}
    return SeriesDates(
        text=describe(facts.recurrence, span_of(facts.record), event.language),
        events=coming,
        list_page=_list_page(links, own_filter),
        ics=subscription(own_filter, event.context.settings.site_name).ics,
    )


def _except(
    events: Sequence[ReadEvent], listed_ids: set[int], most: int = _MOST_OTHERS
) -> list[ReadEvent]:
    return [event for event in events if event.id not in listed_ids][:most]


def _canonical(context: Context, alternates: Sequence[Any], address: str) -> str:
    """Return the address in the language from which a page without own texts borrows them."""
    by_language = {each.language: each for each in alternates}
    if by_language[context.language].is_written:
        return address
    written_pages = (by_language[tag] for tag in context.chain if by_language[tag].is_written)
    return next((each.address for each in written_pages), address)


class CalendarEntry:
    """The addresses with which an event is added to a calendar."""

    def __init__(self, event: ReadEvent) -> None:
        self._event = event

    @property
    def ics(self) -> str:
        event = self._event
        return event.context.addresses.feeds_of(EVENT.name, event.id, event.language)["ics"]

    @property
    def google(self) -> str:
        event, record = self._event, self._event.record
        if event.all_day:
            first, last = event.days
            dates = f"{first:%Y%m%d}/{last + timedelta(days=1):%Y%m%d}"
        else:
            dates = f"{record['start']:%Y%m%dT%H%M%SZ}/{record['end']:%Y%m%dT%H%M%SZ}"
        entry = {
            "action": "TEMPLATE",
            "text": event.title.text,
            "dates": dates,
            "details": self._details,
            "location": event.where.text,
        }
        return f"{_GOOGLE}?{urlencode(entry)}"

    @property
    def outlook(self) -> str:
        event, record = self._event, self._event.record
        if event.all_day:
            first, last = event.days
            begin, end = first.isoformat(), (last + timedelta(days=1)).isoformat()
        else:
            begin, end = _instant(record["start"]), _instant(record["end"])
        entry = {
            "rru": "addevent",
            "subject": event.title.text,
            "startdt": begin,
            "enddt": end,
            "allday": "true" if event.all_day else "false",
            "body": self._details,
            "location": event.where.text,
        }
        return f"{_OUTLOOK}?{urlencode(entry)}"

    @property
    def _details(self) -> str:
        return "\n\n".join(part for part in (self._event.summary.text, self._event.url) if part)


def _instant(moment: datetime) -> str:
    return moment.replace(tzinfo=UTC).isoformat(timespec="seconds")
