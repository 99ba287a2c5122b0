"""Pages as a browser reads them."""

import pytest
from browsing import Browser


@pytest.fixture
def browse(app):
    """Return what opens a page as a browser does, without following redirects."""
    return Browser(app)
