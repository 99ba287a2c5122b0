"""A copy of the calendar, kept by the program of ``examples``, beside a whole reading."""

import importlib.util
import json
import sqlite3
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit

_PROGRAM = Path(__file__).parents[1] / "examples" / "mirror.py"
_ALL_DATES = {"start_date": "1900-01-01", "end_date": "2200-01-01", "per_page": 50}


class Mirror:
    """Follows a list as a client does.

    ``stream`` is all that was told, but for the time, and for tokens, of which it has the length.
    """

    def __init__(self, client, **filters):
        spec = importlib.util.spec_from_file_location("mirror", _PROGRAM)
        self._program = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._program)
        self._program.urlopen = self._open
        self._copy = sqlite3.connect(":memory:")
        self._copy.executescript(self._program.TABLES)
        self._filters = filters
        self.client = client
        self.stream = []

    def follow(self):
        """Catch up with the calendar, and return the copy: events by id."""
        while not self._program.step(self._copy, "", self._filters):
            pass
        rows = self._copy.execute("SELECT id, record FROM events")
        return {number: _comparable(json.loads(record)) for number, record in rows}

    def whole(self):
        """Return all events of the current list by id."""
        events, page, pages = {}, 1, 1
        while page <= pages:
            answer = self.client.get("/events", **self._filters | _ALL_DATES, page=page)
            if page > 1 and answer.status_code == 404:
                break
            assert answer.status_code == 200, answer.json
            events |= {each["id"]: _comparable(each) for each in answer.json["events"]}
            page, pages = page + 1, answer.json["total_pages"]
        return events

    def _open(self, address):
        address = urlsplit(address)
        answer = self.client.get(address.path, **dict(parse_qsl(address.query)))
        if answer.status_code != 200:
            body = BytesIO(answer.get_data())
            raise HTTPError(address.geturl(), answer.status_code, answer.text, answer.headers, body)
        page = answer.json
        told = [{**change, "modified": ""} for change in page["changes"]]
        self.stream += [{**page, "changes": told, "next": len(page["next"])}]
        return _Opened(answer)


class _Opened(BytesIO):
    def __init__(self, answer):
        super().__init__(answer.get_data())
        self.headers = SimpleNamespace(get=answer.headers.get)


def _comparable(event):
    """Leave out fields about other events or the time of day."""
    for taxonomy in ("categories", "tags"):
        for term in event.get(taxonomy, ()):
            term.pop("count")
    if event.get("series"):
        event["series"] = {
            name: value for name, value in event["series"].items() if name not in ("next", "count")
        }
    return event
