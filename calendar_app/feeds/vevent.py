"""An event as a VEVENT (RFC 5545 section 3.6.1, with RFC 7986)."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from itertools import groupby

from icalendar import Event

from calendar_app.domain.attendance import CANCELED, POSTPONED, SCHEDULED
from calendar_app.domain.kind import Record
from calendar_app.domain.link_targets import with_targets
from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.domain.zones import instant_of, zone_of
from calendar_app.feeds.entry import Entry, LocalizedText
from calendar_app.feeds.values import (
    Value,
    date_value,
    is_mail_address,
    local_datetime,
    mailto,
    text,
    texts,
    uri,
    utc_datetime,
)
from calendar_app.feeds.vtimezone import LAST_YEAR, is_utc, tzid_of
from calendar_app.http.presentation.presenting import JSONObject

_STATUS = {SCHEDULED: "CONFIRMED", POSTPONED: "TENTATIVE", CANCELED: "CANCELLED"}
_DAY = timedelta(days=1)
# Punctuation that may surround a URL in a text.
_PUNCTUATION = "()[]<>.,;:!?\"'«»"
_PICTURES = {"jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png"}
_PICTURES |= {"webp": "image/webp", "gif": "image/gif"}


def vevent(entry: Entry) -> Event:
    """Return the event in one language; withdrawn with title and dates only."""
    component, title = Event(), entry.title
    # The same in all languages.
    component["UID"] = text(str(entry.series_uid))
    # Without METHOD it is the time of the last change (RFC 5545 section 3.8.7.2).
    component["DTSTAMP"] = utc_datetime(entry.stamp.changed)
    # Clients replace an event only by a higher SEQUENCE.
    component["SEQUENCE"] = Value(str(entry.stamp.sequence))
    component["STATUS"] = text(_STATUS[entry.status])
    component["SUMMARY"] = text(title.text, title.language)
    _add_times(component, entry)
    if "recurrence_id" in entry.event:
        component["RECURRENCE-ID"] = wall_time(entry.event["recurrence_id"], entry.event)
    if not entry.off:
        _add_history(component, entry)
        _add_texts(component, entry)
        _add_place(component, entry)
        _add_people(component, entry)
    return component


def wall_time(wall: datetime, record: Record) -> Value:
    """Return a wall clock of a series or its event, as dates of its recurrence are written."""
    zone = zone_of(record["timezone"])
    if record["all_day"]:
        return date_value(wall.date())
    return utc_datetime(wall) if is_utc(zone) else local_datetime(wall, tzid_of(zone))


def _add_history(component: Event, entry: Entry) -> None:
    component["LAST-MODIFIED"] = utc_datetime(entry.stamp.changed)
    component["CREATED"] = utc_datetime(entry.event["published"])
    component["URL"] = uri(entry.event_json["url"])


def _add_times(component: Event, entry: Entry) -> None:
    event = entry.event
    if entry.all_day:
        first, last = entry.days
        component["DTSTART"] = date_value(first)
        if last < date.max:
            component["DTEND"] = date_value(last + _DAY)
        elif first < last:
            component["DURATION"] = Value(f"P{(last - first + _DAY).days}D")
        return
    zone = zone_of(event["timezone"])
    component["DTSTART"] = _time(event["start"], event["start_local"], zone)
    if event["end"] > event["start"]:
        component["DTEND"] = _time(event["end"], event["end_local"], zone)


def _time(instant: datetime, wall: datetime, zone: tzinfo) -> Value:
    """Return a local time, or UTC if local time is ambiguous.

    Of two readings of the clock the first counts (RFC 5545 section 3.3.5); behind the last year of
    the VTIMEZONE local time is undefined.
    """
    if is_utc(zone) or wall.year > LAST_YEAR or instant_of(wall, zone) != instant:
        return utc_datetime(instant)
    return local_datetime(wall, tzid_of(zone))


def _add_texts(component: Event, entry: Entry) -> None:
    html = entry.event_json["description"] or entry.event_json["excerpt"]
    field = "description" if entry.event_json["description"] else "excerpt"
    language = entry.language_of(field)
    if words := _description(html, entry.event_json):
        component["DESCRIPTION"] = text(words, language)
    if html:
        # For clients that display HTML; none supports the property of RFC 9073 yet.
        component["X-ALT-DESC"] = text(html, language, FMTTYPE="text/html")
    groups = groupby(entry.terms("categories"), key=_group_key)
    if lists := [texts((w.text for w in words), language) for (language, _), words in groups]:
        component["CATEGORIES"] = lists
    image = entry.event_json["image"]
    if image:
        kind = _PICTURES.get(image["extension"])
        parameters = {"VALUE": "URI", **({"FMTTYPE": kind} if kind else {})}
        component["IMAGE"] = uri(image["url"], **parameters)


def _description(html: str, event_json: JSONObject) -> str:
    """Return the plain description, with the website unless it is in the text."""
    words, website = plain_lines(with_targets(html)), decoded(event_json["website"])
    if _contains_url(words, website) or website == decoded(event_json["url"]):
        return words
    return "\n\n".join(filter(None, (words, website)))


def _contains_url(words: str, address: str) -> bool:
    """Return whether a URL is a word of a text."""
    return address.strip(_PUNCTUATION) in {word.strip(_PUNCTUATION) for word in words.split()}


def _group_key(name: LocalizedText) -> tuple[str, str]:
    """Return the key of categories on one line: the language.

    A name that ends in a backslash stands alone, since ical.js misreads the comma behind it.
    """
    return name.language, name.text if name.text.endswith("\\") else ""


def _add_place(component: Event, entry: Entry) -> None:
    place, point = entry.place, entry.point
    if place:
        component["LOCATION"] = text(place.text, place.language)
    if point:
        longitude, latitude = point
        component["GEO"] = Value(f"{_degrees(latitude)};{_degrees(longitude)}")
    if entry.event_json["online_url"]:
        component["CONFERENCE"] = uri(entry.event_json["online_url"], VALUE="URI")


def _add_people(component: Event, entry: Entry) -> None:
    """Add the first organizer with an e-mail address as ORGANIZER, others as CONTACT."""
    people = list(entry.event_json["organizer"])
    leader = next(
        (organizer for organizer in people if is_mail_address(organizer.get("email", ""))), None
    )
    if leader:
        people.remove(leader)
        name = decoded(leader["organizer"])
        component["ORGANIZER"] = mailto(leader["email"], CN=name)
    if people:
        component["CONTACT"] = [text(", ".join(_contact(organizer))) for organizer in people]


def _contact(organizer: dict[str, str]) -> Iterator[str]:
    yield decoded(organizer["organizer"])
    yield from (organizer[n] for n in ("phone", "email", "website") if organizer.get(n))


def _degrees(angle: float) -> str:
    """Return degrees with six decimals, without a negative zero."""
    return f"{round(angle, 6) + 0.0:.6f}"
