"""People at the desk, each with a password."""

from datetime import timedelta
from functools import cache

import pytest
from desking import PASSWORD, Desk

from calendar_app.accounts.secrets import hash_secret
from calendar_app.api.http.request.state import get_services
from calendar_app.site.desk.sessions import COOKIE


@cache
def _hashed():
    return hash_secret(PASSWORD)


@pytest.fixture
def with_passwords(database):
    """Give all users the same password for the desk; hashed once, since that is slow."""
    database["users"].update_many({}, {"$set": {"desk_password": _hashed()}})


@pytest.fixture
def stranger(app):
    """Return the desk as somebody sees it who has not logged in."""
    return Desk(app)


@pytest.fixture
def desk(app, database, request):
    """Return a function that begins a user's session, in a browser of their own.

    To log in takes two pages and a hash, which the tests of the login itself are about.
    """
    request.getfixturevalue("with_passwords")
    lifetime = timedelta(hours=get_services(app).settings.session_hours)

    def enter(name="editor"):
        browser = Desk(app)
        user = database["users"].find_one({"name": name})
        token = get_services(app).accounts.sessions.begin(user["_id"], lifetime)
        browser.client.set_cookie(COOKIE, token, path="/desk")
        return browser

    return enter


@pytest.fixture
def log_in(app, request):
    """Return a function that logs a user in by the form, in a browser of their own."""
    request.getfixturevalue("with_passwords")

    def log_in(name="editor"):
        browser = Desk(app)
        answer = browser.log_in(name)
        assert answer.status == 303, answer.text
        return browser

    return log_in
