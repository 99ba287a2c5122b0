"""Fixtures for tests of plans: the profiler of MongoDB, and an editor at the desk."""

import time

import pytest
from calling import SECRET
from desking import PASSWORD, Desk

from calendar_app.accounts.users import Accounts
from calendar_app.app import create_app
from calendar_app.storage.mongo.store import Store

_ENOUGH = 2.0  # seconds; most tests take less


@pytest.fixture(autouse=True)
def _minute_that_lasts():
    """Wait for the next minute where this one ends: with it all that is remembered ends."""
    remaining = 60 - time.time() % 60
    if remaining < _ENOUGH:
        time.sleep(remaining)


@pytest.fixture
def profiled(database):
    """Return a function that lists events, with the profiler's entry of each query."""

    def at(client, path="/events", **query):
        database.command("profile", 0)
        database["system.profile"].drop()
        # A plan that was kept for another page may be a poor one for this.
        database.command("planCacheClear", "events")
        database.command("profile", 2)
        answer = client.get(path, **query)
        database.command("profile", 0)
        assert answer.status_code == 200, answer.json
        of = {"ns": f"{database.name}.events", "op": {"$in": ["query", "command"]}}
        return answer.json, list(database["system.profile"].find(of).sort("ts", 1))

    yield at
    database.command("profile", 0)
    database["system.profile"].drop()


@pytest.fixture
def desk_app(settings, database, clock):
    """Return the application of a site whose only user is an editor."""
    accounts = Accounts(Store(database), clock, 30)
    accounts.add("editor", "editor", secret=SECRET)
    accounts.change_desk_password("editor", PASSWORD)
    return create_app(settings, database, clock)


@pytest.fixture
def browser(desk_app):
    """Return the browser of the editor, who is logged in at the desk."""
    browser = Desk(desk_app)
    assert browser.log_in("editor").status == 303
    return browser
