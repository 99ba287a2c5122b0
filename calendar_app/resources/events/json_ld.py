"""Schema.org JSON-LD of an event.

Unknown properties, for example performers and a missing currency, are omitted.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from calendar_app.domain.attendance import (
    CANCELED,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    SCHEDULED,
)
from calendar_app.domain.cost import is_in_several_currencies
from calendar_app.domain.kind import Record
from calendar_app.domain.languages import Chain
from calendar_app.domain.richtext import decoded, plain
from calendar_app.domain.zones import zone_of
from calendar_app.http.presentation.linked_data import (
    Node,
    document,
    inner,
    node,
    one_or_all,
    pictures,
)
from calendar_app.http.presentation.presenting import JSONObject, View
from calendar_app.resources.events.json_ld_series import series_node

_FREE = "free"
_SCHEMA = "https://schema.org"
_STATUSES: Mapping[str, str] = MappingProxyType(
    {SCHEDULED: "EventScheduled", CANCELED: "EventCancelled", POSTPONED: "EventPostponed"}
)
_MODES: Mapping[str, str] = MappingProxyType(
    {
        OFFLINE: "OfflineEventAttendanceMode",
        ONLINE: "OnlineEventAttendanceMode",
        MIXED: "MixedEventAttendanceMode",
    }
)
_MINUTE = timedelta(minutes=1)
_MOST_DATES = 4096


def json_ld(event_json: JSONObject, event: Record, view: View) -> Node:
    """Return the presented event in the vocabulary of schema.org."""
    field = _description_field(event_json)
    properties = {
        "name": plain(event_json["title"]),
        "description": plain(event_json[field]),
        "image": pictures(event_json["image"]),
        "url": event_json["url"],
        "sameAs": _website(event_json),
        "inLanguage": _languages(event, ("title", field), view.chain),
        "eventStatus": f"{_SCHEMA}/{_STATUSES[event_json['event_status']]}",
        "eventAttendanceMode": f"{_SCHEMA}/{_MODES[event_json['attendance_mode']]}",
        "startDate": _date(event, "start"),
        "endDate": _date(event, "end"),
        "location": _location(event_json),
        "organizer": one_or_all([inner(each["json_ld"]) for each in event_json["organizer"]]),
        "offers": _offer(event_json, event, view),
        "isAccessibleForFree": _is_free(_prices(event_json)),
        "superEvent": _series(event_json, event, view),
    }
    return document(node("Event", properties))


def _series(event_json: JSONObject, event: Record, view: View) -> Node | None:
    """Return the series of an occurrence; a title of its own is not that of the series."""
    facts = view.series.get(event.get("series", 0))
    if facts is None or event_json["series"] is None:
        return None
    page = event_json["url"].removesuffix(f"{event['date_slug']}/")
    name = None if "title" in event_json["overrides"] else plain(event_json["title"])
    return series_node(facts, name, page)


def _description_field(event_json: JSONObject) -> str:
    """Return the field for the description: the excerpt, unless it is a fallback text."""
    names = [name for name in ("excerpt", "description") if event_json[name]]
    return min(names, key=lambda name: name in event_json["fallback_fields"], default="description")


def _website(event_json: JSONObject) -> str | None:
    address = decoded(event_json["website"])
    return None if address == event_json["url"] else address


def _languages(event: Record, names: Iterable[str], chain: Chain) -> Any:
    """Return the languages of these texts."""
    variants = event["variants"]
    tags = [next((tag for tag in chain if name in variants.get(tag, ())), None) for name in names]
    return one_or_all([tag for tag in dict.fromkeys(tags) if tag])


def _date(event: Record, bound: str) -> str:
    """Return ``start`` or ``end`` in ISO 8601: a day, or an instant with its offset."""
    if event["all_day"]:
        return str(event[f"{bound}_local"].date().isoformat())
    return _instant(event[bound], event["timezone"])


@lru_cache(_MOST_DATES)
def _instant(moment: datetime, timezone: str) -> str:
    """Return naive UTC with the offset of a zone.

    ISO 8601 has no seconds in offsets, as historic ones have; these instants stay in UTC.
    """
    instant = moment.replace(tzinfo=UTC)
    local = instant.astimezone(zone_of(timezone))
    offset = local.utcoffset()
    return (local if offset is None or not offset % _MINUTE else instant).isoformat()


def _location(event_json: JSONObject) -> Any:
    """Return the venues, and a virtual location for online events."""
    places = event_json["venue"] if isinstance(event_json["venue"], list) else [event_json["venue"]]
    mode = event_json["attendance_mode"]
    locations = [] if mode == ONLINE else [inner(place["json_ld"]) for place in places]
    if mode != OFFLINE:
        locations.append(
            node("VirtualLocation", {"url": event_json["online_url"] or event_json["url"]})
        )
    return one_or_all(locations)


def _offer(event_json: JSONObject, event: Record, view: View) -> Node | None:
    """Return the offer; for several prices the lowest, with their range."""
    if not event_json["cost"]:
        return None
    cost = plain(event_json["cost"])
    # An offer has one currency, and amounts in several cannot be compared.
    several = is_in_several_currencies(cost, view.settings.currency_symbol)
    prices, currency = [] if several else _prices(event_json), _currency(event_json, view)
    canceled = event_json["event_status"] == CANCELED
    offer = {
        "price": prices[0] if prices else None,
        "priceCurrency": currency if prices else None,
        "priceSpecification": _span(prices, currency),
        "description": None if prices else cost,
        "url": event_json["url"],
        "category": "primary",
        "availability": f"{_SCHEMA}/{'Discontinued' if canceled else 'InStock'}",
        "validFrom": event["published"].replace(tzinfo=UTC).isoformat(timespec="seconds"),
    }
    return node("Offer", offer)


def _currency(event_json: JSONObject, view: View) -> str:
    """Return the ISO 4217 code; an amount without a symbol has the site's currency."""
    details = event_json["cost_details"]
    own = "" if details["currency_symbol"] else view.settings.currency_code
    return str(details["currency_code"] or own)


def _span(prices: list[str], currency: str) -> Node | None:
    if len(prices) < 2:  # noqa: PLR2004  # one price has no span
        return None
    span = {"minPrice": prices[0], "maxPrice": prices[-1], "priceCurrency": currency}
    return node("PriceSpecification", span)


def _prices(event_json: JSONObject) -> list[str]:
    """Return the numeric amounts in ascending order; free is 0."""
    values = ("0" if value == _FREE else value for value in event_json["cost_details"]["values"])
    return [value for value in values if _is_amount(value)]


def _is_amount(value: str) -> bool:
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def _is_free(prices: list[str]) -> bool | None:
    """Return whether all amounts are zero; ``None`` without amounts."""
    return Decimal(prices[-1]) == 0 if prices else None
