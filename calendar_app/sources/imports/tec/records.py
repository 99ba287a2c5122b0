"""Converts records of The Events Calendar into changes for the editor."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from calendar_app.domain.cost import FREE, Cost, Currency, parse_cost
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.kinds.linked import state_or_province
from calendar_app.domain.statuses import (
    ATTENDANCE_MODES,
    CANCELED,
    EVENT_STATUSES,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    SCHEDULED,
    STATUSES,
    TRASH,
)
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.participation import participation
from calendar_app.sources.imports.tec.values import Raw, UnreadableRecord

_STATUSES: Mapping[str, str] = MappingProxyType(
    {"EventScheduled": SCHEDULED, "EventCancelled": CANCELED, "EventPostponed": POSTPONED}
)
_MODES: Mapping[str, str] = MappingProxyType(
    {
        "OfflineEventAttendanceMode": OFFLINE,
        "OnlineEventAttendanceMode": ONLINE,
        "MixedEventAttendanceMode": MIXED,
    }
)
_REASONS = ("status_reason", "event_status_reason")
_ADDRESSES = ("online_url", "virtual_url")
_HYBRID = "hybrid"


def attendance(raw: Raw) -> dict[str, str]:
    """Return ``event_status``, ``attendance_mode`` and ``online_url``, if the site has them."""
    status = _word(raw, "event_status", EVENT_STATUSES) or _STATUSES.get(
        _schema_term(raw, "eventStatus")
    )
    mode = (
        _word(raw, "attendance_mode", ATTENDANCE_MODES)
        or _virtual(raw)
        or _MODES.get(_schema_term(raw, "eventAttendanceMode"))
    )
    online = next((values.address(raw, name) for name in _ADDRESSES if name in raw), None)
    fields = {"event_status": status, "attendance_mode": mode, "online_url": online}
    return {name: value for name, value in fields.items() if value is not None}


def status_reason(raw: Raw) -> dict[str, str | None]:
    """Return the text ``status_reason``, if the site has it."""
    reasons = [values.text(raw, name) for name in _REASONS if name in raw]
    return {"status_reason": reasons[0] or None} if reasons else {}


def _word(raw: Raw, name: str, words: tuple[str, ...]) -> str | None:
    word = raw.get(name)
    return word if isinstance(word, str) and word in words else None


def _virtual(raw: Raw) -> str | None:
    """Return the attendance mode of Virtual Events."""
    virtual = raw.get("is_virtual")
    if virtual is None:
        return None
    if not virtual:
        return OFFLINE
    return MIXED if raw.get("virtual_event_type") == _HYBRID else ONLINE


def _schema_term(raw: Raw, name: str) -> str:
    """Return the last part of a term of schema.org: ``https://schema.org/EventPostponed``."""
    json_ld = raw.get("json_ld")
    term = json_ld.get(name) if isinstance(json_ld, dict) else None
    return term.rpartition("/")[2] if isinstance(term, str) else ""


# The other fields of records, and their names.

_MAP: Mapping[str, str] = MappingProxyType(
    {"show_map": "show_map", "show_map_link": "show_map_link"}
)
_FLAGS: Mapping[str, str] = MappingProxyType(
    {field.name: field.attribute for field in event_fields.FLAGS}
)
_PLACE = ("address", "city", "country", "province", "state")
_REST = "/wp-json/"
_FIRST_PROVISIONAL = 10_000_000
# A second occurrence of a day has a number behind the date.
_DATED_ADDRESS = re.compile(r"/(?P<slug>[^/?#]+)/(?P<date>\d{4}-\d\d-\d\d(?:[-/]\d+)?)/?(?:[?#]|$)")
_POSITIONS = ("prefix", "postfix", "")

SiteTexts = dict[str, Any]


class SiteOccurrence(NamedTuple):
    """The place of an event in its series; ``date`` begins with its day.

    ``told`` are the dates of the series, empty where the site does not tell them.
    """

    series: str
    date: str
    told: Mapping[str, Any] = MappingProxyType({})


def source_of(collection: str, raw: Any) -> str:
    """Return the permanent name of a record, ``events/example.org?id=12``.

    That of an occurrence is ``events/example.org?id=market/2026-12-24``, since its id may change.
    """
    if not isinstance(raw, dict):
        raise UnreadableRecord("It is no object.")
    record_id = values.number(raw, "id")
    if record_id < 1:
        raise UnreadableRecord("It has no id.")
    return f"{collection}/{_site(raw)}?id={occurrence_name(raw) or record_id}"


def occurrence_name(raw: Raw) -> str:
    """Return series and date of an occurrence; empty for other records."""
    occurrence = occurrence_of(raw)
    return f"{occurrence.series}/{occurrence.date}" if occurrence else ""


def occurrence_of(raw: Raw) -> SiteOccurrence | None:
    """Return the series of an occurrence: as it names it, else by slug and date of its address.

    Events Calendar Pro computes ids of occurrences, from a base of 10,000,000 or more.
    """
    series = raw.get("series")
    if isinstance(series, dict) and values.text(raw, "recurrence_id"):
        name = f"series-{values.number(series, 'id')}"
        return SiteOccurrence(name, values.text(raw, "recurrence_id"), series)
    if values.number(raw, "id") < _FIRST_PROVISIONAL:
        return None
    match = _DATED_ADDRESS.search(values.text(raw, "url"))
    return SiteOccurrence(match["slug"], match["date"]) if match else None


def parent_source(collection: str, raw: Raw) -> str:
    """Return the source of the parent category, empty if there is none."""
    try:
        return source_of(collection, {**raw, "id": raw.get("parent")})
    except UnreadableRecord:
        return ""


def number_of(source: str) -> int:
    """Return the id of a record at its site; 0 for an occurrence (unstable id)."""
    name = source.rpartition("=")[2]
    return int(name) if name.isdecimal() else 0


def changes_of(kind: Kind, raw: Raw, language: str, currency: Currency) -> Record:
    """Return the changes for the editor, without links; raise ``ValueError`` if unreadable."""
    texts, shared = _READERS[kind.name](raw, currency)
    if slug := values.text(raw, "slug"):
        texts["slug"] = slug
    changes = {"variants": {language: texts}, **shared}
    return changes | _publication(raw) if kind.has_status else changes


def _term(raw: Raw, _: Currency) -> tuple[SiteTexts, Record]:
    return {
        "name": values.required(raw, "name"),
        "description": values.text(raw, "description") or None,
    }, {}


def _venue(raw: Raw, _: Currency) -> tuple[SiteTexts, Record]:
    place = {name: values.line(raw, name) for name in _PLACE}
    region = values.line(raw, "stateprovince")
    texts: SiteTexts = {
        "venue": values.required(raw, "venue"),
        "description": values.text(raw, "description") or None,
        "website": values.address(raw, "website") or None,
        # Sites derive it from the others where it is empty, as this calendar does.
        "stateprovince": region if region != state_or_province(place) else None,
        **{name: words or None for name, words in place.items()},
    }
    shared: Record = {
        **values.flags(raw, _MAP),
        "zip": values.line(raw, "zip"),
        "phone": values.line(raw, "phone"),
        "image": values.picture(raw),
        **values.picture_file(raw),
    }
    # The Events Calendar without Pro has none.
    if "geo_lat" in raw or "geo_lng" in raw:
        shared["geo"] = values.coordinates(raw)
    return texts, shared


def _organizer(raw: Raw, _: Currency) -> tuple[SiteTexts, Record]:
    texts: SiteTexts = {
        "organizer": values.required(raw, "organizer"),
        "description": values.text(raw, "description") or None,
        "website": values.address(raw, "website") or None,
    }
    return texts, {
        "phone": values.line(raw, "phone"),
        "email": values.line(raw, "email"),
        "image": values.picture(raw),
        **values.picture_file(raw),
    }


def _event(raw: Raw, currency: Currency) -> tuple[SiteTexts, Record]:
    if "all_day" in raw and raw["all_day"] is None:
        raise UnreadableRecord("A password protects it, so the site shows nothing of it.")
    optional: SiteTexts = {
        "description": values.text(raw, "description") or None,
        "excerpt": values.text(raw, "excerpt") or None,
        "website": _website(raw),
        "custom_fields": values.custom_fields(raw),
    }
    shared = {
        "timezone": values.text(raw, "timezone"),
        "cost": _cost(raw, currency),
        "image": values.picture(raw),
    }
    texts: SiteTexts = {
        "title": values.required(raw, "title"),
        **_present(optional, raw),
        **status_reason(raw),
        **_plain_texts(raw),
    }
    return texts, {
        **values.flags(raw, _FLAGS),
        **attendance(raw),
        **participation(raw),
        **_present(shared, raw),
        **values.picture_file(raw),
        "start": values.moment(raw, "start_date"),
        "end": values.moment(raw, "end_date"),
    }


def _plain_texts(raw: Raw) -> dict[str, str | None]:
    """Return the texts that a calendar like this one has under the same names."""
    names = [field.name for field in event_fields.PLAIN_TEXTS if field.name in raw]
    return {name: values.text(raw, name) or None for name in names}


def _present(changes: Record, raw: Raw) -> Record:
    """Return the changes of the fields that the site has; it includes empty ones."""
    return {name: value for name, value in changes.items() if name in raw}


def _website(raw: Raw) -> str | None:
    """Return the website; the event's own page stands for none."""
    is_own_page = values.line(raw, "website") == values.line(raw, "url")
    return None if is_own_page else values.address(raw, "website")


def _cost(raw: Raw, currency: Currency) -> Record | None:
    """Return the cost with the text and the currency of the site."""
    text = values.line(raw, "cost").strip()
    cost = _parsed(text, currency)
    if cost is None:
        return None
    details = raw.get("cost_details")
    if isinstance(details, dict):
        position = values.text(details, "currency_position")
        cost = replace(
            cost,
            text=cost.text if cost.text.startswith(FREE) else text,
            symbol=values.line(details, "currency_symbol"),
            position=position if position in _POSITIONS else "",
            code=values.line(details, "currency_code") or cost.code,
            values=tuple(values.texts(details, "values")) or cost.values,
        )
    return cost.document()


def _publication(raw: Raw) -> Record:
    """Return status, author, dates and origin of an event, a venue or an organizer."""
    status = values.text(raw, "status")
    if status not in STATUSES or status == TRASH:
        raise UnreadableRecord(f"Its status is {status or 'unknown'}.")
    dates = {
        "published": values.publication(raw, "date_utc"),
        "modified": values.publication(raw, "modified_utc"),
    }
    author = values.number(raw, "author")
    return {
        "status": status,
        "lineage": [] if occurrence_name(raw) else values.texts(raw, "global_id_lineage"),
        **{name: date for name, date in dates.items() if date is not None},
        **({"author": author} if author > 0 else {}),
    }


def _site(raw: Raw) -> str:
    """Return host and path of the site, from the global id, or from the address of a term."""
    if site := values.text(raw, "global_id").partition("?")[0]:
        return site
    urls = raw.get("urls")
    url = values.text(urls, "self") if isinstance(urls, dict) else values.text(raw, "url")
    return _host_and_path(url)


# Each event contains records of the same site.
@lru_cache(maxsize=10_000)
def _host_and_path(address: str) -> str:
    """Return the address before the REST interface of WordPress; else the host alone."""
    parts = urlsplit(values.unescaped(address))
    path, is_wordpress, _ = parts.path.partition(_REST)
    return (parts.hostname or "") + (path.removesuffix("/index.php") if is_wordpress else "")


# Many events have the same cost.
@lru_cache(maxsize=1000)
def _parsed(text: str, currency: Currency) -> Cost | None:
    return parse_cost(text, currency)


_Reader = Callable[[Raw, Currency], tuple[SiteTexts, Record]]
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        "categories": _term,
        "tags": _term,
        "venues": _venue,
        "organizers": _organizer,
        "events": _event,
    }
)
