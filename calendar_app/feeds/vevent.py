"""An event as a VEVENT (RFC 5545 section 3.6.1, with RFC 7986)."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from itertools import groupby

from icalendar import Event

from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import plain_lines, with_targets
from calendar_app.domain.statuses import CANCELED, POSTPONED, SCHEDULED, Stamp
from calendar_app.domain.zones import instant_of, zone_of
from calendar_app.feeds.feed import Feed
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
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer
from calendar_app.readmodel.records import LocalText

_STATUS = {SCHEDULED: "CONFIRMED", POSTPONED: "TENTATIVE", CANCELED: "CANCELLED"}
_DAY = timedelta(days=1)
# Punctuation that may surround a URL in a text.
_PUNCTUATION = "()[]<>.,;:!?\"'«»"
_PICTURES = {"jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png"}
_PICTURES |= {"webp": "image/webp", "gif": "image/gif"}


def vevent(event: ReadEvent, stamp: Stamp, feed: Feed) -> Event:
    """Return the event in one language; withdrawn with title and dates only."""
    component, title = Event(), event.title
    # The same in all languages.
    component["UID"] = text(str(feed.uid_of(event.record.get("series") or event.id)))
    # Without METHOD it is the time of the last change (RFC 5545 section 3.8.7.2).
    component["DTSTAMP"] = utc_datetime(stamp.changed)
    # Clients replace an event only by a higher SEQUENCE.
    component["SEQUENCE"] = Value(str(stamp.sequence))
    component["STATUS"] = text(_STATUS[event.status])
    component["SUMMARY"] = text(title.text, title.language)
    _add_times(component, event)
    if "recurrence_id" in event.record:
        component["RECURRENCE-ID"] = wall_time(event.record["recurrence_id"], event.record)
    if not event.is_withdrawn:
        if reason := event.status_reason:
            component["COMMENT"] = text(reason.text, reason.language)
        _add_history(component, event, stamp)
        _add_texts(component, event)
        _add_place(component, event)
        _add_people(component, event)
    return component


def wall_time(wall: datetime, record: Record) -> Value:
    """Return a wall clock of a series or its event, as dates of its recurrence are written."""
    zone = zone_of(record["timezone"])
    if record["all_day"]:
        return date_value(wall.date())
    return utc_datetime(wall) if is_utc(zone) else local_datetime(wall, tzid_of(zone))


def _add_history(component: Event, event: ReadEvent, stamp: Stamp) -> None:
    component["LAST-MODIFIED"] = utc_datetime(stamp.changed)
    component["CREATED"] = utc_datetime(event.record["published"])
    component["URL"] = uri(event.url)


def _add_times(component: Event, event: ReadEvent) -> None:
    record = event.record
    if event.all_day:
        first, last = event.start.date(), event.end.date()
        component["DTSTART"] = date_value(first)
        if last < date.max:
            component["DTEND"] = date_value(last + _DAY)
        elif first < last:
            component["DURATION"] = Value(f"P{(last - first + _DAY).days}D")
        return
    zone = zone_of(record["timezone"])
    component["DTSTART"] = _time(record["start"], event.start, zone)
    if record["end"] > record["start"]:
        component["DTEND"] = _time(record["end"], event.end, zone)


def _time(instant: datetime, wall: datetime, zone: tzinfo) -> Value:
    """Return a local time, or UTC if local time is ambiguous.

    Of two readings of the clock the first counts (RFC 5545 section 3.3.5); behind the last year of
    the VTIMEZONE local time is undefined.
    """
    if is_utc(zone) or wall.year > LAST_YEAR or instant_of(wall, zone) != instant:
        return utc_datetime(instant)
    return local_datetime(wall, tzid_of(zone))


def _add_texts(component: Event, event: ReadEvent) -> None:
    body = event.body
    if words := _description(event):
        component["DESCRIPTION"] = text(words, body.language)
    if body:
        # For clients that display HTML; none supports the property of RFC 9073 yet.
        component["X-ALT-DESC"] = text(body.text, body.language, FMTTYPE="text/html")
    groups = groupby((term.name for term in event.categories), key=_group_key)
    if lists := [texts((w.text for w in words), language) for (language, _), words in groups]:
        component["CATEGORIES"] = lists
    picture = event.picture
    if picture:
        kind = _PICTURES.get(picture.extension)
        parameters = {"VALUE": "URI", **({"FMTTYPE": kind} if kind else {})}
        component["IMAGE"] = uri(picture.full.url, **parameters)


def _description(event: ReadEvent) -> str:
    """Return the plain description, with the website unless it is in the text."""
    words, website = plain_lines(with_targets(event.body.text)), event.website
    if not website or website == event.url or _contains_url(words, website):
        return words
    return "\n\n".join(filter(None, (words, website)))


def _contains_url(words: str, address: str) -> bool:
    """Return whether a URL is a word of a text."""
    return address.strip(_PUNCTUATION) in {word.strip(_PUNCTUATION) for word in words.split()}


def _group_key(name: LocalText) -> tuple[str, str]:
    """Return the key of categories on one line: the language.

    A name that ends in a backslash stands alone, since ical.js misreads the comma behind it.
    """
    return name.language, name.text if name.text.endswith("\\") else ""


def _add_place(component: Event, event: ReadEvent) -> None:
    point = event.point
    if event.places:
        place = event.places[0].name_and_address
        component["LOCATION"] = text(place.text, place.language)
    if point:
        longitude, latitude = point
        component["GEO"] = Value(f"{_degrees(latitude)};{_degrees(longitude)}")
    if event.online_url:
        component["CONFERENCE"] = uri(event.online_url, VALUE="URI")


def _add_people(component: Event, event: ReadEvent) -> None:
    """Add the first organizer with an e-mail address as ORGANIZER, others as CONTACT."""
    people = list(event.organizers)
    leader = next((person for person in people if is_mail_address(person.email)), None)
    if leader:
        people.remove(leader)
        component["ORGANIZER"] = mailto(leader.email, CN=leader.name.text)
    if people:
        component["CONTACT"] = [text(", ".join(_contact(person))) for person in people]


def _contact(person: ReadOrganizer) -> Iterator[str]:
    yield person.name.text
    yield from filter(None, (person.phone, person.email, person.website))


def _degrees(angle: float) -> str:
    """Return degrees with six decimals, without a negative zero."""
    return f"{round(angle, 6) + 0.0:.6f}"
