"""An event as a VEVENT (RFC 5545 section 3.6.1, with RFC 7986)."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta, tzinfo
from itertools import groupby

from icalendar import Event

from calendar_app.domain.attendance import CANCELED, POSTPONED, SCHEDULED
from calendar_app.domain.link_targets import with_targets
from calendar_app.domain.richtext import decoded, plain_lines
from calendar_app.domain.zones import instant_of, zone_of
from calendar_app.feeds.entry import Entry, Worded
from calendar_app.feeds.values import (
    Value,
    is_mail_address,
    mailto,
    on_day,
    on_the_spot,
    text,
    texts,
    uri,
    utc,
)
from calendar_app.feeds.vtimezone import LAST_TOLD, is_utc, tzid_of
from calendar_app.http.presentation.presenting import Shown

_STATUS = {SCHEDULED: "CONFIRMED", POSTPONED: "TENTATIVE", CANCELED: "CANCELLED"}
_DAY = timedelta(days=1)
# What may stand between an address and the white space around it.
_AROUND = "()[]<>.,;:!?\"'«»"
_PICTURES = {"jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png"}
_PICTURES |= {"webp": "image/webp", "gif": "image/gif"}


def vevent(entry: Entry) -> Event:
    """Return the event in one language; of a withdrawn one, title and dates alone."""
    component, title = Event(), entry.title
    # The same in all languages.
    component["UID"] = text(str(entry.uid))
    # Without METHOD it is the time of the last change (RFC 5545 section 3.8.7.2).
    component["DTSTAMP"] = utc(entry.modified)
    # A program replaces the event that it has by one with a higher number only.
    component["SEQUENCE"] = Value(str(entry.event["revision"]))
    component["STATUS"] = text(_STATUS[entry.status])
    component["SUMMARY"] = text(title.text, title.language)
    _add_times(component, entry)
    if not entry.off:
        _add_history(component, entry)
        _add_texts(component, entry)
        _add_place(component, entry)
        _add_people(component, entry)
    return component


def _add_history(component: Event, entry: Entry) -> None:
    component["LAST-MODIFIED"] = utc(entry.modified)
    component["CREATED"] = utc(entry.event["published"])
    component["URL"] = uri(entry.shown["url"])


def _add_times(component: Event, entry: Entry) -> None:
    event = entry.event
    if entry.all_day:
        first, last = entry.days
        component["DTSTART"] = on_day(first)
        if last < date.max:
            component["DTEND"] = on_day(last + _DAY)
        elif first < last:
            component["DURATION"] = Value(f"P{(last - first + _DAY).days}D")
        return
    zone = zone_of(event["timezone"])
    component["DTSTART"] = _time(event["start"], event["start_local"], zone)
    if event["end"] > event["start"]:
        component["DTEND"] = _time(event["end"], event["end_local"], zone)


def _time(instant: datetime, wall: datetime, zone: tzinfo) -> Value:
    """Return a time on the clocks of its zone, unless they mean another moment.

    Of two readings of the clocks the first is meant (RFC 5545 section 3.3.5); behind the years that
    are told of a zone they mean nothing certain.
    """
    if is_utc(zone) or wall.year > LAST_TOLD or instant_of(wall, zone) != instant:
        return utc(instant)
    return on_the_spot(wall, tzid_of(zone))


def _add_texts(component: Event, entry: Entry) -> None:
    html = entry.shown["description"] or entry.shown["excerpt"]
    field = "description" if entry.shown["description"] else "excerpt"
    language = entry.language_of(field)
    if words := _described(html, entry.shown):
        component["DESCRIPTION"] = text(words, language)
    if html:
        # What programs read that show HTML; RFC 9073 has a property that none knows yet.
        component["X-ALT-DESC"] = text(html, language, FMTTYPE="text/html")
    named = groupby(entry.terms("categories"), key=_line_of)
    if lists := [texts((w.text for w in words), language) for (language, _), words in named]:
        component["CATEGORIES"] = lists
    image = entry.shown["image"]
    if image:
        kind = _PICTURES.get(image["extension"])
        told = {"VALUE": "URI", **({"FMTTYPE": kind} if kind else {})}
        component["IMAGE"] = uri(image["url"], **told)


def _described(html: str, shown: Shown) -> str:
    """Return the words of the event, and its website if it has one that they do not name."""
    words, website = plain_lines(with_targets(html)), decoded(shown["website"])
    if _names(words, website) or website == decoded(shown["url"]):
        return words
    return "\n\n".join(filter(None, (words, website)))


def _names(words: str, address: str) -> bool:
    """Say whether an address stands in a text, not only as the beginning of another one."""
    return address.strip(_AROUND) in {word.strip(_AROUND) for word in words.split()}


def _line_of(name: Worded) -> tuple[str, str]:
    """Return what names have in common that stand in one line: the language.

    One that ends in a backslash stands alone: ical.js would take the comma behind it for a part.
    """
    return name.language, name.text if name.text.endswith("\\") else ""


def _add_place(component: Event, entry: Entry) -> None:
    place, point = entry.place, entry.point
    if place:
        component["LOCATION"] = text(place.text, place.language)
    if point:
        longitude, latitude = point
        component["GEO"] = Value(f"{_degrees(latitude)};{_degrees(longitude)}")
    if entry.shown["online_url"]:
        component["CONFERENCE"] = uri(entry.shown["online_url"], VALUE="URI")


def _add_people(component: Event, entry: Entry) -> None:
    """Add who organizes it: the first with an address as ORGANIZER, all others as CONTACT."""
    people = list(entry.shown["organizer"])
    leader = next((one for one in people if is_mail_address(one.get("email", ""))), None)
    if leader:
        people.remove(leader)
        name = decoded(leader["organizer"])
        component["ORGANIZER"] = mailto(leader["email"], CN=name)
    if people:
        component["CONTACT"] = [text(", ".join(_reached(one))) for one in people]


def _reached(organizer: dict[str, str]) -> Iterator[str]:
    yield decoded(organizer["organizer"])
    yield from (organizer[n] for n in ("phone", "email", "website") if organizer.get(n))


def _degrees(angle: float) -> str:
    """Return degrees to the tenth of a metre; there is no zero below zero."""
    return f"{round(angle, 6) + 0.0:.6f}"
