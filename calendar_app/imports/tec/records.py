"""What a site says of a record, in the words of this calendar's documents."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from calendar_app.domain.cost import FREE, Cost, parse_cost
from calendar_app.domain.currencies import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import STATUSES, TRASH
from calendar_app.imports.tec import values
from calendar_app.imports.tec.attendance import attendance, reason
from calendar_app.imports.tec.values import Protected, Raw, Unreadable
from calendar_app.resources.venues.kind import state_or_province

_MAP: Mapping[str, str] = MappingProxyType(
    {"show_map": "show_map", "show_map_link": "show_map_link"}
)
_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        **_MAP,
        "all_day": "all_day",
        "hide_from_listings": "hidden",
        "sticky": "sticky",
        "featured": "featured",
        "ticketed": "ticketed",
    }
)
_PLACE = ("address", "city", "country", "province", "state")
_REST = "/wp-json/"
_POSITIONS = ("prefix", "postfix", "")

Texts = dict[str, str | None]


def source_of(collection: str, raw: Any) -> str:
    """Return what names a record for good, ``events/example.org?id=12``."""
    if not isinstance(raw, dict):
        raise Unreadable("It is no object.")
    record_id = values.number(raw, "id")
    if record_id < 1:
        raise Unreadable("It has no id.")
    return f"{collection}/{_site(raw)}?id={record_id}"


def source_of_parent(collection: str, raw: Raw) -> str:
    """Return the source of the category above, and nothing where there is none."""
    try:
        return source_of(collection, {**raw, "id": raw.get("parent")})
    except Unreadable:
        return ""


def site_of(source: str) -> str:
    """Return the site that a source names, ``example.org``."""
    return source.partition("/")[2].rpartition("?id=")[0]


def number_of(source: str) -> int:
    """Return the id that a record has at its site."""
    return int(source.rpartition("=")[2])


def changes_of(kind: Kind, raw: Raw, language: str, currency: Currency) -> Record:
    """Return what the editor is to write, without the links.

    Raises ``Unreadable``, or another ``ValueError``, on what cannot be taken over.
    """
    texts, shared = _READERS[kind.name](raw, currency)
    if slug := values.text(raw, "slug"):
        texts["slug"] = slug
    changes = {"variants": {language: texts}, **shared}
    return changes | _standing(raw) if kind.has_status else changes


def _term(raw: Raw, _: Currency) -> tuple[Texts, Record]:
    return {
        "name": values.required(raw, "name"),
        "description": values.text(raw, "description") or None,
    }, {}


def _venue(raw: Raw, _: Currency) -> tuple[Texts, Record]:
    place = {name: values.line(raw, name) for name in _PLACE}
    region = values.line(raw, "stateprovince")
    texts: Texts = {
        "venue": values.required(raw, "venue"),
        "description": values.text(raw, "description") or None,
        "website": values.address(raw, "website") or None,
        # Where nobody wrote one, the site tells what follows from the others, as this one does.
        "stateprovince": region if region != state_or_province(place) else None,
        **{name: words or None for name, words in place.items()},
    }
    shared: Record = {
        **values.flags(raw, _MAP),
        "zip": values.line(raw, "zip"),
        "phone": values.line(raw, "phone"),
        "image": values.picture(raw),
    }
    # The Events Calendar alone knows none.
    if "geo_lat" in raw or "geo_lng" in raw:
        shared["geo"] = values.coordinates(raw)
    return texts, shared


def _organizer(raw: Raw, _: Currency) -> tuple[Texts, Record]:
    texts: Texts = {
        "organizer": values.required(raw, "organizer"),
        "description": values.text(raw, "description") or None,
        "website": values.address(raw, "website") or None,
    }
    return texts, {
        "phone": values.line(raw, "phone"),
        "email": values.line(raw, "email"),
        "image": values.picture(raw),
    }


def _event(raw: Raw, currency: Currency) -> tuple[Texts, Record]:
    if "all_day" in raw and raw["all_day"] is None:
        raise Protected("A password protects it, so the site shows nothing of it.")
    told: Texts = {
        "description": values.text(raw, "description") or None,
        "excerpt": values.text(raw, "excerpt") or None,
        "website": _website(raw),
    }
    shared = {
        "timezone": values.text(raw, "timezone"),
        "cost": _cost(raw, currency),
        "image": values.picture(raw),
    }
    texts: Texts = {"title": values.required(raw, "title"), **_members(told, raw), **reason(raw)}
    return texts, {
        **values.flags(raw, _FLAGS),
        **attendance(raw),
        **_members(shared, raw),
        "start": values.moment(raw, "start_date"),
        "end": values.end(raw),
    }


def _members(changes: Record, raw: Raw) -> Record:
    """Return the changes to what the site tells of an event, which leaves out nothing empty."""
    return {name: value for name, value in changes.items() if name in raw}


def _website(raw: Raw) -> str | None:
    """Return the website; a site tells the event's own page where there is none."""
    page, told = values.line(raw, "url"), values.line(raw, "website")
    if told == page:
        return None
    return values.address(raw, "website")


def _cost(raw: Raw, currency: Currency) -> Record | None:
    """Return the cost as the site shows it; what it says of the currency comes from there too."""
    shown = values.line(raw, "cost").strip()
    cost = _parsed(shown, currency)
    if cost is None:
        return None
    details = raw.get("cost_details")
    if isinstance(details, dict):
        position = values.text(details, "currency_position")
        cost = replace(
            cost,
            text=cost.text if cost.text.startswith(FREE) else shown,
            symbol=values.line(details, "currency_symbol"),
            position=position if position in _POSITIONS else "",
            code=values.line(details, "currency_code") or cost.code,
            values=tuple(values.texts(details, "values")) or cost.values,
        )
    return cost.document()


def _standing(raw: Raw) -> Record:
    """Return status, author, dates and origin of an event, a venue or an organizer."""
    status = values.text(raw, "status")
    if status not in STATUSES or status == TRASH:
        raise Unreadable(f"Its status is {status or 'unknown'}.")
    dates = {
        "published": values.publication(raw, "date_utc"),
        "modified": values.publication(raw, "modified_utc"),
    }
    author = values.number(raw, "author")
    return {
        "status": status,
        "lineage": values.texts(raw, "global_id_lineage"),
        **{name: date for name, date in dates.items() if date is not None},
        **({"author": author} if author > 0 else {}),
    }


def _site(raw: Raw) -> str:
    """Return the host and path of the site, as it names itself; terms only have addresses.

    A calendar such as this one may have the language in its path, and is one site all the same.
    """
    named = values.text(raw, "global_id").partition("?")[0]
    if named:
        return named
    urls = raw.get("urls")
    told = values.text(urls, "self") if isinstance(urls, dict) else values.text(raw, "url")
    site = _host_and_path(told)
    segment = f"/{raw.get('language')}"
    return site.removesuffix(segment) if "fallback_fields" in raw else site


# Each event tells of a venue, an organizer and terms, and all of one site.
@lru_cache(maxsize=10_000)
def _host_and_path(address: str) -> str:
    """Return what stands before the REST interface of WordPress; else the host alone."""
    parts = urlsplit(decoded(address))
    path, found, _ = parts.path.partition(_REST)
    return (parts.hostname or "") + (path.removesuffix("/index.php") if found else "")


# Events cost what other events cost.
@lru_cache(maxsize=1000)
def _parsed(shown: str, currency: Currency) -> Cost | None:
    return parse_cost(shown, currency)


_Reader = Callable[[Raw, Currency], tuple[Texts, Record]]
_READERS: Mapping[str, _Reader] = MappingProxyType(
    {
        "categories": _term,
        "tags": _term,
        "venues": _venue,
        "organizers": _organizer,
        "events": _event,
    }
)
