"""Fixtures for account tests: the accounts of an empty database, and Anna."""

from datetime import UTC, datetime, timedelta

import pytest
from api.calendar.anna import SECRET

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.users import ACCOUNT_INDEXES, Accounts
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store


class Clock:
    """Stands still until it is moved; close to the present, as the database has its own clock."""

    def __init__(self):
        self.now = datetime.now(UTC)

    def __call__(self):
        return self.now

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(database):
    store = Store(database)
    ensure_indexes(store, ACCOUNT_INDEXES)
    return store


@pytest.fixture
def accounts(store, clock):
    return Accounts(store, clock, remember_seconds=30)


@pytest.fixture
def anna(accounts):
    accounts.add("Anna", "editor", id=7, secret=SECRET)
    return Caller(7, "Anna", "editor")
