"""Fixtures for tests with MongoDB: imports, and a file server."""

import json
import threading
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import sent_places
from calendars import calendar
from click.testing import CliRunner
from commands_heard import COMMANDS
from neighbors import neighbor
from small_calendar import pages

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.cli import main
from calendar_app.storage.mongo.transactions import in_transaction

_EDITOR = Caller(2, "editor", "editor")


class Files(BaseHTTPRequestHandler):
    """Serves files by path and ignores the query."""

    def do_GET(self):
        self.server.asked.append(self.path)
        responses = self.server.files.get(self.path.partition("?")[0], [(404, {}, b"")])
        # What was put last is answered from then on.
        status, headers, body = responses.pop(0) if len(responses) > 1 else responses[0]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class FileHost:
    """Files on loopback; ``asked`` are the paths that were asked for."""

    def __init__(self, server):
        self._server = server
        self.port = server.server_port
        self.asked = server.asked

    def put(self, path, body, status=200, **headers):
        header_fields = {name.replace("_", "-"): value for name, value in headers.items()}
        self._server.files[path] = [(status, header_fields, body)]
        return self.address(path)

    def then(self, path, body):
        """Answer with ``body`` from the second request on."""
        self._server.files[path].append((200, {}, body))

    def address(self, path, name=None):
        return f"http://{name or self._server.server_address[0]}:{self.port}{path}"


@contextmanager
def served(name="127.0.0.1"):
    with ThreadingHTTPServer((name, 0), Files) as server:
        server.asked, server.files = [], {}
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield FileHost(server)
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def host():
    """Return files that are served on loopback."""
    with served() as file_host:
        yield file_host


@pytest.fixture
def other_host():
    """Return files that are served on another address of loopback, 127.0.0.2."""
    with served("127.0.0.2") as file_host:
        yield file_host


@pytest.fixture(scope="session")
def _neighbor(mongod_uri, settings):
    """Return a function that serves a calendar under a name, always the same one."""
    neighbors = {}
    with ExitStack() as stack:

        def served_as(name):
            if name not in neighbors:
                neighbors[name] = stack.enter_context(neighbor(name, mongod_uri, settings))
            return neighbors[name]

        yield served_as


@pytest.fixture
def calendars(_neighbor, _user_documents):
    """Return a function that gives empty calendars on loopback, by their names."""

    def served_as(names):
        neighbors = [_neighbor(name) for name in names]
        for each in neighbors:
            each.empty(_user_documents)
        return neighbors

    return served_as


@pytest.fixture
def import_from(database, mongod_uri, tmp_path):
    """Return a function that imports a site, from an address or (path, body) pairs."""
    del database

    def run_import(source, *options, **settings):
        if not isinstance(source, str):
            lines = [json.dumps({"path": path, "body": body}) for path, body in source]
            source = tmp_path / "site.jsonl"
            source.write_text("\n".join(lines))
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": "de,rm",
            "CALENDAR_DEFAULT_LANGUAGE": "de",
            **{f"CALENDAR_{name.upper()}": value for name, value in settings.items()},
        }
        command = ["import", "tec", *map(str, (source, *options))]
        return CliRunner().invoke(main, command, env=environment)

    return run_import


@pytest.fixture
def import_told(import_from):
    """Return a function that imports the records of a site, by collection."""

    def run_import(site, *options, networks="127.0.0.0/8", **settings):
        source = site
        if not isinstance(site, str):
            source = [
                (f"/{name}?page=1", {name: records, "total_pages": 1})
                for name, records in site.items()
            ]
        result = import_from(source, *options, import_networks=networks, **settings)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return result.stdout.splitlines()

    return run_import


@pytest.fixture
def import_calendar(import_from):
    """Return a function that imports a small calendar, from an object or an address."""

    def run_import(site, *options):
        source = site if isinstance(site, str) else pages(site)
        return import_from(source, *options, timezone="Europe/Zurich")

    return run_import


@pytest.fixture
def import_ics(database, mongod_uri, tmp_path):
    """Return a function that imports the text of a calendar in a file, or an address."""
    del database

    def run_import(source, *options, networks="127.0.0.0/8", name="calendar.ics"):
        if "://" not in source[:10]:
            file = tmp_path / name
            file.write_bytes(source.encode())
            source = str(file)
        environment = {
            "CALENDAR_MONGODB_URI": mongod_uri,
            "CALENDAR_LANGUAGES": "de,rm",
            "CALENDAR_DEFAULT_LANGUAGE": "de",
            "CALENDAR_TIMEZONE": "Europe/Zurich",
            "CALENDAR_IMPORT_NETWORKS": networks,
        }
        return CliRunner().invoke(main, ["import", "ics", source, *options], env=environment)

    return run_import


@pytest.fixture
def listed(anyone):
    """Return a function that lists all events, oldest first."""
    everything = {"start_date": "2020-01-01", "end_date": "2035-01-01", "per_page": 50}

    def read(**query):
        response = anyone.get("/events", **everything, **query)
        assert response.status_code == 200, response.text
        return response.json["events"]

    return read


@pytest.fixture
def import_language(import_from):
    """Return a function that imports a site in its own language."""

    def run_import(site, *options):
        recorded_pages = [
            (f"/{name}?page=1", {name: each}) for name, each in site.collections().items()
        ]
        language = ("--language", site.language)
        return import_from(recorded_pages, *language, *options, timezone="Europe/Zurich")

    return run_import


@pytest.fixture
def hearers():
    """Return the list of those who are told of each command to MongoDB that has succeeded."""
    yield COMMANDS.hearers
    COMMANDS.hearers.clear()


@pytest.fixture
def meanwhile(hearers):
    """Return a function that starts work within the transaction of another writer.

    It does so after the first ``command`` to ``collection``. Who has to wait for the transaction
    is left to that a while after a transaction of its own has begun: a busy machine may take long
    until then, and would let the work begin behind the other one.
    """

    def let(collection, command, work):
        begun, answered = [], threading.Event()

        def run():
            try:
                work()
            finally:
                answered.set()

        def begin(*heard):
            if begun and threading.current_thread() is begun[0] and in_transaction():
                answered.set()
            if heard == (command, collection) and not begun:
                begun.append(threading.Thread(target=run))
                begun[0].start()
                answered.wait(timeout=5)
                begun[0].join(timeout=0.5)

        hearers.append(begin)
        return begun

    return let


@pytest.fixture
def refused(database):
    """Return a context manager in which MongoDB refuses writes to a collection."""

    @contextmanager
    def refuse(collection):
        database.command("collMod", collection, validator={"$expr": False})
        try:
            yield
        finally:
            database.command("collMod", collection, validator={})

    return refuse


# Sources that are read from texts.

EDITOR = Caller(2, "editor", "editor")
FEED = "https://club.example.org/all.ics"


@pytest.fixture
def sources(app):
    return get_services(app).sources


@pytest.fixture
def add(sources):
    """Return a function that adds a source of published events."""

    def adding(**values):
        usual = {"name": "Club", "kind": "ics", "address": FEED, "status": "publish"}
        return sources.add(usual | values, EDITOR).id

    return adding


@pytest.fixture
def read(sources):
    """Return a function that reads some components from a source."""

    def reading(source, *components, **options):
        content = calendar(*components).encode()
        return sources.readings.read(source, EDITOR, content=content, **options)

    return reading


@pytest.fixture
def take_in(app, as_editor, anyone):
    """Return a function that takes events in from one source, and returns them by title."""
    sources = get_services(app).sources
    ids = {}

    def taking(kind, *events, name="Gemeinde"):
        if kind == "rest":
            for each in events:
                own = {name: value for name, value in each.items() if name != "uid"}
                assert as_editor.post("/events", **own).status_code == 201
        else:
            if name not in ids:
                values = {"name": name, "kind": kind, "status": "publish"}
                values |= {} if kind == "push" else {"address": f"https://{len(ids)}.example/"}
                ids[name] = sources.add(values, _EDITOR).id
            if kind == "push":
                for each in events:
                    own = dict(each)
                    path = f"/events/by-source/{ids[name]}/{own.pop('uid')}"
                    assert as_editor.put(path, **own).status_code in (200, 201)
            else:
                content = sent_places.FILES[kind](events).encode()
                assert (
                    "refused"
                    not in sources.readings.read(ids[name], _EDITOR, content=content).numbers
                )
        query = {"start_date": "2030-01-01", "per_page": 50}
        stored = {each["title"]: each for each in anyone.get("/events", **query).json["events"]}
        return [stored[each["title"]] for each in events]

    return taking
