"""The service with a MongoDB that requires a user and a password."""

import os
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from calling import Client
from desking import Desk
from guarded import OWNER, READER, guarded_mongod

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.site.desk.sessions import COOKIE
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.marks import WRITERS

pytestmark = [
    pytest.mark.timeout(600),
]

ROOT = Path(__file__).parents[2]
SERVE = ["-m", "calendar_app", "serve", "--bind", "127.0.0.1:0"]
GUNICORN = [
    *("-m", "gunicorn", "-c", "config/gunicorn.conf.py", "--bind", "127.0.0.1:0"),
    "wsgi:app",
]


@pytest.fixture(scope="module")
def guarded():
    with (
        tempfile.TemporaryDirectory(prefix="calendar-guarded-") as directory,
        guarded_mongod(Path(directory)) as mongod,
    ):
        assert run("indexes", uri=mongod.uri(OWNER)).returncode == 0
        yield mongod


def run(*arguments, uri, module=("-m", "calendar_app")):
    return subprocess.run(
        [sys.executable, *module, *arguments],
        env=os.environ | {"CALENDAR_MONGODB_URI": uri},
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=180,
        check=False,
    )


def refused(*arguments, uri, module=("-m", "calendar_app")):
    """Return the line that a command says which is refused."""
    process = run(*arguments, uri=uri, module=module)
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    return line


@pytest.mark.parametrize("command", [("check",), ("users", "list"), ("indexes",)])
def test_wrong_database_password_is_reported_in_one_line(guarded, command):
    line = refused(*command, uri=guarded.uri(OWNER, "wrong"))
    assert line == "Error: The database refuses the name or the password of its user."


def test_user_without_rights_gets_a_clear_error(guarded):
    line = refused("check", uri=guarded.uri_of_nobody)
    assert line == "Error: The database denies its user this command: find."


def test_a_right_that_a_command_lacks_is_named(guarded):
    line = refused("users", "add", "anna", "--role", "editor", uri=guarded.uri(READER))
    assert line.startswith("Error: The database denies its user this command: ")


def test_users_are_listed_with_read_access(guarded):
    process = run("users", "list", uri=guarded.uri(READER))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("ID")


def test_check_reports_missing_write_access(guarded):
    line = refused("check", uri=guarded.uri(READER))
    assert line == "Error: The database denies its user this command: findAndModify."


def test_check_leaves_nothing_behind(guarded):
    process = run("check", uri=guarded.uri(OWNER))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines()[-1] == "The database can be written."
    database = open_database(guarded.uri(OWNER))
    with closing(database.client):
        names = database.list_collection_names()
        assert "events" in names
        having = [name for name in names if database[name].count_documents({})]
        assert having == [WRITERS]


def test_start_with_complete_indexes_needs_no_write_access(guarded):
    process = run("indexes", "--keep", uri=guarded.uri(READER))
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.splitlines()[-1] == "0 created."


@pytest.mark.parametrize("module", [SERVE, GUNICORN])
def test_no_service_starts_with_a_wrong_password(guarded, module):
    line = refused(module=module, uri=guarded.uri(OWNER, "wrong"))
    assert line == "Error: The database refuses the name or the password of its user."


@pytest.mark.parametrize("module", [("-m", "calendar_app", "check"), SERVE, GUNICORN])
@pytest.mark.parametrize(
    "address",
    [
        "mongodb://cal:p@ss:w/rd@127.0.0.1:1/calendar",
        "mongodb://cal:p@ss@127.0.0.1:1/calendar",
        "mongodb://127.0.0.1:99999/calendar",
        "mongodb://127.0.0.1:1/calendar?tls=true&tlsCAFile=/nowhere",
    ],
)
def test_invalid_address_is_reported_without_the_password(address, module):
    line = refused(module=module, uri=address)
    assert line.startswith("Error: The setting mongodb_uri is no address: ")
    assert "rd@" not in line


@pytest.mark.parametrize(
    ("name", "password", "reason"),
    [
        (OWNER, "wrong", "Die Datenbank weist den Namen oder das Passwort ihres Benutzers zurück."),
        ("", "", "Die Datenbank verweigert ihrem Benutzer diesen Befehl: aggregate."),
    ],
)
def test_denied_database_access_is_reported_to_requests(guarded, settings, name, password, reason):
    uri = guarded.uri(name, password) if name else guarded.uri_of_nobody
    database = open_database(uri)
    with closing(database.client):
        answer = Client(create_app(settings, database)).get("/events")
    assert answer.status_code == 503, answer.json
    assert answer.json["code"] == "service_unavailable"
    assert answer.json["message"] == reason


def test_desk_is_read_where_nothing_can_be_written(guarded, settings):
    for name in (OWNER, READER):
        database = open_database(guarded.uri(name))
        with closing(database.client):
            app = create_app(settings, database)
            if name == OWNER:
                cookie = begin_session_with_notice(get_services(app).accounts)
                earlier = datetime.now(UTC) - timedelta(minutes=10)
                database["sessions"].update_many({}, {"$set": {"used": earlier}})
            desk = Desk(app)
            desk.client.set_cookie(COOKIE, cookie, path="/desk")
            assert desk.get("/").status == 200
            ended = desk.post("/logout", csrf_token=desk.token()) if name == READER else None
    assert ended.status == 503


def begin_session_with_notice(accounts):
    accounts.add("anna", "editor", id=7, secret="correct horse battery")
    token = accounts.sessions.begin(7, timedelta(hours=1))
    for text in ("Saved.", "Changed."):
        accounts.sessions.add_notice(
            accounts.sessions.find(token), {"pattern": text, "gaps": {}, "tone": "done"}
        )
    return token
