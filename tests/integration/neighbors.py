"""Several calendars on loopback, each with a database of its own, which follow one another."""

import dataclasses
import threading
from contextlib import closing, contextmanager

from calling import BASE, Client
from clock import NOON, Clock
from emptying import WrittenDocuments
from werkzeug.serving import WSGIRequestHandler, make_server

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store

EDITOR = Caller(2, "editor", "editor")
ALL_DATES = {"start_date": "1900-01-01", "end_date": "2200-01-01", "per_page": 50}
# What is one's own of each calendar, or tells of the clock, of other events, or of how it is shown.
_OWN = (
    *("id", "global_id", "global_id_lineage", "author", "url", "rest_url", "slug", "feeds"),
    *("date", "date_utc", "modified", "modified_utc", "json_ld", "translations", "series"),
    *("text_origins", "urls", "parent", "count", "term_taxonomy_id", "languages"),
)
_PROPOSED = ("machine", "memory")


class Neighbor:
    """A calendar: ``asked`` are the paths of the requests that others have sent to it."""

    def __init__(self, app, database, clock, address):
        self.app, self.database, self.clock, self.address = app, database, clock, address
        self.anyone, self.as_admin = Client(app), Client(app, "admin", 1)
        self.sources = get_services(app).sources
        self.asked = []
        self._collections = WrittenDocuments(database)

    def empty(self, documents):
        """Leave nothing but the users, at noon of the first day."""
        self._collections.replace(documents)
        self.clock.now = NOON
        self.asked.clear()

    def follow(self, other, **values):
        """Add another calendar as a source; return its id."""
        usual = {"name": other.address, "kind": "calendar", "address": f"{other.address}{BASE}"}
        usual |= {"status": "publish", "unknown_terms": "create", "vanished": "trash", "every": 1}
        return self.sources.add(usual | values, EDITOR).id

    def read(self, source, **options):
        """Read a source; return the numbers, or the reason of a reading that was not good."""
        reading = self.sources.readings.read(source, EDITOR, **options)
        return reading.numbers if reading.state in ("done", "unchanged") else reading.reason

    def make(self, **values):
        times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
        title = {} if "variants" in values else {"title": "Talk"}
        answer = self.as_admin.post("/events", **{**title, **times, **values})
        assert answer.status_code == 201, answer.json
        return answer.json

    def events(self, **query):
        """Return the public events as far as they travel."""
        events, page, pages = [], 0, 1
        while page < pages:
            page += 1
            parameters = {**ALL_DATES, "page": page, "translation_language": "all", **query}
            answer = self.anyone.get("/events", **parameters)
            if answer.status_code == 404:
                break
            events, pages = events + answer.json["events"], answer.json["total_pages"]
        unlocked = (each for each in events if each["all_day"] is not None)
        return sorted(map(traveling, unlocked), key=str)

    def titles(self):
        return sorted(each["title"] for each in self.events())


def traveling(event):
    """Return the part of an event that a calendar reading it has too."""
    in_series = bool(event.get("series"))
    event = _without_own(event)
    if not in_series:  # Or in one that a password protects.
        event = {name: event[name] for name in event.keys() - {"recurrence_id", "overrides"}}
    del event["website"]  # Its page where it has none; the texts by language have it.
    for name in ("venue", "organizer", "categories", "tags"):
        members = event[name] if isinstance(event[name], list) else [event[name]]
        event[name] = sorted((_without_own(each) for each in members), key=str)
    return event


def _without_own(record):
    own = {name: value for name, value in record.items() if name not in _OWN}
    if "variants" in own:
        own["variants"] = {
            tag: {name: text for name, text in texts.items() if name != "slug" and text}
            for tag, texts in own["variants"].items()
        }
    if isinstance(own.get("image"), dict):
        own["image"] = own["image"]["url"]
    if record.get("series"):
        series = record["series"]
        own["rules"] = [series["rrule"], series["rdate"]]
    origins = record.get("text_origins", {})
    own["proposed"] = sorted(
        (tag, name, entry["origin"], entry["reviewed"])
        for tag, entries in origins.items()
        for name, entry in entries.items()
        if entry["origin"] in _PROPOSED and name != "slug"
    )
    return own


def differences(ours, theirs):
    """Return the values in which two lists of events differ, with their names."""
    if len(ours) != len(theirs):
        return [[each["title"] for each in events] for events in (ours, theirs)]
    return [
        (name, own.get(name), other.get(name))
        for own, other in zip(ours, theirs, strict=True)
        for name in own | other
        if own.get(name) != other.get(name)
    ]


class _Quiet(WSGIRequestHandler):
    def log(self, *_args, **_options):
        pass


@contextmanager
def neighbor(name, uri, settings):
    """Serve a calendar on loopback; its public address has a host of its own."""
    database = open_database(uri.replace("/calendar?", f"/neighbor_{name}?"))
    own = dataclasses.replace(
        settings,
        site_url=f"https://{name}.example",
        source_networks=("127.0.0.0/8",),
    )
    clock = Clock()
    with closing(database.client):
        ensure_indexes(Store(database), declared_indexes(own))
        app = create_app(own, database, clock)
        calendar = Neighbor(app, database, clock, "")

        def answer(environ, start_response):
            calendar.asked.append(environ["PATH_INFO"])
            return app(environ, start_response)

        server = make_server("127.0.0.1", 0, answer, threaded=True, request_handler=_Quiet)
        calendar.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield calendar
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
            database.client.drop_database(database.name)
