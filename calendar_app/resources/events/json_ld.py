"""An event as schema.org JSON-LD, for its own address.

Nothing is made up: who performs, and what a price is in where nobody said so, stays open.
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
from calendar_app.http.presentation.presenting import Shown, View

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


def json_ld(shown: Shown, event: Record, view: View) -> Node:
    """Return the event as it is shown, in the words of schema.org."""
    text = _text(shown)
    described = {
        "name": plain(shown["title"]),
        "description": plain(shown[text]),
        "image": pictures(shown["image"]),
        "url": shown["url"],
        "sameAs": _website(shown),
        "inLanguage": _languages(event, ("title", text), view.chain),
        "eventStatus": f"{_SCHEMA}/{_STATUSES[shown['event_status']]}",
        "eventAttendanceMode": f"{_SCHEMA}/{_MODES[shown['attendance_mode']]}",
        "startDate": _date(event, "start"),
        "endDate": _date(event, "end"),
        "location": _location(shown),
        "organizer": one_or_all([inner(each["json_ld"]) for each in shown["organizer"]]),
        "offers": _offer(shown, event, view),
        "isAccessibleForFree": _is_free(_prices(shown)),
    }
    return document(node("Event", described))


def _text(shown: Shown) -> str:
    """Return which text tells of it: the excerpt, unless the other is in the language asked for."""
    written = [name for name in ("excerpt", "description") if shown[name]]
    return min(written, key=lambda name: name in shown["fallback_fields"], default="description")


def _website(shown: Shown) -> str | None:
    address = decoded(shown["website"])
    return None if address == shown["url"] else address


def _languages(event: Record, names: Iterable[str], chain: Chain) -> Any:
    """Return the languages that these texts are really in."""
    variants = event["variants"]
    found = [next((tag for tag in chain if name in variants.get(tag, ())), None) for name in names]
    return one_or_all([tag for tag in dict.fromkeys(found) if tag])


def _date(event: Record, bound: str) -> str:
    """Return ``start`` or ``end`` as ISO 8601: a day, or an instant with its zone's offset."""
    if event["all_day"]:
        return str(event[f"{bound}_local"].date().isoformat())
    return _instant(event[bound], event["timezone"])


@lru_cache(_MOST_DATES)
def _instant(moment: datetime, timezone: str) -> str:
    """Return a naive time in UTC with the offset of a zone.

    An offset has no seconds there, as those of long ago had; such an instant is told in UTC.
    """
    instant = moment.replace(tzinfo=UTC)
    there = instant.astimezone(zone_of(timezone))
    offset = there.utcoffset()
    return (there if offset is None or not offset % _MINUTE else instant).isoformat()


def _location(shown: Shown) -> Any:
    """Return where it takes place; online that is the event's page where no address is known."""
    places = shown["venue"] if isinstance(shown["venue"], list) else [shown["venue"]]
    mode = shown["attendance_mode"]
    found = [] if mode == ONLINE else [inner(place["json_ld"]) for place in places]
    if mode != OFFLINE:
        found.append(node("VirtualLocation", {"url": shown["online_url"] or shown["url"]}))
    return one_or_all(found)


def _offer(shown: Shown, event: Record, view: View) -> Node | None:
    """Return what is asked for; of several prices the lowest, with the span of all."""
    if not shown["cost"]:
        return None
    cost = plain(shown["cost"])
    # Amounts in several currencies have no order, and an offer has one currency.
    several = is_in_several_currencies(cost, view.settings.currency_symbol)
    prices, currency = [] if several else _prices(shown), _currency(shown, view)
    canceled = shown["event_status"] == CANCELED
    offer = {
        "price": prices[0] if prices else None,
        "priceCurrency": currency if prices else None,
        "priceSpecification": _span(prices, currency),
        "description": None if prices else cost,
        "url": shown["url"],
        "category": "primary",
        "availability": f"{_SCHEMA}/{'Discontinued' if canceled else 'InStock'}",
        "validFrom": event["published"].replace(tzinfo=UTC).isoformat(timespec="seconds"),
    }
    return node("Offer", offer)


def _currency(shown: Shown, view: View) -> str:
    """Return the ISO 4217 code, if there is one; an amount without a symbol is in the site's."""
    details = shown["cost_details"]
    own = "" if details["currency_symbol"] else view.settings.currency_code
    return str(details["currency_code"] or own)


def _span(prices: list[str], currency: str) -> Node | None:
    if len(prices) < 2:  # noqa: PLR2004  # one price has no span
        return None
    span = {"minPrice": prices[0], "maxPrice": prices[-1], "priceCurrency": currency}
    return node("PriceSpecification", span)


def _prices(shown: Shown) -> list[str]:
    """Return the amounts in ascending order, without those that are words; free is 0."""
    values = ("0" if value == _FREE else value for value in shown["cost_details"]["values"])
    return [value for value in values if _is_amount(value)]


def _is_amount(value: str) -> bool:
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def _is_free(prices: list[str]) -> bool | None:
    """Say whether everybody gets in for nothing; nobody knows where no amount is told."""
    return Decimal(prices[-1]) == 0 if prices else None
