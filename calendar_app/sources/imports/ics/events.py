"""A VEVENT as changes in the editor's words."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

from icalendar import Event

from calendar_app.domain.kind import Record
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.statuses import (
    CANCELED,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    PRIVATE,
    SCHEDULED,
)
from calendar_app.domain.texts.foreign import description_html, links_in, title_html
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.texts.sanitizing import clean_html, web_url
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import UNTITLED
from calendar_app.sources.imports.ics.properties import (
    EventTimes,
    broken_values,
    ends_before,
    is_inline,
    line,
    parameter,
    text,
    texts,
    value,
    values,
)
from calendar_app.sources.imports.participation import participation_of

# The parameters of comments that say who wrote the texts, and who publishes the event.
_APART = ("X-AI-DISCLOSURE", "X-CREDIT")
# By STATUS; a COMMENT then says the reason.
UNPLANNED: Mapping[str, str] = MappingProxyType({"CANCELLED": CANCELED, "TENTATIVE": POSTPONED})
# The library unescapes no text of properties that RFC 5545 does not know.
_ESCAPED = re.compile(r"\\([nN,;\\])")
_ESCAPED_END = re.compile(r"(?<![:\\])\\n")
_BODY_BEGINS = re.compile(r"<body\b[^<>]*>", re.IGNORECASE)
_BODY_ENDS = re.compile("</body>", re.IGNORECASE)


class Languages:
    """The languages of the site, and the one of texts that name none of them."""

    def __init__(self, site: Collection[str], default: str) -> None:
        self._site = {tag.lower(): tag for tag in site}
        self._default = default

    @property
    def tags(self) -> tuple[str, ...]:
        """Return the language of texts that name none, and those of the site."""
        return self._default, *self._site.values()

    def of(self, prop: Any) -> str:
        """Return the language of a property: ``de`` also where it says de-CH."""
        tag = parameter(prop, "LANGUAGE").lower()
        own = self._site.get(tag) or self._site.get(tag.partition("-")[0])
        return own or self._default


def texts_of(event: Event, master: Event, languages: Languages) -> tuple[str, Record]:
    """Return the language of the title, and all texts by language; ``None`` clears one.

    An event without a title has that of its ``master``.
    """
    titled = event if has_title(event) else master
    language = languages.of(value(titled, "SUMMARY"))
    title = text(titled, "SUMMARY") or translated(UNTITLED, (language,))
    website = next((address for _, address in links_in(text(event, "URL"))), "")
    own = {"title": title_html(title), "description": None, "website": website or None}
    variants: dict[str, Record] = {language: own}
    prop, html = _description(event)
    if html:
        variants.setdefault(languages.of(prop), {})["description"] = html
    own["status_reason"] = None
    if text(event, "STATUS").upper() in UNPLANNED and (comment := _reason(event)):
        own_language = languages.of(comment)
        variants.setdefault(own_language, {})["status_reason"] = str(comment).strip()
    return language, variants


def replaces_later_dates(event: Event) -> bool:
    """Return whether an event takes the place of its date, and of all later ones."""
    return parameter(value(event, "RECURRENCE-ID"), "RANGE").upper() == "THISANDFUTURE"


def _reason(event: Event) -> Any:
    """Return the comment that says why an event is off; others are about its texts or origin."""
    comments = (
        each
        for each in values(event, "COMMENT")
        if not any(parameter(each, name) for name in _APART)
    )
    return next((each for each in comments if str(each).strip()), None)


def has_title(event: Event) -> bool:
    return bool(text(event, "SUMMARY"))


def _description(event: Event) -> tuple[Any, str]:
    """Return the property with the description, and its HTML."""
    for prop in values(event, "X-ALT-DESC"):
        if parameter(prop, "FMTTYPE").lower() == "text/html":
            html = _body(_ESCAPED.sub(_unescaped, str(prop)))
            if cleaned := clean_html(html, trusted=False):
                return prop, cleaned
    words = text(event, "DESCRIPTION")
    if "\n" not in words:
        # Some programs escape their line ends twice.
        words = _ESCAPED_END.sub("\n", words)
    return value(event, "DESCRIPTION"), description_html(words)


def _body(html: str) -> str:
    """Return the content of the body element, or the whole text without one."""
    begin = max((match.end() for match in _BODY_BEGINS.finditer(html)), default=0)
    end = _BODY_ENDS.search(html, begin)
    return html[begin : end.start() if end else None]


def _unescaped(match: re.Match[str]) -> str:
    return "\n" if match[1] in "nN" else match[1]


# Places and people of VEVENTs, as records to find again by name, or to create.

_PHONE = re.compile(r"\+?[\d\s()/.-]{5,}")
_MAILTO = "mailto:"
_AROUND_LINK = " \t,;|:/\u2013-"
# What programs of meetings write before their link.
_ONLINE_WORDS = frozenset(
    {"google meet", "jitsi", "link", "livestream", "microsoft teams", "online", "stream", "teams"}
    | {"video", "webex", "zoom", "zoom meeting"}
)


class Location(NamedTuple):
    """A LOCATION: an address of the web in it, the place beside that, and what is neither."""

    link: str
    place: str
    note: str


def location_of(event: Event) -> Location:
    """Return the parts of a LOCATION; brackets behind a link, as around a password, are a note."""
    words = line(event, "LOCATION")
    address, link = next(links_in(words), ("", ""))
    if not link:
        return Location("", words, "")
    place = words.replace(address, "", 1).strip(_AROUND_LINK)
    if place.startswith("(") and place.endswith(")"):
        return Location(link, "", place)
    return Location(link, "" if place.lower() in _ONLINE_WORDS else place, "")


def venues_of(event: Event, languages: Languages) -> list[Record]:
    """Return the venue: its name, what follows the first comma as address, and its point."""
    place = location_of(event).place
    if not place:
        return []
    name, _, rest = place.partition(", ")
    language = languages.of(value(event, "LOCATION"))
    texts = {"venue": title_html(name)} | ({"address": rest} if rest else {})
    geo = _geo(value(event, "GEO"))
    return [{"variants": {language: texts}} | ({"geo": geo} if geo else {})]


def has_point(event: Event) -> bool:
    """Return whether the venue of an event has a point."""
    return bool(location_of(event).place and _geo(value(event, "GEO")))


def organizers_of(event: Event, languages: Languages) -> list[Record]:
    """Return the organizers: ORGANIZER, and each CONTACT."""
    people = [*map(_organizer, values(event, "ORGANIZER")), *_contacts(event)]
    language = languages.of(value(event, "CONTACT"))
    organizers = []
    for person in people:
        name, website = person.pop("name"), person.pop("website", "")
        texts = {"organizer": title_html(name)} | ({"website": website} if website else {})
        organizers.append({"variants": {language: texts}, **person})
    return organizers


def online_url_of(event: Event) -> str:
    """Return the address at which an event can be followed."""
    sources = [*values(event, "CONFERENCE"), *values(event, "X-GOOGLE-CONFERENCE")]
    addresses = filter(None, map(web_url, map(str, sources)))
    return next(addresses, "") or location_of(event).link


def _organizer(prop: Any) -> dict[str, str]:
    uri = str(prop)
    is_mail = uri.lower().startswith(_MAILTO)
    mail = unquote(uri[len(_MAILTO) :]) if is_mail else ""
    return {"name": parameter(prop, "CN") or mail or uri, "email": mail}


def _contacts(event: Event) -> Iterator[dict[str, str]]:
    for contact in values(event, "CONTACT"):
        name, *parts = str(contact).split(", ")
        person = {"name": name}
        for part in parts:
            if "@" in part:
                person["email"] = part
            elif web_url(part):
                person["website"] = web_url(part)
            elif _PHONE.fullmatch(part):
                person["phone"] = part
        if name.strip():
            yield person


def _geo(prop: Any) -> tuple[float, float] | None:
    if prop is None:
        return None
    latitude, longitude = prop.latitude, prop.longitude
    possible = abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN
    return (latitude, longitude) if possible else None


# All of a VEVENT.

_HIDDEN_CLASSES = ("PRIVATE", "CONFIDENTIAL")


def changes_of(
    event: Event, times: EventTimes, languages: Languages, master: Event | None = None
) -> tuple[str, Record]:
    """Return the language of the title, and the changes; raise ``ValueError`` if unreadable."""
    language, variants = texts_of(event, master or event, languages)
    venues, online_url = venues_of(event, languages), online_url_of(event)
    mode = (MIXED if venues else ONLINE) if online_url else OFFLINE
    changes = {
        "variants": variants,
        "venues": venues,
        "organizers": organizers_of(event, languages),
        "categories": list(dict.fromkeys(texts(event, "CATEGORIES"))),
        "image": _image(event),
        "online_url": online_url,
        "attendance_mode": mode,
    }
    if text(event, "STATUS").upper() == "CANCELLED":
        # Cancellations often say nothing but the time.
        variants[language] = _nonempty(variants[language])
        changes = _nonempty(changes | {"attendance_mode": mode if online_url else ""})
    when = times.changes()
    changes |= _nonempty(_participation(event, when["timezone"]))
    changes["event_status"] = UNPLANNED.get(text(event, "STATUS").upper(), SCHEDULED)
    if text(event, "CLASS").upper() in _HIDDEN_CLASSES:
        changes["status"] = PRIVATE
    return language, changes | when


def _participation(event: Event, timezone: str) -> Record:
    """Return access, audience and registration from linked data in an event."""
    for prop in values(event, "STRUCTURED-DATA"):
        if parameter(prop, "FMTTYPE").lower() == "application/ld+json":
            for words in (str(prop), _ESCAPED.sub(_unescaped, str(prop))):
                with suppress(ValueError):
                    node = json.loads(words)
                    return participation_of(node, timezone) if isinstance(node, dict) else {}
    return {}


def left_out(event: Event) -> Iterator[str]:
    """Yield in words the parts of an event that an import leaves out."""
    for name, content in broken_values(event):
        yield Message("{name}, which cannot be read: {content}", name=name, content=content)
    if note := location_of(event).note:
        yield Message("the words after the address in LOCATION: {note}", note=note)
    if "RECURRENCE-ID" in event and not replaces_later_dates(event):
        for name in ("RRULE", "RDATE", "EXDATE"):
            if name in event:
                yield Message("{name}, which a single date of a series cannot have.", name=name)
    start = value(event, "DTSTART")
    if start and any(ends_before(rule, start.dt) for rule in values(event, "RRULE")):
        yield Message("RRULE, which ends before the event begins.")
    if "EXRULE" in event:
        yield Message("EXRULE, which iCalendar has no more; list these dates as EXDATE.")
    if value(event, "GEO") is not None and not has_point(event):
        yield Message("GEO, which needs a LOCATION, and degrees that exist.")
    yield from _files_left_out(event)


def _files_left_out(event: Event) -> Iterator[str]:
    for name in ("ATTACH", "IMAGE"):
        if any(map(is_inline, values(event, name))):
            yield Message("the file in {name}; only addresses are taken.", name=name)
    for prop in values(event, "ATTACH"):
        if not is_inline(prop) and not parameter(prop, "FMTTYPE").lower().startswith("image/"):
            yield Message("ATTACH, which is not a picture: {prop}", prop=prop)
    for name in ("URL", "IMAGE"):
        words = [str(each).strip() for each in values(event, name) if not is_inline(each)]
        for word in words:
            written, _ = next(links_in(word), ("", ""))
            if written != word:
                yield Message(
                    "{name}, which is not a web address: {words}",
                    name=name,
                    words=word.replace(written, "").strip(),
                )


def _nonempty(changes: Record) -> Record:
    return {name: value for name, value in changes.items() if value}


def _image(event: Event) -> str | None:
    """Return the address of IMAGE, else of an ATTACH that is a picture."""
    attached = (
        prop
        for prop in values(event, "ATTACH")
        if parameter(prop, "FMTTYPE").lower().startswith("image/") and not is_inline(prop)
    )
    addresses = (web_url(str(prop)) for prop in (*values(event, "IMAGE"), *attached))
    return next(filter(None, addresses), None)
