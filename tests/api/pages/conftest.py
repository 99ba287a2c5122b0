"""Pages as a browser reads them."""

import dataclasses

import pytest
from browsing import Browser

from calendar_app.app import create_app


@pytest.fixture
def browse(app):
    """Return a function that opens pages like a browser, without following redirects."""
    return Browser(app)


@pytest.fixture
def browse_with(settings, database, clock):
    """Return a function that opens a browser on another worker, with some settings changed."""

    def start(**changed):
        return Browser(create_app(dataclasses.replace(settings, **changed), database, clock))

    return start
