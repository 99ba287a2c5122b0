"""The date filters of the event list against a list that plain Python filters in memory.

``DATE_FILTER_EXAMPLES`` is how many combinations are tried; many need ``--timeout 3600``.
"""

import os
from base64 import b64encode
from datetime import UTC, datetime, time, timedelta, timezone
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property.date_filter_model import (
    COMPARISONS,
    LAST_SECOND,
    SITE,
    DateText,
    Event,
    Query,
    expected,
)

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.assembly.indexes import INDEXES
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

EXAMPLES = int(os.environ.get("DATE_FILTER_EXAMPLES", "75"))
BASE = "/calendar/events/v1"
ADMIN = {"Authorization": f"Basic {b64encode(b'admin:a secret of sixteen').decode()}"}
# Winter and summer; late enough that it is tomorrow in Zurich already; a day of a leap year.
NOWS = [
    datetime(2030, 1, 15, 12, tzinfo=UTC),
    datetime(2030, 3, 30, 22, 59, tzinfo=UTC),
    datetime(2030, 6, 30, 22, 30, 17, tzinfo=UTC),
    datetime(2030, 12, 31, 23, 30, tzinfo=UTC),
    datetime(2032, 2, 29, 9, 5, 1, tzinfo=UTC),
]
ZONES = {
    "Europe/Zurich": SITE,
    "America/New_York": ZoneInfo("America/New_York"),
    "Asia/Kolkata": ZoneInfo("Asia/Kolkata"),
    "Australia/Lord_Howe": ZoneInfo("Australia/Lord_Howe"),
    "Pacific/Kiritimati": ZoneInfo("Pacific/Kiritimati"),
    "UTC": UTC,
    "UTC-3.5": timezone(-timedelta(hours=3, minutes=30)),
}
# Starts around the changes of the clocks, at the edges of days, months and years.
STARTS = [datetime.fromisoformat(text) for text in (
    "2030-01-14T23:59:59", "2030-01-15T00:00", "2030-03-10T02:30", "2030-03-31T02:30",
    "2030-06-30T19:00", "2030-10-27T02:30", "2030-12-31T22:00", "2032-02-29T10:00",
)]  # fmt: skip
LENGTHS = [timedelta(hours=2), timedelta(days=3, hours=5)]


# The site


class Clock:
    now = NOWS[0]

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def client(mongod_uri, clock):
    database = open_database(mongod_uri.replace("/calendar?", "/date_filters?"))
    ensure_indexes(Store(database), INDEXES)
    options = {"languages": ["de", "rm"], "default_language": "de", "timezone": "Europe/Zurich"}
    app = create_app(Settings.load(environment={}, **options), database, clock)
    Accounts(Store(database), clock, 30).add("admin", "administrator", secret="a secret of sixteen")
    yield app.test_client()
    database.client.drop_database(database.name)
    database.client.close()


def normal(wall, zone):
    """Return the valid wall clock; a skipped time moves on, the first of two counts."""
    instant = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    return instant.astimezone(zone).replace(tzinfo=None)


def body_of(start, length, zone, **fields):
    dates = {"start_date": f"{start}", "end_date": f"{start + length}", "timezone": zone}
    return {"title": "Event", **dates, **fields}


@pytest.fixture(scope="module")
def events(client):
    """Make the events once; return the model of each that a list may show."""
    models = []
    for (name, zone), start, length in product(ZONES.items(), STARTS, LENGTHS):
        all_day = start.hour in (19, 0)
        status = "draft" if start.month == 12 else "publish"
        body = body_of(start, length, name, all_day=all_day, status=status)
        answer = client.post(f"{BASE}/events", json=body, headers=ADMIN)
        assert answer.status_code == 201, answer.json
        first, last = normal(start, zone), normal(start + length, zone)
        if all_day:
            first = datetime.combine(first, time.min)
            last = datetime.combine(last, LAST_SECOND)
        models.append(Event(answer.json["id"], first, last, public=status == "publish"))
    hidden = body_of(STARTS[0], LENGTHS[0], "UTC", hide_from_listings=True)
    assert client.post(f"{BASE}/events", json=hidden, headers=ADMIN).status_code == 201
    return models


def listed(client, query):
    """Walk through the pages of a list; return the ids."""
    headers = ADMIN if query.editor else {}
    answer = client.get(f"{BASE}/events", query_string=query.parameters(), headers=headers)
    ids = []
    while True:
        assert answer.status_code == 200, answer.json
        page = answer.json
        ids += [event["id"] for event in page["events"]]
        if "next_rest_url" not in page:
            assert page["total"] == len(ids)
            return ids
        answer = client.get(page["next_rest_url"], headers=headers)


# Generated queries


edges = st.sampled_from(
    [start + length for start, length in product(STARTS, [*LENGTHS, timedelta()])]
)
nudges = st.sampled_from([0, 0, 1, -1, 60, -3600, 86_400, -86_400]) | st.integers(-(10**7), 10**7)
walls = st.builds(lambda edge, nudge: edge + timedelta(seconds=nudge), edges, nudges)
FORMATS = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S"]
FORMATS += ["%m/%d/%Y %I:%M:%S %p", "%d %B %Y %H:%M:%S"]
DAYS = ["%Y-%m-%d", "%Y/%m/%d", "%d-%m-%Y", "%m/%d/%Y", "%d %b %Y"]
OFFSETS = {"Z": 0, "+02:00": 2, "-0500": -5, " CEST": 2, " EST": -5, " UTC": 0, "+14:00": 14}


def plain(wall, form):
    return DateText(wall.strftime(form), wall)


def whole_day(wall, form):
    return DateText(wall.strftime(form), datetime.combine(wall, time.min))


def with_offset(wall, form, mark):
    zone = timezone(timedelta(hours=OFFSETS[mark]))
    return DateText(wall.strftime(form) + mark, wall, zone)


def timestamp(wall, mark):
    seconds = int(wall.replace(tzinfo=UTC).timestamp())
    return DateText(f"{mark}{seconds}", wall, UTC, is_timestamp=True)


def words(now):
    local_now = now.astimezone(SITE).replace(tzinfo=None)
    midnight = datetime.combine(local_now, time.min)
    clocks = {"now": local_now, "today": midnight, "tomorrow": midnight + timedelta(days=1)}
    clocks["yesterday 7pm"] = midnight - timedelta(hours=5)
    clocks |= {f"{days:+} days": local_now + timedelta(days=days) for days in (-40, -1, 1, 75)}
    return st.sampled_from([DateText(text, clock) for text, clock in clocks.items()])


def moments(now):
    return (
        st.builds(plain, walls, st.sampled_from(FORMATS))
        | st.builds(whole_day, walls, st.sampled_from(DAYS))
        | st.builds(with_offset, walls, st.sampled_from(FORMATS[:2]), st.sampled_from([*OFFSETS]))
        | st.builds(timestamp, walls, st.sampled_from(["", "@"]))
        | words(now)
    )


def queries(now, event_ids):
    names = st.lists(st.sampled_from([*COMPARISONS]), max_size=3, unique=True)
    id_lists = st.lists(st.sampled_from([*event_ids, 10**6]), min_size=1, max_size=9, unique=True)
    return st.builds(
        Query,
        dates=names.flatmap(
            lambda chosen: st.fixed_dictionaries({n: moments(now) for n in chosen})
        ),
        strict=st.sampled_from([None, "true", "1", "yes", "on", "false", "no", "maybe", "0"]),
        include=st.just(()) | st.just(()) | st.just(()) | id_lists.map(tuple),
        per_page=st.sampled_from([50, 50, 50, 17]),
        editor=st.booleans(),
    )


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data(), now=st.sampled_from(NOWS))
def test_date_filters_agree_with_plain_python(client, clock, events, data, now):
    clock.now = now
    query = data.draw(queries(now, [event.id for event in events]))
    if query.is_empty_span():
        answer = client.get(f"{BASE}/events", query_string=query.parameters())
        assert answer.status_code == 400
        assert answer.json["data"]["params"].keys() == {"overlaps_to"}
    else:
        assert listed(client, query) == expected(events, query, now)
