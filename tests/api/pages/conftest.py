"""Pages as a browser reads them."""

import pytest
from browsing import Browser


@pytest.fixture
def browse(app):
    """Return a function that opens pages like a browser, without following redirects."""
    return Browser(app)


@pytest.fixture
def browse_with(app_of_worker):
    """Return a function that opens a browser on another worker, with some settings changed."""

    def start(**changed):
        return Browser(app_of_worker(**changed))

    return start
