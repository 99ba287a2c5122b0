"""Events of schema.org, as JSON-LD in a page, in the pages of a sitemap, or by itself."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from urllib.parse import urljoin

from calendar_app.domain.cost import FREE, Cost, parse_cost
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import LAST_SECOND
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.statuses import (
    CANCELED,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    SCHEDULED,
)
from calendar_app.domain.texts.foreign import description_html, title_html
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import EXTERNAL_ID, CalendarEvent
from calendar_app.sources.imports.participation import is_way, participation_of
from calendar_app.sources.parsed import ParsedCalendar, SourceError
from calendar_app.sources.readers.graphs import VOCABULARY, GraphNode, listed, types_of
from calendar_app.sources.readers.json_ld import event_nodes
from calendar_app.sources.readers.records import (
    Reading,
    identity,
    label_of,
    link_or_report,
    nonempty,
    single_event,
    times,
)

KIND = "jsonld"
_STATUSES = {"EventCancelled": CANCELED, "EventPostponed": POSTPONED}
_MODES = {
    "OfflineEventAttendanceMode": OFFLINE,
    "OnlineEventAttendanceMode": ONLINE,
    "MixedEventAttendanceMode": MIXED,
}
_LEFT_OUT = ("eventSchedule", "performer", "aggregateRating", "remainingAttendeeCapacity")
_SLASHED = re.compile(r"(?<![:\\])\\(['\"n])")
_CATEGORIES = "/categories"


def read_jsonld(content: bytes, address: str, reading: Reading) -> ParsedCalendar:
    """Return the events of a page or of collected pages; raise ``SourceError`` without any JSON-LD.

    ``address`` is that of the page: addresses in it may be relative.
    """
    parsed = ParsedCalendar()
    nodes = list(event_nodes(content, parsed))
    if not nodes and not parsed.refused:
        raise SourceError("There are no events of schema.org (JSON-LD) on the page.")
    distinct = _distinct(nodes)
    uids = Counter(uid for _, node in distinct if (uid := _uid(node)))
    for page, node in distinct:
        title = _text(node.get("name"))
        uid = _uid(node)
        with parsed.refusing(label_of(uid or "without id", title), uid):
            is_shared = uids[uid] > 1
            parsed.events.append(_event(node, page or address, is_shared, reading, parsed))
    return parsed


def _distinct(nodes: list[tuple[str, GraphNode]]) -> list[tuple[str, GraphNode]]:
    """Return each event once: of those with one id and start that which says most."""
    richest: dict[tuple[str, str], tuple[str, GraphNode]] = {}
    lengths: dict[tuple[str, str], int] = {}
    for page, node in nodes:
        key, length = (_uid(node) or _made_uid(node), _text(node.get("startDate"))), len(str(node))
        if length > lengths.get(key, 0):
            richest[key], lengths[key] = (page, node), length
    return list(richest.values())


def _uid(node: GraphNode) -> str:
    identifier = node.get("identifier")
    if isinstance(identifier, dict):
        identifier = identifier.get("value")
    candidates = (node.get("@id"), identifier, node.get("url"))
    return next((str(each).strip() for each in candidates if isinstance(each, str | int)), "")


def _made_uid(node: GraphNode) -> str:
    place = next(_members(node.get("location")), {})
    return identity(_text(node.get("startDate")), _text(node.get("name")), _text(place.get("name")))


def _event(
    node: GraphNode, page: str, is_shared: bool, reading: Reading, parsed: ParsedCalendar
) -> CalendarEvent:
    start = _time(node, "startDate")
    if start is None:
        raise ValueError("It has no startDate.")
    language = reading.language_of(_language(node))
    title = _text(node.get("name"))
    if not title:
        raise ValueError("It has no name.")
    uid = _uid(node) or _made_uid(node)
    uid = f"{uid}#{_text(node.get('startDate'))}" if is_shared else uid
    label = label_of(uid, title)
    for name in _LEFT_OUT:
        if node.get(name):
            parsed.leave_out(label, Message("{name}, which is not taken.", name=name))
    links = _Links(parsed, label, page)
    categories, tags = _keywords(node)
    changes = {
        "variants": _variants(node, language, links, reading),
        **_places(node, language, links),
        "organizers": [_person(node, each, language) for each in _members(node.get("organizer"))],
        "categories": categories,
        "tags": tags,
        "image": _image(node, links),
        **times(*_whole_days(start, _time(node, "endDate")), reading.timezone),
    }
    participation = participation_of(node, changes["timezone"])
    # Where texts name no language of their own, it is theirs.
    changes |= participation if _names_languages(node) else {**participation, "in_language": []}
    status = VOCABULARY.sub("", _text(node.get("eventStatus")))
    changes["event_status"] = _STATUSES.get(status, SCHEDULED)
    mode = _MODES.get(VOCABULARY.sub("", _text(node.get("eventAttendanceMode"))))
    if status == "EventMovedOnline":
        mode = ONLINE
    changes["attendance_mode"] = mode or changes["attendance_mode"]
    if cost := _cost(node, reading):
        changes["cost"] = cost
    event = single_event(KIND, uid, title, changes, language)
    return replace(event, picture_texts=_picture_texts(_first_image(node)))


def _names_languages(node: GraphNode) -> bool:
    """Say whether the name has a language, beside those in which the event is held."""
    return any(isinstance(name, dict) and "@language" in name for name in listed(node.get("name")))


class _Links:
    """Resolves URLs relative to the page, and reports invalid ones."""

    def __init__(self, parsed: ParsedCalendar, label: str, page: str) -> None:
        self._parsed, self._label = parsed, label
        self.page = page

    def read(self, value: Any, name: str) -> str:
        words = _text(value)
        with suppress(ValueError):
            words = urljoin(self.page, words) if words else ""
        return link_or_report(self._parsed, self._label, name, words)

    def leave_out(self, words: str) -> None:
        self._parsed.leave_out(self._label, words)


def _variants(node: GraphNode, language: str, links: _Links, reading: Reading) -> Record:
    """Return the texts by language; values may name theirs with ``@language``."""
    own = {
        "title": title_html(_text(node.get("name"))),
        "description": None,
        "website": links.read(node.get("url"), "url") or links.page or None,
    }
    variants: dict[str, Record] = {language: own}
    for name, field, convert in (
        ("name", "title", title_html),
        ("description", "description", description_html),
    ):
        for value in listed(node.get(name)):
            tag = str(value.get("@language", "")) if isinstance(value, dict) else ""
            target = reading.language_of(tag) if tag else language
            if words := convert(_text(value)):
                variants.setdefault(target, {})[field] = words
    return {tag: texts for tag, texts in variants.items() if texts.get("title")}


def _places(node: GraphNode, language: str, links: _Links) -> Record:
    venues, online = [], ""
    for place in _members(node.get("location")):
        if "VirtualLocation" in types_of(place):
            online = links.read(place.get("url"), "VirtualLocation")
        elif venue := _venue(place, language, links):
            venues.append(venue | _external_id(node, place))
    mode = (MIXED if venues else ONLINE) if online else OFFLINE
    return {"venues": venues, "online_url": online, "attendance_mode": mode}


def _venue(place: GraphNode, language: str, links: _Links) -> Record | None:
    postal = next(iter(listed(place.get("address"))), None)
    parts = postal if isinstance(postal, dict) else {"streetAddress": _text(postal)}
    address = {
        "address": _text(parts.get("streetAddress")),
        "city": _text(parts.get("addressLocality")),
        "stateprovince": _text(parts.get("addressRegion")),
        "country": _text(parts.get("addressCountry")),
    }
    name = _text(place.get("name")) or address["address"] or address["city"]
    geo = _point(next(iter(listed(place.get("geo"))), None))
    if not name:
        if geo:
            links.leave_out("geo, which needs a place with a name.")
        return None
    texts = {"venue": title_html(name), **nonempty(address)}
    shared = {"zip": _text(parts.get("postalCode")), "phone": _text(place.get("telephone"))}
    return {"variants": {language: texts}, **nonempty(shared), **({"geo": geo} if geo else {})}


def _point(geo: Any) -> tuple[float, float] | None:
    try:
        latitude, longitude = float(geo["latitude"]), float(geo["longitude"])
    except (TypeError, KeyError, ValueError):
        return None
    possible = abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN
    return (latitude, longitude) if possible else None


def _external_id(event: GraphNode, node: GraphNode) -> Record:
    """Return the id that a place or an organizer has at its source.

    One that only holds in the document, or belongs to the event, names nothing else.
    """
    own = _text(node.get("@id"))
    of_event = {_text(event.get(name)).partition("#")[0] for name in ("@id", "url")}
    if not own or own.startswith(("_:", "#")) or own.partition("#")[0] in of_event:
        return {}
    return {EXTERNAL_ID: own}


def _person(event: GraphNode, person: GraphNode, language: str) -> Record:
    name = _text(person.get("name")) or _text(person.get("email")) or _text(person.get("url"))
    if not name:
        raise ValueError("Its organizer has no name.")
    shared = {
        "email": _text(person.get("email")).removeprefix("mailto:"),
        "phone": _text(person.get("telephone")),
    }
    texts = {"organizer": title_html(name)}
    return {"variants": {language: texts}, **nonempty(shared), **_external_id(event, person)}


def _keywords(node: GraphNode) -> tuple[list[str], list[str]]:
    """Return the categories, which only our own calendars mark, and the tags."""
    words = [each for each in listed(node.get("keywords")) if not is_way(each)]
    categories = [each for each in words if _is_category(each)]
    tags = [each for each in words if not _is_category(each)]
    split = (word.strip() for text in _texts(tags) for word in text.split(","))
    return _texts(categories), list(dict.fromkeys(filter(None, split)))


def _is_category(keyword: Any) -> bool:
    return isinstance(keyword, dict) and _text(keyword.get("inDefinedTermSet")).endswith(
        _CATEGORIES
    )


def _first_image(node: GraphNode) -> GraphNode:
    """Return the first picture that has an address; a mere text is the address of one."""
    images = (
        each if isinstance(each, dict) else {"url": each} for each in listed(node.get("image"))
    )
    return next((each for each in images if _image_url(each)), {})


def _image_url(image: GraphNode) -> Any:
    urls = (image.get("url"), image.get("contentUrl"))
    return next((each for each in urls if _text(each)), None)


def _image(node: GraphNode, links: _Links) -> str | None:
    url = _image_url(_first_image(node))
    return links.read(url, "image") or None if url else None


def _picture_texts(image: GraphNode) -> dict[str, str]:
    """Return alternative text, credit and license of an ImageObject, as far as it has them."""
    holders = (image.get(name) for name in ("copyrightHolder", "creator", "author"))
    names = (_text(own.get("name")) for each in holders for own in _members(each))
    credit = _text(image.get("creditText")) or next(filter(None, names), "")
    license_ = image.get("license")
    if isinstance(license_, dict):
        license_ = license_.get("url") or license_.get("@id") or license_.get("name")
    return nonempty(
        {"alt_text": _text(image.get("caption")), "credit": credit, "license": _text(license_)}
    )


def _cost(node: GraphNode, reading: Reading) -> Record | None:
    """Return the cost of all offers together, from the lowest price to the highest."""
    costs = [*_offered(node, reading)]
    values = [value for cost, _ in costs for value in cost.values]
    numbers = {Decimal(value) for value in values if _is_price(value)}
    is_free = _text(node.get("isAccessibleForFree")).lower() == "true"
    if FREE.lower() in values or (is_free and not numbers):
        numbers.add(Decimal())
    if not numbers:
        return costs[0][0].document() if costs else None
    code = next((code for _, code in costs if code), "")
    texts = [f"{number:.2f}".removesuffix(".00") for number in sorted(numbers)]
    ends = texts if len(texts) == 1 else [texts[0], texts[-1]]
    words = " - ".join(
        f"{code} {text}".strip() if text != "0" or ends[1:] else text for text in ends
    )
    cost = parse_cost(words, reading.currency)
    return cost.document() if cost else None


def _offered(node: GraphNode, reading: Reading) -> Iterator[tuple[Cost, str]]:
    """Yield each price of an offer, as a person would read it, and its currency.

    A currency beside the number counts more than ``priceCurrency``.
    """
    for offer in _members(node.get("offers")):
        specification = next(_members(offer.get("priceSpecification")), {})
        code = _text(offer.get("priceCurrency") or specification.get("priceCurrency"))
        prices = [offer.get(name) for name in ("price", "lowPrice", "highPrice")]
        for price in filter(None, map(_text, (*prices, specification.get("price")))):
            with suppress(ValueError):
                if cost := parse_cost(price, reading.currency):
                    yield cost, (cost.code or cost.symbol) if cost.symbol else code


def _is_price(value: str) -> bool:
    return value.replace(".", "", 1).isdecimal()


def _whole_days(
    start: date | datetime, end: date | datetime | None
) -> tuple[date | datetime, date | datetime | None]:
    """Return days where times begin with the first second and end with the last one of a day."""
    if isinstance(start, datetime) and isinstance(end, datetime):
        clocks = (start.time(), end.time().replace(microsecond=0))
        if clocks == (time.min, LAST_SECOND):
            return start.date(), end.date()
    return start, end


def _language(node: GraphNode) -> str:
    language = node.get("inLanguage")
    if isinstance(language, dict):
        language = language.get("alternateName") or language.get("name")
    name = node.get("name")
    tag = name.get("@language") if isinstance(name, dict) else ""
    return next(iter(_texts(language)), "") or _text(tag)


def _time(node: GraphNode, name: str) -> date | datetime | None:
    """Return a day or a time; an offset stays with it."""
    words = _text(node.get(name))
    if not words:
        return None
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", words):
            return date.fromisoformat(words)
        moment = datetime.fromisoformat(words.replace(" ", "T", 1))
    except ValueError as error:
        raise ValueError(
            Message("{name} is not a date: {words}", name=name, words=words[:40])
        ) from error
    is_day = name == "endDate" and moment.time() == time.min and moment.tzinfo is None
    return moment.date() if is_day and len(words) == len("2026-12-24") else moment


def _text(value: Any) -> str:
    """Return the text of a value, also one with a language; of several the first."""
    match value:
        case str():
            return _unslashed(value).strip()
        case bool():
            return str(value)
        case int() | float():
            return str(value)
        case list():
            return next(filter(None, map(_text, value)), "")
        case dict():
            return _text(value.get("@value") or value.get("name") or value.get("@id"))
        case _:
            return ""


def _unslashed(words: str) -> str:
    """Return a text without the backslashes that WordPress puts before quotes, and as line ends."""
    return _SLASHED.sub(lambda match: "\n" if match[1] == "n" else match[1], words)


def _texts(value: Any) -> list[str]:
    return list(filter(None, map(_text, listed(value))))


def _members(value: Any) -> Iterator[GraphNode]:
    """Yield the objects of a property; a mere text is the name of one."""
    for member in listed(value):
        if isinstance(member, dict):
            yield member
        elif isinstance(member, str) and member.strip():
            yield {"name": member}
