"""How calendar programs subscribe to a list, and take over one event."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlencode

from calendar_app.http.answers.headers import feeds_of_list
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.readmodel.events import ReadEvent

_GOOGLE = "https://calendar.google.com/calendar"
_OUTLOOK = "https://outlook.live.com/calendar/0/deeplink/compose"


@dataclass(frozen=True, slots=True)
class Subscription:
    """The addresses under which a list can be subscribed to."""

    ics: str
    webcal: str
    google: str
    atom: str


def subscription(filters: Mapping[str, str]) -> Subscription:
    """Return the feeds of a filtered list."""
    feeds = feeds_of_list(EVENT, filters)
    webcal = f"webcal:{feeds['ics'].partition(':')[2]}"
    google = f"{_GOOGLE}/r?cid={quote(webcal, safe='')}"
    return Subscription(feeds["ics"], webcal, google, feeds["atom"])


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """The addresses with which an event is added to a calendar."""

    ics: str
    google: str
    outlook: str


def calendar_entry(event: ReadEvent) -> CalendarEntry:
    record = event.record
    details = "\n\n".join(part for part in (event.summary.text, event.url) if part)
    place = event.where.text
    if event.all_day:
        first, last = event.days
        dates = f"{first:%Y%m%d}/{last + timedelta(days=1):%Y%m%d}"
        begin, end = first.isoformat(), (last + timedelta(days=1)).isoformat()
    else:
        dates = f"{record['start']:%Y%m%dT%H%M%SZ}/{record['end']:%Y%m%dT%H%M%SZ}"
        begin, end = _instant(record["start"]), _instant(record["end"])
    google = {
        "action": "TEMPLATE",
        "text": event.title.text,
        "dates": dates,
        "details": details,
        "location": place,
    }
    outlook = {
        "rru": "addevent",
        "subject": event.title.text,
        "startdt": begin,
        "enddt": end,
        "allday": "true" if event.all_day else "false",
        "body": details,
        "location": place,
    }
    ics = current.addresses().feeds_of(EVENT.name, event.id, current.language())["ics"]
    return CalendarEntry(
        ics, f"{_GOOGLE}/render?{urlencode(google)}", f"{_OUTLOOK}?{urlencode(outlook)}"
    )


def _instant(moment: datetime) -> str:
    return moment.replace(tzinfo=UTC).isoformat(timespec="seconds")
