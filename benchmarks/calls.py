"""The measured requests, each with its required rate."""

import json
import math
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from urllib.parse import urlencode

from small_calendar import SampleCalendar

BASE = "/calendar/events/v1"
_LIST = f"{BASE}/events?per_page=12"
_LIST_PAGE, _MONTH_PAGE = "/events/list/?per_page=12", "/events/month/"
# In a body, this is another number at each call.
NUMBER = "NUMBER"
FLOOR = "/floor"
_KILOBYTE = 1000


class Baseline(StrEnum):
    """The rate that others are compared with, measured in the same rounds."""

    FLOOR = "of the floor"
    NAIVE_LIST = "of the naive list"


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is sent repeatedly, and answered with ``status``.

    Its rate must be at least ``multiple`` times the rate of the ``baseline``; 0 requires nothing.
    A ``steady`` call is never much slower than usual. A ``conditional`` call sends the entity tag
    of the first response. What is ``beside`` is sent meanwhile.
    """

    name: str
    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    status: int = 200
    baseline: Baseline = Baseline.NAIVE_LIST
    multiple: float = 0
    steady: bool = False
    conditional: bool = False
    beside: "Beside | None" = None


@dataclass(frozen=True, slots=True)
class Beside:
    """A call that several clients send, each so many seconds after its last answer."""

    call: Call
    clients: int = 1
    pause: float = 1.0


_JSON_LIST_CALL = Call("list of 12 events", _LIST, multiple=3.8, steady=True)
_FEEDS = Beside(Call("whole feed", f"{BASE}/events.ics"), clients=2, pause=0)
LIST_BESIDE_FEEDS = Call("the same, 2 readers of feeds", _LIST, beside=_FEEDS)
_NAIVE_LIST_CALL = Call("naive program: list of 12", "/naive/events?per_page=12")
BASELINES = {Baseline.NAIVE_LIST: _NAIVE_LIST_CALL.name}


def kilobytes(size: int) -> int:
    """Return a size in bytes as a power of two, so that few floors are measured."""
    return 1 << max(0, round(math.log2(max(size, 1) / _KILOBYTE)))


def floor(size: int) -> Call:
    """Return the call of a bare Flask route that answers this number of kilobytes."""
    path = f"{FLOOR}?kilobytes={size}"
    return Call(f"bare Flask, {size} KB: a floor", path, baseline=Baseline.FLOOR)


def signed(calendar: SampleCalendar) -> Mapping[str, str]:
    """Return the headers of a request of an editor."""
    token = b64encode(f"{calendar.user}:{calendar.secret}".encode()).decode()
    return {"Authorization": f"Basic {token}", "Content-Type": "application/json"}


def uncached_calls(calendar: SampleCalendar) -> list[Call]:
    """Return the calls to a service without a response cache."""
    filters = urlencode({"categories": calendar.category, "search": calendar.words[0]})
    event = calendar.events[0]
    return [
        _JSON_LIST_CALL,
        LIST_BESIDE_FEEDS,
        Call("list of 50 events", f"{BASE}/events?per_page=50", multiple=1.7),
        Call("list by category and word", f"{_LIST}&{filters}"),
        Call("one event", f"{BASE}/events/{event}", multiple=5.2, steady=True),
        Call("list of venues", f"{BASE}/venues", multiple=4.6),
        Call("list of categories", f"{BASE}/categories", multiple=5.2),
        Call("page: list of 12 events", _LIST_PAGE, multiple=1.5, steady=True),
        Call("page: month", _MONTH_PAGE, multiple=0.7),
        Call("page: one event", f"/event/{calendar.slug}/", multiple=1.1),
        _NAIVE_LIST_CALL,
        Call("naive program: one event", f"/naive/events/{event}"),
    ]


def cached_calls(calendar: SampleCalendar) -> list[Call]:
    """Return the calls to a service with the default settings; reads first."""
    unchanged = Call("the same list, unchanged", _LIST, baseline=Baseline.FLOOR, multiple=0.42)
    page = replace(unchanged, name="page: the same list, unchanged", path=_LIST_PAGE)
    return [
        unchanged,
        replace(unchanged, name="the same, 304", status=304, conditional=True),
        replace(unchanged, name="the same, 1 write a second", beside=Beside(_change(calendar))),
        page,
        replace(page, name="page: the same, 304", status=304, conditional=True),
        _creation(calendar),
        _NAIVE_LIST_CALL,
    ]


def _change(calendar: SampleCalendar) -> Call:
    return Call(
        "changing an event",
        f"{BASE}/events/{calendar.events[0]}",
        method="PATCH",
        headers=signed(calendar),
        body=json.dumps({"title": f"Changed {NUMBER}"}),
    )


def _creation(calendar: SampleCalendar) -> Call:
    event = {
        "title": f"Created {NUMBER}",
        "description": "<p>A description.</p>",
        "start_date": "2030-05-01 19:00:00",
        "end_date": "2030-05-01 21:00:00",
        "venue": calendar.venue,
        "organizer": calendar.organizer,
    }
    return Call(
        "creating an event",
        f"{BASE}/events",
        method="POST",
        headers=signed(calendar),
        body=json.dumps(event),
        status=201,
        multiple=0.9,
    )
