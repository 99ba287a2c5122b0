"""iCalendar feed (RFC 5545, with the properties of RFC 7986)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import groupby
from typing import TYPE_CHECKING

import orjson

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.presentation.participation import participation_document
from calendar_app.calendar.reading.feed_series import FeedSeries
from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.changing import portable
from calendar_app.domain.recurrence.notation import as_lines
from calendar_app.domain.recurrence.rules import ExtraDate, span_of
from calendar_app.domain.richtext import plain_lines, with_targets
from calendar_app.domain.statuses import CANCELED, POSTPONED, SCHEDULED, Stamp
from calendar_app.domain.zones import instant_of, wall_of, zone_of
from calendar_app.feeds.content_lines import (
    LAST_YEAR,
    Value,
    date_value,
    is_mail_address,
    is_utc,
    lines,
    local_datetime,
    mailto,
    text,
    texts,
    tzid_of,
    uri,
    utc_datetime,
    vtimezone,
)
from calendar_app.feeds.feed import Feed, Format, credits_of, unchecked_note
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer
from calendar_app.readmodel.records import LocalText
from calendar_app.sources.calendar_events import LINEAGE
from calendar_app.sources.notes import lineage_of

if TYPE_CHECKING:
    from icalendar import Event

_STATUS = {SCHEDULED: "CONFIRMED", POSTPONED: "TENTATIVE", CANCELED: "CANCELLED"}
# Who can take part has no property of its own, but RFC 9073 section 6.6 takes linked data.
_STRUCTURED = {
    "VALUE": "TEXT",
    "FMTTYPE": "application/ld+json",
    "SCHEMA": "https://schema.org/Event",
}
# The word for texts of machines: a property, and a parameter of the comment that is about it.
DISCLOSURE = "X-AI-DISCLOSURE"
# The parameter of a comment that tells who publishes the event.
CREDIT = "X-CREDIT"
_DAY = timedelta(days=1)
# Punctuation that may surround a URL in a text.
_PUNCTUATION = "()[]<>.,;:!?\"'«»"
_PICTURES = {"jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png"}
_PICTURES |= {"webp": "image/webp", "gif": "image/gif"}


def _vevent(event: ReadEvent, stamp: Stamp, feed: Feed) -> "Event":
    """Return the event in one language; withdrawn with title and dates only."""
    from icalendar import Event  # noqa: PLC0415 - loaded late, as in ``content_lines``

    component, title = Event(), event.title
    # The same in all languages.
    number = 0 if feed.one_by_one else event.record.get("series", 0)
    component["UID"] = text(str(feed.uid_of(number or event.id)))
    # Without METHOD it is the time of the last change (RFC 5545 section 3.8.7.2).
    component["DTSTAMP"] = utc_datetime(stamp.changed)
    # Clients replace an event only by a higher SEQUENCE.
    component["SEQUENCE"] = Value(str(stamp.sequence))
    component["STATUS"] = text(_STATUS[event.status])
    component["SUMMARY"] = text(title.text, title.language)
    _add_times(component, event)
    if "recurrence_id" in event.record and not feed.one_by_one:
        component["RECURRENCE-ID"] = _wall_time(event.record["recurrence_id"], event.record)
    _add_lineage(component, event.record)
    if not event.is_withdrawn:
        _add_comments(component, event)
        _add_history(component, event, stamp)
        _add_texts(component, event)
        _add_place(component, event)
        _add_people(component, event)
        _add_publishers(component, event)
        if participation := participation_document(event):
            component["STRUCTURED-DATA"] = text(orjson.dumps(participation).decode(), **_STRUCTURED)
    return component


def _add_lineage(component: "Event", record: Record) -> None:
    """Add the UIDs that calendars like this one gave the event, by which they know it again."""
    if lineage := lineage_of(record):
        component[LINEAGE] = [text(uid) for uid in lineage]


def _add_comments(component: "Event", event: ReadEvent) -> None:
    """Add why an event is off, who publishes it, and that a machine has written its texts."""
    comments = []
    if reason := event.status_reason:
        comments.append(text(reason.text, reason.language))
    if disclosure := event.shown_disclosure:
        component[DISCLOSURE] = text(disclosure)
    comments += [text(credit, event.language, **{CREDIT: "TRUE"}) for credit in credits_of(event)]
    if note := unchecked_note(event):
        comments.append(text(note, event.language, **{DISCLOSURE: disclosure}))
    if comments:
        component["COMMENT"] = comments


def _wall_time(wall: datetime, record: Record) -> Value:
    """Return a wall clock of a series or its event, as dates of its recurrence are written."""
    zone = zone_of(record["timezone"])
    if record["all_day"]:
        return date_value(wall.date())
    return utc_datetime(wall) if is_utc(zone) else local_datetime(wall, tzid_of(zone))


def _add_history(component: "Event", event: ReadEvent, stamp: Stamp) -> None:
    component["LAST-MODIFIED"] = utc_datetime(stamp.changed)
    component["CREATED"] = utc_datetime(event.record["published"])
    component["URL"] = uri(event.url)


def _add_times(component: "Event", event: ReadEvent) -> None:
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


def _add_texts(component: "Event", event: ReadEvent) -> None:
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


def _add_place(component: "Event", event: ReadEvent) -> None:
    point = event.point
    if event.places:
        places = [place.name_and_address for place in event.places]
        component["LOCATION"] = text("; ".join(each.text for each in places), places[0].language)
    if point:
        longitude, latitude = point
        component["GEO"] = Value(f"{_degrees(latitude)};{_degrees(longitude)}")
    if event.online_url:
        component["CONFERENCE"] = uri(event.online_url, VALUE="URI")


def _add_people(component: "Event", event: ReadEvent) -> None:
    """Add the first organizer with an e-mail address as ORGANIZER, others as CONTACT."""
    people = list(event.organizers)
    leader = next((person for person in people if is_mail_address(person.email)), None)
    if leader:
        people.remove(leader)
        component["ORGANIZER"] = mailto(leader.email, CN=leader.name.text)
    if people:
        component["CONTACT"] = [text(", ".join(_contact(person))) for person in people]


def _add_publishers(component: "Event", event: ReadEvent) -> None:
    """Add who publishes the event and its license: links (RFC 9253), and a text for people."""
    links = [
        uri(address, VALUE="URI", LINKREL=relation, LABEL=publisher.name)
        for publisher in event.publishers
        for relation, address in (
            ("SOURCE", publisher.page or publisher.url),
            ("license", publisher.license_address),
        )
        if address
    ]
    if links:
        component["LINK"] = links


def _contact(person: ReadOrganizer) -> Iterator[str]:
    yield person.name.text
    yield from filter(None, (person.phone, person.email, person.website))


def _degrees(angle: float) -> str:
    """Return degrees with six decimals, without a negative zero."""
    return f"{round(angle, 6) + 0.0:.6f}"


# A series as VEVENTs (RFC 5545 sections 3.8.4.4 and 3.8.5): the rule, then each override.

_SECOND = timedelta(seconds=1)


def _series_components(
    stamped: Sequence[tuple[ReadEvent, Stamp]], series: FeedSeries, feed: Feed
) -> Iterator["Event"]:
    """Yield the series with its dates, and its events that differ from it."""
    (master, stamp), *overrides = stamped
    component = _vevent(master, stamp, feed)
    _add_dates(component, series)
    _add_lineage(component, series.record)
    if "continues" in series.record:
        component["RELATED-TO"] = Value(str(feed.uid_of(series.record["continues"])))
    yield component
    for event, own_stamp in overrides:
        override = _vevent(event, own_stamp, feed)
        override["RECURRENCE-ID"] = _wall_time(event.record["recurrence_id"], series.record)
        yield override


def _add_dates(component: "Event", series: FeedSeries) -> None:
    record, span = series.record, span_of(series.record)
    component["DTSTART"] = _wall_time(series.start, record)
    if span.end_local > span.start_local:
        end = series.start + (span.end_local - span.start_local)
        component["DTEND"] = _wall_time(end + _SECOND if span.all_day else end, record)
    zone = zone_of(record["timezone"])
    start = instant_of(series.start, zone)
    if not span.all_day and wall_of(start, zone) != series.start:
        # The clocks skip the start, so that the wall clock of its end tells no length.
        component.pop("DTEND", None)
        component.add("duration", span.end - span.start)
    recurrence = portable(series.recurrence, span)
    if not recurrence.rules:  # without a rule ical.js leaves out the start
        dates = (ExtraDate(series.start), *recurrence.rdates)
        recurrence = replace(recurrence, rdates=dates)
    for line in as_lines(recurrence, span, "" if is_utc(zone) else tzid_of(zone)):
        values = component.setdefault(line.name, [])
        values.append(Value(line.value, line.parameters.items()))


# The calendar around the events.

_PRODUCT = "-//calendar-app//Calendar of public events//EN"
_END = b"END:VCALENDAR\r\n"
_REFRESH = timedelta(hours=1)


def _head(feed: Feed) -> bytes:
    """Return the bytes before the first event, time zones included."""
    from icalendar import Calendar, vDuration  # noqa: PLC0415

    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", _PRODUCT)
    calendar.add("uid", str(feed.uid))
    calendar["NAME"] = text(feed.title, feed.language)
    # For clients that do not support NAME and REFRESH-INTERVAL.
    calendar["X-WR-CALNAME"] = text(feed.title)
    calendar["X-WR-TIMEZONE"] = text(_shown_zone(feed))
    calendar.add("refresh-interval", vDuration(_REFRESH, {"VALUE": "DURATION"}))
    calendar.add("x-published-ttl", vDuration(_REFRESH))
    calendar.add("last-modified", feed.selection.changed.replace(tzinfo=UTC))
    calendar["SOURCE"] = uri(feed.address, VALUE="URI")
    color = feed.context.settings.feed_color
    if color:
        calendar.add("color", color)
    if feed.next_url:
        calendar["X-FEED-TRUNCATED"] = text(str(len(feed.selection)))
    for zone, first in _zones(feed):
        calendar.add_component(vtimezone(zone, first))
    return lines(calendar).removesuffix(_END)


def _shown_zone(feed: Feed) -> str:
    """Return the zone in which programs show times in UTC: that of the site.

    They take the rule of a series in UTC into that zone as well, where its dates would follow other
    clocks; beside such a series it is UTC.
    """
    records = (_series.record for _series in feed.selection.series.values())
    has_utc_series = any(is_utc(zone_of(record["timezone"])) for record in records)
    return "UTC" if has_utc_series else feed.context.settings.timezone


def _zones(feed: Feed) -> Iterator[tuple[tzinfo, int]]:
    """Yield each zone once, with the first year of use.

    An empty feed has the zone of the site, since RFC 5545 section 3.6 requires a component.
    """
    used = feed.selection.zones
    if not used:
        yield zone_of(feed.context.settings.timezone), date.max.year
    zones = {tzid_of(zone_of(name)): zone_of(name) for name in used}
    for tzid, zone in sorted(zones.items()):
        if not is_utc(zone):
            yield zone, min(year for name, year in used.items() if tzid_of(zone_of(name)) == tzid)


def _item(event: ReadEvent, stamp: Stamp, feed: Feed) -> bytes:
    """Return an event as content lines."""
    return lines(_vevent(event, stamp, feed))


def _series(stamped: Sequence[tuple[ReadEvent, Stamp]], selected: FeedSeries, feed: Feed) -> bytes:
    """Return a series as content lines."""
    return b"".join(map(lines, _series_components(stamped, selected, feed)))


ICALENDAR = Format("ics", FEED_TYPES["ics"], _head, _item, _series, end=_END, with_off=True)
# For programs that read no rules: one component for each date, none of them of a series.
FLAT_ICALENDAR = replace(ICALENDAR, series=None, one_by_one=True)
