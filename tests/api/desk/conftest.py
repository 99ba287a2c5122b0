"""People at the desk, each with a password."""

from functools import cache

import pytest
from desking import PASSWORD, Desk

from calendar_app.accounts.secrets import hash_secret


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
def desk(app, request):
    """Return a function that logs a user in at the desk, in a browser of their own."""
    request.getfixturevalue("with_passwords")

    def log_in(name="editor"):
        browser = Desk(app)
        answer = browser.log_in(name)
        assert answer.status == 303, answer.text
        return browser

    return log_in
