"""Pages as a browser reads them."""

import pytest
from browsing import Browser


@pytest.fixture
def browse(app):
    """Return a function that opens pages like a browser, without following redirects."""
    return Browser(app)
