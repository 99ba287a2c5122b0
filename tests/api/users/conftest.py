"""Users are as they were before, in what the service remembers of them too."""

import pytest

from calendar_app.http.request.state import get_services


@pytest.fixture(autouse=True)
def _forgotten(app):
    yield
    get_services(app).accounts.forget_secrets()
