"""The OpenAPI document for the tests."""

import pytest

from calendar_app.app import openapi_document
from calendar_app.settings import Settings


@pytest.fixture(scope="module")
def document():
    return openapi_document(Settings.load(environment={}, languages=["en", "de"]))
