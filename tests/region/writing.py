"""The output of each kind of feed: iCalendar, JSON of a site, JSON-LD, tables, pushed lines."""

import csv
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

from region.feeds import Feed, Item
from region.places import CLUBS, Club

ZONE = ZoneInfo("Europe/Zurich")
_DAY = timedelta(days=1)
_TEC_PAGE = 50
# Ids from which The Events Calendar numbers the dates of series.
_PROVISIONAL = 10_000_000
_STATUS = "https://schema.org/"


def in_utc(clock: datetime) -> datetime:
    """Return the instant of a clock of the region, without a zone."""
    return clock.replace(tzinfo=ZONE).astimezone(UTC).replace(tzinfo=None)


def icalendar(feed: Feed, items: Sequence[Item], stamp: datetime) -> bytes:
    """Return a calendar; ``stamp`` is the DTSTAMP of all events, another at each download."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:-//Feed {feed.number}//"]
    for item in items:
        entry, place = item.entry, item.location.line.replace(",", "\\,")
        lines += ["BEGIN:VEVENT", f"UID:{item.uid}@feed{feed.number}.example"]
        lines += [f"DTSTAMP:{stamp:%Y%m%dT%H%M%SZ}", f"SUMMARY:{item.title}"]
        lines += [_ical_time("DTSTART", item.start, item, feed)]
        lines += [_ical_time("DTEND", item.end + (_DAY if entry.all_day else _DAY * 0), item, feed)]
        lines += [f"RRULE:FREQ=WEEKLY;COUNT={item.count}"] if item.count > 1 else []
        lines += [
            f"LOCATION:{place}",
            f"DESCRIPTION:{item.text}",
            _ical_organizer(feed, entry.club),
        ]
        lines += ["STATUS:CANCELLED"] if entry.canceled else []
        lines += ["END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


def _ical_time(name: str, clock: datetime, item: Item, feed: Feed) -> str:
    if item.entry.all_day:
        return f"{name};VALUE=DATE:{clock:%Y%m%d}"
    # The dates of a series in UTC follow no clock here.
    if feed.clock == "utc" and item.count == 1:
        return f"{name}:{in_utc(clock):%Y%m%dT%H%M%SZ}"
    if feed.clock == "windows":
        return f'{name};TZID="W. Europe Standard Time":{clock:%Y%m%dT%H%M%S}'
    zone = "" if feed.clock == "floating" else ";TZID=Europe/Zurich"
    return f"{name}{zone}:{clock:%Y%m%dT%H%M%S}"


def _ical_organizer(feed: Feed, club: Club) -> str:
    if feed.contacts == "all":
        return f"CONTACT:{club.name}\\, {club.phone}\\, {club.email}"
    if feed.contacts == "email":
        return f'ORGANIZER;CN="{club.name}":mailto:{club.email}'
    return f"CONTACT:{club.name}"


def contacts_of(feed: Feed, club: Club) -> dict[str, str]:
    """Return the contact of an organizer in the feed."""
    match feed.contacts:
        case "all":
            return {"email": club.email, "phone": club.phone}
        case "email":
            return {"email": club.email}
        case _:
            return {}


def tec_page(feed: Feed, items: Sequence[Item], page: int) -> bytes:
    """Return a page of the list of a site with The Events Calendar."""
    pages = max(1, -(-len(items) // _TEC_PAGE))
    own = items[(page - 1) * _TEC_PAGE : page * _TEC_PAGE]
    body = {"events": [_tec_event(feed, item) for item in own], "total": len(items)}
    return json.dumps(body | {"total_pages": pages}).encode()


def _tec_event(feed: Feed, item: Item) -> dict[str, object]:
    entry, site = item.entry, f"site{feed.number}.example"
    number = entry.number + 1 + _PROVISIONAL * item.date
    address = f"https://{site}/event/event-{entry.number}/"
    all_day_end = timedelta(hours=23, minutes=59, seconds=59) if entry.all_day else _DAY * 0
    zone = "Europe/Berlin" if feed.clock == "windows" else "Europe/Zurich"
    times = {"start_date": item.start, "end_date": item.end + all_day_end, "timezone": zone}
    if feed.clock == "utc" and not entry.all_day:
        times = {
            "start_date": in_utc(item.start),
            "end_date": in_utc(item.end),
            "timezone": "UTC",
        }
    return {
        **_tec_post(site, number),
        **{name: str(value) for name, value in times.items()},
        "title": item.title,
        "slug": f"event-{entry.number}",
        "url": f"{address}{item.start:%Y-%m-%d}/" if item.date else address,
        "description": f"<p>{item.text}</p>",
        "all_day": entry.all_day,
        "venue": _tec_venue(site, item),
        "organizer": [_tec_organizer(feed, site, entry.club)],
        "categories": [],
        "tags": [],
        **({"event_status": "canceled"} if entry.canceled else {}),
    }


def _tec_post(site: str, number: int) -> dict[str, object]:
    return {"id": number, "global_id": f"{site}?id={number}", "status": "publish"}


def _tec_venue(site: str, item: Item) -> dict[str, object]:
    location = item.location
    address = {"address": location.street, "city": location.town, "zip": location.zip}
    return {**_tec_post(site, 900_000 + item.entry.place.number), "venue": location.name, **address}


def _tec_organizer(feed: Feed, site: str, club: Club) -> dict[str, object]:
    number = 950_000 + 100 * club.town.number + CLUBS.index(club.name)
    return {**_tec_post(site, number), "organizer": club.name, **contacts_of(feed, club)}


def nodes(feed: Feed, items: Sequence[Item]) -> list[dict[str, object]]:
    """Return the events as objects of schema.org."""
    return [_node(feed, item) for item in items]


def _node(feed: Feed, item: Item) -> dict[str, object]:
    entry, location = item.entry, item.location
    address = {
        "streetAddress": location.street,
        "postalCode": location.zip,
        "addressLocality": location.town,
    }
    address = {name: words for name, words in address.items() if words}
    place = {"@type": "Place", "name": location.name}
    contacts = contacts_of(feed, entry.club)
    named = {"email": "email", "phone": "telephone"}
    club = {named[name]: words for name, words in contacts.items()}
    status = "EventCancelled" if entry.canceled else "EventScheduled"
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "@id": f"https://site{feed.number}.example/event/{item.uid}",
        "name": item.title,
        "description": item.text,
        "startDate": _iso(item.start, item, feed),
        "endDate": _iso(item.end, item, feed),
        "eventStatus": _STATUS + status,
        "location": place | ({"address": {"@type": "PostalAddress", **address}} if address else {}),
        "organizer": {"@type": "Organization", "name": entry.club.name, **club},
    }


def _iso(clock: datetime, item: Item, feed: Feed) -> str:
    if item.entry.all_day:
        return f"{clock:%Y-%m-%d}"
    match feed.clock:
        case "utc":
            return f"{in_utc(clock):%Y-%m-%dT%H:%M:%SZ}"
        case "floating":
            return f"{clock:%Y-%m-%dT%H:%M}"
        case _:
            return clock.replace(tzinfo=ZONE).isoformat()


def page(feed: Feed, items: Sequence[Item]) -> bytes:
    """Return a page of the web with its events as JSON-LD."""
    script = json.dumps({"@context": "https://schema.org", "@graph": nodes(feed, items)})
    head = f'<title>Agenda</title><script type="application/ld+json">{script}</script>'
    return f"<!doctype html><html><head>{head}</head><body>Agenda</body></html>".encode()


_COLUMNS = (
    *("Nr", "Titel", "Datum", "Zeit", "Enddatum", "Endzeit", "Ganztägig", "Ort", "Strasse", "PLZ"),
    *("Stadt", "Veranstalter", "E-Mail", "Telefon", "Beschreibung", "Status"),
)


def table(feed: Feed, items: Sequence[Item]) -> bytes:
    """Return a table as Excel writes it here: semicolons, and days as people write them."""
    file = StringIO()
    writer = csv.writer(file, delimiter=";")
    writer.writerow(_COLUMNS)
    for item in items:
        entry, location = item.entry, item.location
        contacts = contacts_of(feed, entry.club)
        clocks = ("", "") if entry.all_day else (f"{item.start:%H:%M}", f"{item.end:%H:%M}")
        times = (f"{item.start:%d.%m.%Y}", clocks[0], f"{item.end:%d.%m.%Y}", clocks[1])
        whole_day = "ja" if entry.all_day else "nein"
        organizer = (entry.club.name, contacts.get("email", ""), contacts.get("phone", ""))
        state = "abgesagt" if entry.canceled else ""
        writer.writerow(
            (item.uid, item.title, *times, whole_day, *location, *organizer, item.text, state)
        )
    return file.getvalue().encode("utf-8-sig")


def pushed(feed: Feed, items: Sequence[Item]) -> list[str]:
    """Return a line of JSON for each event, as a ticket office sends them."""
    return [json.dumps(_pushed(feed, item)) for item in items]


def _pushed(feed: Feed, item: Item) -> dict[str, object]:
    entry, location = item.entry, item.location
    address = {"address": location.street, "zip": location.zip, "city": location.town}
    venue = {name: words for name, words in address.items() if words}
    end = item.end + (timedelta(hours=23, minutes=59, seconds=59) if entry.all_day else _DAY * 0)
    return {
        "uid": item.uid,
        "title": item.title,
        "description": f"<p>{item.text}</p>",
        "start_date": str(item.start),
        "end_date": str(end),
        "all_day": entry.all_day,
        "venue": {"venue": location.name, **venue},
        "organizer": {"organizer": entry.club.name, **contacts_of(feed, entry.club)},
        "event_status": "canceled" if entry.canceled else "scheduled",
    }
