"""An event as schema.org JSON-LD, for its own address."""

from datetime import UTC

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import plain
from calendar_app.domain.zones import zone_of
from calendar_app.rest.presenting import Shown

_FREE = "free"


def json_ld(shown: Shown, event: Record) -> Shown:
    """Return the event as it is shown, in the words of schema.org."""
    described: Shown = {
        "@context": "http://schema.org",
        "@type": "Event",
        "name": plain(shown["title"]),
        "description": plain(shown["excerpt"] or shown["description"]),
        **({"image": shown["image"]["url"]} if shown["image"] else {}),
        "url": shown["url"],
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "startDate": _instant(event, "start"),
        "endDate": _instant(event, "end"),
    }
    places = shown["venue"] if isinstance(shown["venue"], list) else [shown["venue"]]
    if places:
        described["location"] = places[0]["json_ld"]
    if shown["organizer"]:
        described["organizer"] = shown["organizer"][0]["json_ld"]
    if shown["cost"]:
        described["offers"] = _offer(shown, event)
    return described | {"performer": "Organization"}


def _instant(event: Record, field: str) -> str:
    """Return an instant as ISO 8601 with the offset of the event's zone."""
    aware = event[field].replace(tzinfo=UTC)
    return str(aware.astimezone(zone_of(event["timezone"])).isoformat())


def _offer(shown: Shown, event: Record) -> Shown:
    values = shown["cost_details"]["values"]
    prices = ["0" if value == _FREE else value for value in values]
    return {
        "@type": "Offer",
        "price": " \u2013 ".join(dict.fromkeys((prices[0], prices[-1]))) if prices else "0",
        "priceCurrency": shown["cost_details"]["currency_code"] or "USD",
        "url": shown["url"],
        "category": "primary",
        "availability": "inStock",
        "validFrom": f"{event['published']:%Y-%m-%d}T00:00:00+00:00",
    }
