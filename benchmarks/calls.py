"""The requests that are measured, and what is required of each."""

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from filling import Filled

_BASE = "/calendar/events/v1"
# In a body, this is another number at each call.
NUMBER = "NUMBER"


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is sent again and again, and answered with ``status``.

    ``reference`` is how many a second The Events Calendar answered on such a machine with the
    same events, ``required`` how many times that we have to answer; 0 where nobody said.
    """

    name: str
    path: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    status: int = 200
    reference: int = 0
    required: int = 0


FLOOR = Call("static answer of 40 KB, the floor", "/floor")


def calls(filled: Filled) -> list[Call]:
    """Return all calls, reading ones first, so that all of them read the same events."""
    filters = urlencode({"categories": filled.category, "search": filled.word})
    return [
        FLOOR,
        Call("list of 10 events", f"{_BASE}/events?per_page=10", reference=23, required=15),
        Call("list by category and word", f"{_BASE}/events?per_page=10&{filters}"),
        Call("one event", f"{_BASE}/events/{filled.event}", reference=45, required=20),
        Call("list of venues", f"{_BASE}/venues", reference=50),
        Call("list of categories", f"{_BASE}/categories", reference=47),
        _creation(filled),
    ]


def _creation(filled: Filled) -> Call:
    token = b64encode(f"{filled.user}:{filled.secret}".encode()).decode()
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
        f"{_BASE}/events",
        method="POST",
        headers={"Authorization": f"Basic {token}", "Content-Type": "application/json"},
        body=json.dumps(event),
        status=201,
        reference=16,
        required=10,
    )
