"""The requests that are measured, and what is required of each."""

import json
import math
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from filling import Filled

BASE = "/calendar/events/v1"
_LIST = f"{BASE}/events?per_page=12"
_LIST_PAGE, _MONTH_PAGE = "/events/list/?per_page=12", "/events/month/"
# In a body, this is another number at each call.
NUMBER = "NUMBER"
FLOOR = "/floor"
_KILOBYTE = 1000


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is sent again and again, and answered with ``status``.

    ``reference`` is how many a second The Events Calendar answered on such a machine, 0 where
    nobody counted. Required are ``times`` as many as that, and a ``share`` of the floor; 0 where
    nothing is. A call that is ``conditional`` sends the entity tag of the answer it has got.
    ``beside`` is sent once a second meanwhile.
    """

    name: str
    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    status: int = 200
    reference: int = 0
    times: int = 0
    share: float = 0
    conditional: bool = False
    beside: "Call | None" = None


def kilobytes(size: int) -> int:
    """Return a size in bytes as a power of two, so that few floors are measured."""
    return 2 ** max(0, round(math.log2(max(size, 1) / _KILOBYTE)))


def floor(size: int) -> Call:
    """Return the call that answers so many kilobytes without any work."""
    return Call(f"bare Flask, {size} KB: a floor", f"{FLOOR}?kilobytes={size}")


def signed(filled: Filled) -> Mapping[str, str]:
    """Return the headers of a request of an editor."""
    token = b64encode(f"{filled.user}:{filled.secret}".encode()).decode()
    return {"Authorization": f"Basic {token}", "Content-Type": "application/json"}


def calls_anew(filled: Filled) -> list[Call]:
    """Return the calls to a service that keeps no answers."""
    filters = urlencode({"categories": filled.category, "search": filled.words[0]})
    return [
        Call("list of 12 events", _LIST, reference=23, times=40, share=0.17),
        Call("list of 50 events", f"{BASE}/events?per_page=50", share=0.07),
        Call("list by category and word", f"{_LIST}&{filters}"),
        Call("one event", f"{BASE}/events/{filled.events[0]}", reference=45, times=20, share=0.25),
        Call("list of venues", f"{BASE}/venues", reference=50, share=0.25),
        Call("list of categories", f"{BASE}/categories", reference=47, share=0.25),
        Call("page: list of 12 events", _LIST_PAGE, share=0.085),
        Call("page: month", _MONTH_PAGE),
        Call("page: one event", f"/event/{filled.slug}/"),
        Call("written in an afternoon: list of 12", "/naive/events?per_page=12"),
        Call("written in an afternoon: one event", f"/naive/events/{filled.events[0]}"),
    ]


def calls_remembered(filled: Filled) -> list[Call]:
    """Return the calls to a service as it is delivered; reading ones first."""
    unchanged = Call("the same list, unchanged", _LIST, reference=23, times=100, share=0.40)
    return [
        unchanged,
        replace(
            unchanged, name="the same, 304", status=304, conditional=True, reference=0, times=0
        ),
        replace(
            unchanged,
            name="the same, 1 write a second",
            share=0.35,
            times=0,
            beside=_change(filled),
        ),
        Call("page: the same list, unchanged", _LIST_PAGE, share=0.40),
        Call("page: the same, 304", _LIST_PAGE, status=304, share=0.40, conditional=True),
        _creation(filled),
    ]


def _change(filled: Filled) -> Call:
    return Call(
        "changing an event",
        f"{BASE}/events/{filled.events[0]}",
        method="PATCH",
        headers=signed(filled),
        body=json.dumps({"title": f"Changed {NUMBER}"}),
    )


def _creation(filled: Filled) -> Call:
    event = {
        "title": f"Created {NUMBER}",
        "description": "<p>What is told about it.</p>",
        "start_date": "2030-05-01 19:00:00",
        "end_date": "2030-05-01 21:00:00",
        "venue": filled.venue,
        "organizer": filled.organizer,
    }
    return Call(
        "creating an event",
        f"{BASE}/events",
        method="POST",
        headers=signed(filled),
        body=json.dumps(event),
        status=201,
        reference=16,
        times=20,
    )
