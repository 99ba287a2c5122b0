"""Events of schema.org, as JSON-LD in a page, in the pages of a sitemap, or by itself."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from calendar_app.calendar.bulk.calendar_events import CalendarEvent
from calendar_app.domain.cost import parse_cost
from calendar_app.domain.kind import Record
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.statuses import (
    CANCELED,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    SCHEDULED,
)
from calendar_app.imports.ics.content import decode
from calendar_app.imports.participation import is_way, participation_of
from calendar_app.readers.markup import json_ld_scripts
from calendar_app.readers.records import (
    Reading,
    description_html,
    identity,
    label_of,
    link_or_report,
    nonempty,
    single_event,
    times,
    title_html,
)
from calendar_app.sources.parsed import ParsedCalendar, SourceError

KIND = "jsonld"
Node = Mapping[str, Any]

_VOCABULARY = re.compile(r"(?:https?://(?:www\.)?schema\.org/|schema:)", re.IGNORECASE)
# Kinds of events without that word in their names.
_EVENT_TYPES = frozenset({"Festival", "Hackathon", "EventSeries", "CourseInstance"})
_STATUSES = {"EventCancelled": CANCELED, "EventPostponed": POSTPONED}
_MODES = {
    "OfflineEventAttendanceMode": OFFLINE,
    "OnlineEventAttendanceMode": ONLINE,
    "MixedEventAttendanceMode": MIXED,
}
_LEFT_OUT = ("eventSchedule", "performer", "aggregateRating", "remainingAttendeeCapacity")
_DEPTH = 50
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_PACKING = re.compile(r"\A\s*(?:<!--|//<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\]\]>|\]\]>)\s*\Z")
_JSON = ("{", "[")


def read_jsonld(content: bytes, address: str, reading: Reading) -> ParsedCalendar:
    """Return the events of a page or of collected pages; raise ``SourceError`` without any JSON-LD.

    ``address`` is that of the page: addresses in it may be relative.
    """
    parsed = ParsedCalendar()
    nodes = list(_nodes(content, parsed))
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


def json_ld_of(text: str) -> Iterator[tuple[Any, str]]:
    """Yield each JSON-LD document in a page, or why one cannot be read."""
    if text.lstrip().startswith(_JSON):
        yield _document(text)
        return
    for script in json_ld_scripts(text):
        if script.strip():
            yield _document(script)


def _document(text: str) -> tuple[Any, str]:
    """Return a document, or the reason; commas at the end of lists are forgiven."""
    bare = _PACKING.sub("", text)
    for attempt in (bare, _TRAILING_COMMA.sub(r"\1", bare)):
        try:
            return json.loads(attempt, strict=False), ""
        except (ValueError, RecursionError) as error:
            reason = str(error)
    return None, f"It is no JSON: {reason}"


def _nodes(content: bytes, parsed: ParsedCalendar) -> Iterator[tuple[str, Node]]:
    """Yield each event, with the address of its page where several were collected."""
    text = decode(content)
    for page, body in _pages(text, parsed):
        for number, (document, reason) in enumerate(json_ld_of(body), 1):
            if reason:
                parsed.refused.append((f"JSON-LD {number} {page}".strip(), reason))
            for node in _events_in(document, _DEPTH):
                yield page, node


def _pages(text: str, parsed: ParsedCalendar) -> Iterator[tuple[str, str]]:
    """Yield address and text of each page; those of a site are collected as lines of JSON."""
    if not text.startswith('{"address": '):
        yield "", text
        return
    for line in text.splitlines():
        page = json.loads(line)
        parsed.whole = parsed.whole and page.get("whole", True)
        parsed.refused += [(page["address"], reason) for reason in page.get("reasons", ())]
        yield page["address"], json.dumps(page["documents"])


def _events_in(value: Any, depth: int) -> Iterator[Node]:
    """Yield all events in a document, those within others too."""
    if isinstance(value, list) and depth:
        for member in value:
            yield from _events_in(member, depth - 1)
    elif isinstance(value, dict) and depth:
        if _is_event(value):
            yield value
        for name, member in value.items():
            if name != "superEvent":
                yield from _events_in(member, depth - 1)


def _is_event(node: Node) -> bool:
    names = {_VOCABULARY.sub("", name) for name in _texts(node.get("@type"))}
    is_event = any(name.endswith("Event") or name in _EVENT_TYPES for name in names)
    # A series may be no more than the frame of its events.
    return is_event and ("startDate" in node or not ({"subEvent", "subEvents"} & node.keys()))


def _distinct(nodes: list[tuple[str, Node]]) -> list[tuple[str, Node]]:
    """Return each event once: of those with one id and start that which says most."""
    richest: dict[tuple[str, str], tuple[str, Node]] = {}
    lengths: dict[tuple[str, str], int] = {}
    for page, node in nodes:
        key, length = (_uid(node) or _made_uid(node), _text(node.get("startDate"))), len(str(node))
        if length > lengths.get(key, 0):
            richest[key], lengths[key] = (page, node), length
    return list(richest.values())


def _uid(node: Node) -> str:
    identifier = node.get("identifier")
    if isinstance(identifier, dict):
        identifier = identifier.get("value")
    candidates = (node.get("@id"), identifier, node.get("url"))
    return next((str(each).strip() for each in candidates if isinstance(each, str | int)), "")


def _made_uid(node: Node) -> str:
    place = next(_members(node.get("location")), {})
    return identity(_text(node.get("startDate")), _text(node.get("name")), _text(place.get("name")))


def _event(
    node: Node, page: str, is_shared: bool, reading: Reading, parsed: ParsedCalendar
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
            parsed.leave_out(label, f"{name}, which is not taken.")
    changes = {
        "variants": _variants(node, language, page, reading, parsed),
        **_places(node, language, label, parsed),
        "organizers": [_person(each, language) for each in _members(node.get("organizer"))],
        "tags": _keywords(node),
        "image": _image(node, label, parsed),
        **times(start, _time(node, "endDate"), reading.timezone),
    }
    participation = participation_of(node, changes["timezone"])
    # Where texts name no language of their own, it is theirs.
    changes |= participation if _names_languages(node) else {**participation, "in_language": []}
    status = _VOCABULARY.sub("", _text(node.get("eventStatus")))
    changes["event_status"] = _STATUSES.get(status, SCHEDULED)
    mode = _MODES.get(_VOCABULARY.sub("", _text(node.get("eventAttendanceMode"))))
    if status == "EventMovedOnline":
        mode = ONLINE
    changes["attendance_mode"] = mode or changes["attendance_mode"]
    if cost := _cost(node, reading):
        changes["cost"] = cost
    return single_event(KIND, uid, title, changes, language)


def _names_languages(node: Node) -> bool:
    """Say whether the name has a language, beside those in which the event is held."""
    return any(isinstance(name, dict) and "@language" in name for name in _listed(node.get("name")))


def _variants(
    node: Node, language: str, page: str, reading: Reading, parsed: ParsedCalendar
) -> Record:
    """Return the texts by language; values may name theirs with ``@language``."""
    own = {
        "title": title_html(_text(node.get("name"))),
        "description": None,
        "website": link_or_report(parsed, _text(node.get("name")), "url", _text(node.get("url")))
        or page
        or None,
    }
    variants: dict[str, Record] = {language: own}
    for name, field, convert in (
        ("name", "title", title_html),
        ("description", "description", description_html),
    ):
        for value in _listed(node.get(name)):
            tag = str(value.get("@language", "")) if isinstance(value, dict) else ""
            target = reading.language_of(tag) if tag else language
            if words := convert(_text(value)):
                variants.setdefault(target, {})[field] = words
    return {tag: texts for tag, texts in variants.items() if texts.get("title")}


def _places(node: Node, language: str, label: str, parsed: ParsedCalendar) -> Record:
    venues, online = [], ""
    for place in _members(node.get("location")):
        if "VirtualLocation" in {_VOCABULARY.sub("", name) for name in _texts(place.get("@type"))}:
            online = link_or_report(parsed, label, "VirtualLocation", _text(place.get("url")))
        elif venue := _venue(place, language, label, parsed):
            venues.append(venue)
    mode = (MIXED if venues else ONLINE) if online else OFFLINE
    return {"venues": venues, "online_url": online, "attendance_mode": mode}


def _venue(place: Node, language: str, label: str, parsed: ParsedCalendar) -> Record | None:
    postal = place.get("address")
    parts = postal if isinstance(postal, dict) else {"streetAddress": _text(postal)}
    address = {
        "address": _text(parts.get("streetAddress")),
        "city": _text(parts.get("addressLocality")),
        "stateprovince": _text(parts.get("addressRegion")),
        "country": _text(parts.get("addressCountry")),
    }
    name = _text(place.get("name")) or address["address"] or address["city"]
    geo = _point(place.get("geo"))
    if not name:
        if geo:
            parsed.leave_out(label, "geo, which needs a place with a name.")
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


def _person(person: Node, language: str) -> Record:
    name = _text(person.get("name")) or _text(person.get("email")) or _text(person.get("url"))
    if not name:
        raise ValueError("Its organizer has no name.")
    shared = {
        "email": _text(person.get("email")).removeprefix("mailto:"),
        "phone": _text(person.get("telephone")),
    }
    return {"variants": {language: {"organizer": title_html(name)}}, **nonempty(shared)}


def _keywords(node: Node) -> list[str]:
    tags = [each for each in _listed(node.get("keywords")) if not is_way(each)]
    words = (word for text in _texts(tags) for word in text.split(","))
    return list(dict.fromkeys(word.strip() for word in words if word.strip()))


def _image(node: Node, label: str, parsed: ParsedCalendar) -> str | None:
    for image in _listed(node.get("image")):
        url = image.get("url") or image.get("contentUrl") if isinstance(image, dict) else image
        if words := _text(url):
            return link_or_report(parsed, label, "image", words) or None
    return None


def _cost(node: Node, reading: Reading) -> Record | None:
    """Return the cost of all offers together, from the lowest price to the highest."""
    prices: list[float] = []
    code = ""
    for offer in _members(node.get("offers")):
        specification = next(_members(offer.get("priceSpecification")), {})
        code = code or _text(offer.get("priceCurrency") or specification.get("priceCurrency"))
        values = [offer.get(name) for name in ("price", "lowPrice", "highPrice")]
        prices += [
            price
            for price in map(_price, (*values, specification.get("price")))
            if price is not None
        ]
    if not prices:
        is_free = _text(node.get("isAccessibleForFree")).lower() == "true"
        prices = [0.0] if is_free else []
    texts = list(dict.fromkeys(f"{price:.2f}".removesuffix(".00") for price in sorted(prices)))
    if not texts:
        return None
    ends = texts if len(texts) == 1 else [texts[0], texts[-1]]
    words = " - ".join(
        f"{code} {text}".strip() if text != "0" or ends[1:] else text for text in ends
    )
    cost = parse_cost(words, reading.currency)
    return cost.document() if cost else None


def _price(value: Any) -> float | None:
    try:
        return float(str(value).replace(",", ".").replace("'", ""))
    except ValueError:
        return None


def _language(node: Node) -> str:
    language = node.get("inLanguage")
    if isinstance(language, dict):
        language = language.get("alternateName") or language.get("name")
    name = node.get("name")
    tag = name.get("@language") if isinstance(name, dict) else ""
    return next(iter(_texts(language)), "") or _text(tag)


def _time(node: Node, name: str) -> date | datetime | None:
    """Return a day or a time; an offset stays with it."""
    words = _text(node.get(name))
    if not words:
        return None
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", words):
            return date.fromisoformat(words)
        moment = datetime.fromisoformat(words.replace(" ", "T", 1))
    except ValueError as error:
        raise ValueError(f"{name} is no date: {words[:40]}") from error
    is_day = name == "endDate" and moment.time() == time.min and moment.tzinfo is None
    return moment.date() if is_day and len(words) == len("2026-12-24") else moment


def _text(value: Any) -> str:
    """Return the text of a value, also one with a language; of several the first."""
    match value:
        case str():
            return value.strip()
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


def _texts(value: Any) -> list[str]:
    return list(filter(None, map(_text, _listed(value))))


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _members(value: Any) -> Iterator[Node]:
    """Yield the objects of a property; a mere text is the name of one."""
    for member in _listed(value):
        if isinstance(member, dict):
            yield member
        elif isinstance(member, str) and member.strip():
            yield {"name": member}
