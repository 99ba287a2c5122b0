"""Events of any sort, as the service shows them in JSON and in a feed: cases for foreign readers.

``python tests/clients/invented_events.py 10 FILE``, with ``tests`` on its path, writes ten cases
and those of every zone, a line of JSON each: ``ics``, and ``events``, which a reader is to find in
it, by their address.
"""

import json
import re
import sys
from base64 import b64encode
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from html import unescape
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import mongomock
import mongomock_additions
from hypothesis import HealthCheck, given
from hypothesis import settings as runs
from hypothesis import strategies as st

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

BASE = "/calendar/events/v1"
SECRET = "abcd EFGH ijkl MNOP qrst UVWX"
NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
LANGUAGES = ["de", "rm"]
EVERYTHING = {"start_date": "1990-01-01", "end_date": "2050-01-01"}
# Of one, two, three and four octets, what has to be escaped, what other readers stumble over.
DIFFICULT = [
    ";",
    ",",
    "\\",
    "\\n",
    "\\N",
    ":",
    '"',
    "^n",
    "=",
    "ä",
    "ß",
    "€",
    "漢",
    "🎉",
    "👩‍🎤",
    "é",
]
DIFFICULT += [" ", "  ", "BEGIN:VEVENT", "quoted-printable=", "\u2028", "\u200f", "\t", "x" * 74]


@cache
def changed_zones():
    """Return the zones that have changed their rules since 2000."""
    return sorted(
        name for name in available_timezones() - {"Factory", "localtime"} if _changed(name)
    )


def _changed(name):
    years = {_year(ZoneInfo(name), year) for year in range(2000, 2031)}
    return len(years) > 1


def _year(zone, year):
    """Return the offsets of a zone by the middle of each month, which tell rules apart."""
    months = [datetime(year, month, 15, tzinfo=zone) for month in range(1, 13)]
    return tuple(moment.utcoffset() for moment in months)


PIECES = st.sampled_from(DIFFICULT) | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
LINES = st.lists(PIECES, min_size=1, max_size=8).map("".join)
LONG = st.integers(500, 10_000).flatmap(
    lambda size: PIECES.filter(str.strip).map(lambda piece: (piece * size)[:size])
)
TEXTS = st.lists(LINES, min_size=1, max_size=4).map("\n\n".join) | LONG
VENUES = st.fixed_dictionaries(
    {"venue": LINES},
    optional={
        "address": LINES,
        "city": LINES,
        "geo": st.tuples(st.floats(-90, 90), st.floats(-180, 180)),
    },
)
EVENTS = st.fixed_dictionaries(
    {
        "title": LINES,
        "start": st.datetimes(datetime(2000, 1, 2), datetime(2037, 12, 30)),  # noqa: DTZ001
        "lasts": st.timedeltas(timedelta(), timedelta(days=40)),
        "timezone": st.deferred(lambda: st.sampled_from(changed_zones()))
        | st.sampled_from(["UTC", "UTC+5:30"]),
        "all_day": st.booleans(),
    },
    optional={
        "description": TEXTS,
        "other_title": LINES,
        "other_description": TEXTS,
        "venue": VENUES,
        "categories": st.lists(LINES, max_size=2),
        "event_status": st.sampled_from(["scheduled", "canceled", "postponed"]),
    },
)


class Calendar:
    """A service with an empty calendar, and its only client."""

    def __init__(self):
        mongomock_additions.install()
        self._database = mongomock.MongoClient()["calendar"]
        options = {"languages": LANGUAGES, "default_language": "de", "timezone": "Europe/Zurich"}
        settings = Settings.load(environment={}, site_url="https://calendar.example", **options)
        app = create_app(settings, self._database, lambda: NOON)
        accounts = Accounts(Store(self._database), lambda: NOON, 3600)
        accounts.add("admin", "administrator", id=1, secret=SECRET)
        self._client = app.test_client()

    def create(self, invented):
        """Create an event, unless the service refuses it as invalid."""
        body = {name: invented[name] for name in _SENT if name in invented}
        end = invented["start"] + invented["lasts"]
        body |= {"start_date": f"{invented['start']:%F %T}", "end_date": f"{end:%F %T}"}
        if "venue" in invented:
            body["venue"] = _placed(invented["venue"])
        created = self.send("POST", "/events", json=body)
        assert created.status_code in (201, 400), created.text
        translation = {
            name.removeprefix("other_"): text
            for name, text in invented.items()
            if name.startswith("other_")
        }
        if created.status_code == 201 and translation:
            path = f"/events/{created.json['id']}?translation_language=rm"
            self.send("PATCH", path, json=translation)

    def send(self, method, path, **options):
        token = b64encode(f"admin:{SECRET}".encode()).decode()
        headers = {"Authorization": f"Basic {token}"}
        return self._client.open(f"{BASE}{path}", method=method, headers=headers, **options)

    def case(self, language):
        """Return the feed in a language, and the expected fields of its events."""
        parameters = EVERYTHING | {"translation_language": language, "per_page": 50}
        feed = self._client.get(f"{BASE}/events.ics", query_string=parameters)
        listed = self._client.get(f"{BASE}/events", query_string=parameters).json
        assert feed.status_code == 200, feed.text
        assert listed["total"] == len(listed["events"])
        return {
            "ics": feed.text,
            "events": {event["url"]: expected(event) for event in listed["events"]},
        }

    def clear(self):
        for name in ("events", "venues", "categories", "outbox"):
            self._database[name].delete_many({})


_SENT = ("title", "description", "timezone", "all_day", "categories", "event_status")


def _placed(venue):
    place = {name: text for name, text in venue.items() if name != "geo"}
    if "geo" in venue:
        place["geo_lat"], place["geo_lng"] = venue["geo"]
    return place


def expected(event):
    """Return the expected fields of a feed entry for an event in JSON."""
    place = event["venue"] or None
    fallback = event["fallback_fields"]
    fields = {
        "title": unescape(event["title"]),
        "title_language": _language("title", event["language"], fallback),
        "words": words(event["description"]),
        "html": event["description"],
        "description_language": _language("description", event["language"], fallback)
        if event["description"]
        else None,
        "place": unescape(place["venue"]) if place else None,
        "point": [place["geo_lat"], place["geo_lng"]] if place and "geo_lat" in place else None,
        "categories": sorted(unescape(category["name"]) for category in event["categories"]),
        "status": _STATUS[event["event_status"]],
        "all_day": event["all_day"],
    }
    if event["all_day"]:
        last = date.fromisoformat(event["end_date"][:10])
        return fields | {"start": event["start_date"][:10], "end": str(last + timedelta(days=1))}
    instants = {
        name: event[f"utc_{name}_date"].replace(" ", "T") + "Z" for name in ("start", "end")
    }
    return fields | instants


_STATUS = {"scheduled": "CONFIRMED", "canceled": "CANCELLED", "postponed": "TENTATIVE"}


def _language(field, language, fallback):
    return next(tag for tag in LANGUAGES if tag != language) if field in fallback else language


def words(html):
    """Return the words of an HTML text; those in two paragraphs are two."""
    apart = re.sub(r"</?(?:p|br)\b[^>]*>", " ", html)
    return unescape(re.sub(r"<[^>]*>", "", apart)).split()


def cases(number, take):
    """Call ``take`` with so many cases, each of up to six events in a language."""
    calendar = Calendar()

    @runs(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(EVENTS, min_size=1, max_size=6), st.sampled_from(LANGUAGES))
    def invent(events, language):
        calendar.clear()
        for event in events:
            calendar.create(event)
        take(calendar.case(language))

    invent()


# Before and after what zones have done since 2000, in both halves of the year.
_DAYS = ("2000-02-01", "2006-07-01", "2011-08-15", "2016-11-01", "2022-04-01", "2036-07-01")
_ZONES_AT_ONCE = 8


def every_zone(take, zones=None):
    """Call ``take`` with cases of events in these zones, or in all that changed their rules."""
    calendar, zones = Calendar(), zones or changed_zones()
    for first in range(0, len(zones), _ZONES_AT_ONCE):
        calendar.clear()
        for zone in zones[first : first + _ZONES_AT_ONCE]:
            for day in _DAYS:
                start = datetime.fromisoformat(f"{day} 12:00")
                lasts = timedelta(days=120)
                shared = {"timezone": zone, "all_day": False, "start": start, "lasts": lasts}
                calendar.create({"title": f"{zone} {day}", **shared})
        take(calendar.case("de"))


if __name__ == "__main__":
    with Path(sys.argv[2]).open("w", encoding="utf-8") as file:
        for invent in (every_zone, partial(cases, int(sys.argv[1]))):
            invent(lambda case: file.write(f"{json.dumps(case)}\n"))
