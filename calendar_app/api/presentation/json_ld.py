"""Schema.org JSON-LD of all records.

Empty and unknown properties, for example performers and a missing currency, are omitted. See
``docs/reference/records.md``, section "Structured data".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any

from calendar_app.api.presentation.nodes import (
    SCHEMA,
    Node,
    distinct,
    document,
    instant_text,
    node,
    one_or_all,
)
from calendar_app.api.presentation.participation import participation
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.calendar.reading.provenance import Publisher
from calendar_app.domain.cost import is_in_several_currencies
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import VENUE, event_fields
from calendar_app.domain.kinds.linked import state_or_province
from calendar_app.domain.ledger import ASSISTED, DISCLOSURE_WORDS, disclosure_of
from calendar_app.domain.pictures import license_address
from calendar_app.domain.recurrence.rules import Recurrence, Rule, parse_rule, span_of
from calendar_app.domain.richtext import plain
from calendar_app.domain.statuses import CANCELED, MIXED, OFFLINE, ONLINE, POSTPONED, SCHEDULED
from calendar_app.domain.timespan import TimeSpan
from calendar_app.domain.zones import wall_of, zone_of
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer, ReadTerm, ReadVenue
from calendar_app.readmodel.records import (
    LocalText,
    PictureSize,
    ReadContext,
    ReadPicture,
    ReadRecord,
)


def pictures(picture: ReadPicture | None) -> Any:
    """Return the image of a record: its URL, or all its sizes, the full one first."""
    if picture is None:
        return None
    if not picture.full.width:
        return picture.full.url
    measured = [size for size in picture.sizes.values() if size.width and size.height]
    larger = sorted(measured, key=_area, reverse=True)
    rights = {
        "caption": picture.alt.text,
        "creditText": picture.credit,
        "license": license_address(picture.license),
    }
    return one_or_all([_image_object(size, rights) for size in (picture.full, *larger)])


def _area(size: PictureSize) -> int:
    return (size.width or 0) * (size.height or 0)


def _image_object(size: PictureSize, rights: Mapping[str, str]) -> Node:
    """Return one size of an image; a Distance has a unit (https://schema.org/Distance)."""
    measures = {"width": f"{size.width} px", "height": f"{size.height} px"}
    return node("ImageObject", {"url": size.url, **measures, **rights})


def _page(record: ReadRecord, publishers: Sequence[Publisher] = ()) -> Node | None:
    """Return the page of a record where there is something to say of it as a work.

    Events and places are no works; the page that tells of them is one.
    """
    properties = _by_machine(record) | _published(publishers)
    return node("WebPage", {"url": record.url, **properties}) if properties else None


def _published(publishers: Sequence[Publisher]) -> Node:
    """Return publisher, sources and license of a page."""
    if not publishers:
        return {}
    agents = [node("Organization", {"name": p.name, "url": p.url}) for p in publishers]
    return {
        "sdPublisher": one_or_all(distinct(agents)),
        "isBasedOn": one_or_all(distinct(filter(None, (each.page for each in publishers)))),
        "license": one_or_all(
            distinct(filter(None, (each.license_address for each in publishers)))
        ),
        "creditText": "; ".join(distinct(filter(None, (each.attribution for each in publishers)))),
    }


def _by_machine(record: ReadRecord) -> Node:
    """Return the disclosure of machine translation, with the page that was translated.

    Who has checked a text is not named: the site answers for it.
    """
    texts = [text for text in record.page_texts if text.disclosure]
    if not texts:
        return {}
    disclosure = disclosure_of([text.mark for text in texts])
    original, language = record.original, record.original_language
    translated = node("WebPage", {"url": original, "inLanguage": language}) if original else None
    site = node("Organization", {"name": record.context.settings.site_name})
    word = {"termCode": disclosure, "inDefinedTermSet": DISCLOSURE_WORDS}
    return {
        "inLanguage": texts[0].language,
        "digitalSourceType": f"{SCHEMA}/TrainedAlgorithmicMediaDigitalSource",
        "creativeWorkStatus": node("DefinedTerm", word),
        "reviewedBy": site if disclosure == ASSISTED else None,
        "translationOfWork": translated,
    }


_UNITS = {"DAILY": "D", "WEEKLY": "W", "MONTHLY": "M", "YEARLY": "Y"}
_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
# What a Schedule has no property for; the dates of such a rule are those of its events.
_INEXPRESSIBLE = (
    *("positions", "week_numbers", "year_days"),
    *("hours", "minutes", "seconds"),
)


def series_node(facts: SeriesFacts, name: str | None, url: str) -> Node:
    """Return the series as a node, with a schedule for each rule that schema.org can say."""
    span, recurrence = span_of(facts.record), facts.recurrence
    rules = [parse_rule(text) for text in recurrence.rules]
    schedules = [_schedule(rule, recurrence, span) for rule in rules if _is_expressible(rule)]
    properties = {"name": name, "url": url, "eventSchedule": one_or_all(schedules)}
    return node("EventSeries", properties)


def _is_expressible(rule: Rule) -> bool:
    within = [number for number, _ in rule.days if number]
    is_within_year = bool(within) and rule.freq == "YEARLY"
    return not is_within_year and not any(getattr(rule, name) for name in _INEXPRESSIBLE)


def _schedule(rule: Rule, recurrence: Recurrence, span: TimeSpan) -> Node:
    dates = recurrence.exdates
    days = [f"{number or ''}{day}" for number, day in rule.days]
    is_numbered = any(number for number, _ in rule.days)
    properties = {
        "repeatFrequency": f"P{rule.interval}{_UNITS[rule.freq]}",
        "repeatCount": rule.count,
        "byDay": one_or_all(days if is_numbered else [f"{SCHEMA}/{_DAYS[day]}" for day in days]),
        "byMonth": one_or_all(list(rule.months)),
        "byMonthDay": one_or_all(list(rule.month_days)),
        "startDate": span.start_local.date().isoformat(),
        "endDate": _last_day(rule, span),
        "startTime": None if span.all_day else span.start_local.time().isoformat(),
        "endTime": None if span.all_day or _is_long(span) else span.end_local.time().isoformat(),
        "duration": _length(span.end_local - span.start_local) if _is_long(span) else None,
        "scheduleTimezone": span.timezone,
        "exceptDate": one_or_all([_exception(each, span) for each in dates]),
    }
    return node("Schedule", properties)


def _is_long(span: TimeSpan) -> bool:
    return not span.all_day and span.end_local.date() != span.start_local.date()


def _length(length: timedelta) -> str:
    return f"PT{int(length.total_seconds()) // 60}M"


def _last_day(rule: Rule, span: TimeSpan) -> str | None:
    until = rule.until
    if isinstance(until, datetime):
        instant = until.astimezone(UTC).replace(tzinfo=None)
        return wall_of(instant, zone_of(span.timezone)).date().isoformat()
    return until.isoformat() if until else None


def _exception(wall: datetime, span: TimeSpan) -> str:
    return wall.date().isoformat() if span.all_day else wall.isoformat()


_FREE = "free"
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


@dataclass(frozen=True, slots=True)
class Describing:
    """How an event shows its places, its organizers and its series."""

    place: Callable[[ReadVenue], Node]
    organizer: Callable[[ReadOrganizer], Node]
    series: Callable[[ReadEvent], Node | None]


def event_document(event: ReadEvent) -> Node:
    """Return an event in the vocabulary of schema.org."""
    return document(event_node(event, _WHOLE))


def event_node(event: ReadEvent, describing: Describing) -> Node:
    """Return an event as a node."""
    body, mode = _body(event), event.attendance_mode or OFFLINE
    languages = dict.fromkeys(text.language for text in (event.title, body) if text.text)
    properties = {
        "name": event.title.text,
        "description": plain(body.text),
        "image": pictures(event.picture),
        "url": event.url,
        "sameAs": None if event.website in ("", event.url) else event.website,
        "inLanguage": one_or_all(list(event.in_language or languages)),
        "eventStatus": f"{SCHEMA}/{_STATUSES[event.status]}",
        "eventAttendanceMode": f"{SCHEMA}/{_MODES[mode]}",
        "startDate": _date(event.record, "start"),
        "endDate": _date(event.record, "end"),
        "location": _location(event, describing),
        "organizer": one_or_all([describing.organizer(each) for each in event.organizers]),
        "offers": _offer(event),
        "isAccessibleForFree": _is_free(_prices(event)),
        "superEvent": describing.series(event),
        "subjectOf": _page(event, event.publishers),
        **participation(event),
        **_plain_properties(event),
    }
    return node("Event", properties)


def _plain_properties(event: ReadEvent) -> dict[str, Any]:
    """Return the plain fields for which schema.org has a property."""
    texts = [field for field in event_fields.PLAIN_TEXTS if field.schema_org]
    flags = [field for field in event_fields.PLAIN_FLAGS if field.schema_org]
    return {
        **{text.schema_org: plain(event.text(text.name).text) or None for text in texts},
        **{flag.schema_org: event.flag(flag.attribute) for flag in flags},
    }


def _series(event: ReadEvent) -> Node | None:
    """Return the series of an occurrence; a title of its own is not that of the series."""
    facts = event.series
    if facts is None:
        return None
    page = event.url.removesuffix(f"{event.record['date_slug']}/")
    has_own_title = any(path.endswith(".title") for path in event.overrides)
    return series_node(facts, None if has_own_title else event.title.text, page)


def _body(event: ReadEvent) -> LocalText:
    """Return the text for the description: the excerpt, unless it is a fallback text."""
    texts = [text for text in (event.excerpt, event.description) if text.text]
    return min(texts, key=lambda text: text.is_borrowed, default=event.description)


def _date(event: Record, bound: str) -> str:
    """Return ``start`` or ``end`` in ISO 8601: a day, or an instant with its offset."""
    if event["all_day"]:
        return str(event[f"{bound}_local"].date().isoformat())
    return instant_text(event[bound], event["timezone"])


def _location(event: ReadEvent, describing: Describing) -> Any:
    """Return the venues, and a virtual location for online events."""
    mode = event.attendance_mode
    locations = [] if mode == ONLINE else [describing.place(place) for place in event.places]
    if event.is_online:
        locations.append(node("VirtualLocation", {"url": event.online_url or event.url}))
    return one_or_all(locations)


def _offer(event: ReadEvent) -> Node | None:
    """Return the offer; for several prices the lowest, with their range."""
    settings = event.context.settings
    cost = event.cost_text
    if not cost:
        return None
    # An offer has one currency, and amounts in several cannot be compared.
    several = is_in_several_currencies(cost, settings.currency_symbol)
    prices, currency = [] if several else _prices(event), _currency(event)
    offer = {
        "price": prices[0] if prices else None,
        "priceCurrency": currency if prices else None,
        "priceSpecification": _span(prices, currency),
        "description": None if prices else cost,
        "url": event.url,
        "category": "primary",
        "availability": f"{SCHEMA}/{'Discontinued' if event.status == CANCELED else 'InStock'}",
        "validFrom": event.record["published"].replace(tzinfo=UTC).isoformat(timespec="seconds"),
    }
    return node("Offer", offer)


def _currency(event: ReadEvent) -> str:
    """Return the ISO 4217 code; an amount without a symbol has the site's currency."""
    cost = event.cost or {"symbol": "", "code": ""}
    own = "" if cost["symbol"] else event.context.settings.currency_code
    return str(cost["code"] or own)


def _span(prices: list[str], currency: str) -> Node | None:
    if len(prices) < 2:  # noqa: PLR2004  # one price has no span
        return None
    span = {"minPrice": prices[0], "maxPrice": prices[-1], "priceCurrency": currency}
    return node("PriceSpecification", span)


def _prices(event: ReadEvent) -> list[str]:
    """Return the numeric amounts in ascending order; free is 0."""
    stored = event.cost["values"] if event.cost else ()
    values = ("0" if value == _FREE else value for value in stored)
    return [value for value in values if _is_amount(value)]


def _is_amount(value: str) -> bool:
    try:
        return Decimal(value).is_finite()
    except InvalidOperation:
        return False


def _is_free(prices: list[str]) -> bool | None:
    """Return whether all amounts are zero; ``None`` without amounts."""
    return Decimal(prices[-1]) == 0 if prices else None


def place_node(venue: ReadVenue) -> Node:
    """Return the schema.org Place."""
    record, texts = venue.record, venue.localized(VENUE.translatable)
    address = {
        "streetAddress": texts.get("address"),
        "addressLocality": texts.get("city"),
        "addressRegion": texts.get("stateprovince") or state_or_province(texts),
        "postalCode": record["zip"],
        "addressCountry": texts.get("country"),
    }
    longitude, latitude = venue.point or (None, None)
    geo = {"latitude": latitude, "longitude": longitude}
    properties = {
        "name": venue.name.text,
        "description": plain(texts.get("description", "")),
        "image": pictures(venue.picture),
        "url": venue.url,
        "address": node("PostalAddress", address) if any(address.values()) else None,
        "geo": node("GeoCoordinates", geo) if venue.point else None,
        "telephone": record["phone"],
        "sameAs": texts.get("website"),
        "subjectOf": _page(venue),
    }
    return node("Place", properties)


def organization_node(organizer: ReadOrganizer) -> Node:
    """Return the schema.org Organization; the e-mail address is unencoded."""
    website = organizer.website
    properties = {
        "name": organizer.name.text,
        "description": plain(organizer.description.text),
        "image": pictures(organizer.picture),
        "url": website or organizer.url,
        "telephone": organizer.record["phone"],
        "email": organizer.record["email"],
        "sameAs": website,
        "subjectOf": _page(organizer),
    }
    return node("Organization", properties)


_WHOLE = Describing(place_node, organization_node, _series)


def describe_term(kind: Kind, term: Record, context: ReadContext) -> Node:
    """Describe a term as a JSON-LD document."""
    return document(term_node(kind, ReadTerm(term, context, kind.singular)))


def term_node(kind: Kind, read: ReadTerm) -> Node:
    """Return the schema.org DefinedTerm."""
    properties = {
        "name": read.name.text,
        "description": plain(read.description.text),
        "termCode": read.slug,
        "url": read.url,
        "inDefinedTermSet": read.context.addresses.collection(kind.name),
        "subjectOf": _page(read),
    }
    return node("DefinedTerm", properties)


def describe_event(event: Record, context: ReadContext) -> Node:
    """Describe an event as a JSON-LD document."""
    return event_document(ReadEvent(event, context))


def describe_venue(venue: Record, context: ReadContext) -> Node:
    """Describe a venue as a JSON-LD document."""
    return document(place_node(ReadVenue(venue, context)))


def describe_organizer(organizer: Record, context: ReadContext) -> Node:
    """Describe an organizer as a JSON-LD document."""
    return document(organization_node(ReadOrganizer(organizer, context)))
