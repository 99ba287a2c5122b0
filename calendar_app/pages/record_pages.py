"""Pages of single records: events, venues, organizers."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from flask import Response, abort

from calendar_app.accounts.policy import may_read
from calendar_app.calendar.reading.reader import readable, unlocked
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import dated_slug, slug_in_path, trashed
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.pages.answers import page, redirect_view
from calendar_app.pages.cards import Card, borrowed, cards_of, picture_of
from calendar_app.pages.feeds import event_feed, feed, wants_feed
from calendar_app.pages.languages import record_alternates
from calendar_app.pages.links import Place, record_page, unpublished_page
from calendar_app.pages.lists import today
from calendar_app.pages.prose import prose
from calendar_app.pages.questions import between, load
from calendar_app.pages.series_dates import series_dates
from calendar_app.pages.subscriptions import calendar_entry, subscription
from calendar_app.query.clauses import EVERYTHING
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.presentation import present as present_event
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.organizers.presentation import present as present_organizer
from calendar_app.resources.venues.kind import VENUE
from calendar_app.resources.venues.presentation import present as present_venue

PAGES: Mapping[str, Kind] = {kind.singular: kind for kind in (EVENT, VENUE, ORGANIZER)}
_PRESENT = {VENUE.name: present_venue, ORGANIZER.name: present_organizer}
_MISSING, _GONE, _LOCKED = 404, 410, 403
_MOST_OTHERS = 4


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
    view = records.view_of(kind, [record])
    shown = _PRESENT[kind.name](record, view, single=True)
    coming = load({kind.singular: record["_id"], "per_page": 12})
    found = current.reader().search(EVENT, coming.listing, current.caller())
    own_filter = {kind.singular: str(record["_id"])}
    return page(
        "host.html",
        kind=kind,
        shown=shown,
        **_texts(kind, record, shown, view),
        cards=cards_of(found.items),
        total=found.total,
        all_events=Place("list", query=tuple(own_filter.items())).address(),
        subscription=subscription(own_filter),
        **shared,
    )


def _event_page(event: Record, shared: Mapping[str, Any]) -> Response:
    password = current.parameter("password")
    is_open = unlocked(event, current.caller(), password if isinstance(password, str) else None)
    view = records.view_of(EVENT, [event])
    shown = present_event(event, view, single=True)
    card = Card(event, shown, view)
    if not is_open:
        return page("locked.html", _LOCKED, card=card, wrong=password is not None, **shared)
    return page(
        "event.html",
        card=card,
        shown=shown,
        **_texts(EVENT, event, shown, view),
        entry=calendar_entry(card),
        series=series_dates(card),
        venues=[(venue, _language(view, "venues", venue, "venue")) for venue in card.places],
        organizers=[
            (organizer, _language(view, "organizers", organizer, "organizer"))
            for organizer in shown["organizer"]
        ],
        place_today=Place("list"),
        **_others(card),
        **shared,
    )


def _texts(kind: Kind, record: Record, shown: JSONObject, view: View) -> dict[str, Any]:
    return {
        "description": prose(shown.get("description") or ""),
        "description_language": borrowed(record, "description", view),
        "name_language": borrowed(record, kind.label, view),
        "picture": picture_of(shown.get("image")),
    }


def _language(view: View, name: str, shown: JSONObject, field: str) -> str:
    return borrowed(view.linked[name][shown["id"]], field, view)


def _others(card: Card) -> dict[str, Any]:
    """Return other dates of the series, other events of the day, and next events there."""
    series = card.event.get("parent") or card.id
    dates = _search({"post_parent": series}) if card.event.get("parent") else []
    day = card.days[0]
    same_day = _search({**between(day, day)})
    at_place: list[Card] = []
    if card.places:
        at_place = _search({"venue": card.places[0]["id"], "starts_after": _after(day)})
    listed_ids = {card.id}
    own_series = card.event.get("series")
    if own_series:
        at_place = [other for other in at_place if other.event.get("series") != own_series]
    return {
        "dates": _except(dates, listed_ids),
        "same_day": _except(same_day, listed_ids),
        "at_place": _except(at_place, listed_ids | {other.id for other in same_day}),
    }


def _after(day: date) -> str:
    return max(day, today()).isoformat()


def _search(filters: Mapping[str, Any]) -> list[Card]:
    listing = load({**filters, "per_page": _MOST_OTHERS + 1}).listing
    return cards_of(current.reader().search(EVENT, listing, current.caller()).items)


def _except(cards: Sequence[Card], listed_ids: set[int]) -> list[Card]:
    return [card for card in cards if card.id not in listed_ids][:_MOST_OTHERS]


def _canonical(alternates: Sequence[Any], own: str) -> str:
    """Return the address in the language from which a page without own texts borrows them."""
    mine = next(each for each in alternates if each.is_current)
    if mine.is_written:
        return own
    by_language = {each.language: each for each in alternates}
    written_pages = (by_language[tag] for tag in current.chain() if by_language[tag].is_written)
    return next((each.address for each in written_pages), own)
