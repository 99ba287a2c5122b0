"""The routes of contributions are in the OpenAPI document, where the setting is on."""

import pytest
from openapi_spec_validator import validate

from calendar_app.app import openapi_document

pytestmark = pytest.mark.without_mongodb

ROUTES = {
    "/submissions": {"get", "post"},
    "/submissions/sent": {"delete", "get", "post", "put", "patch"},
    "/submissions/sent/answer": {"post"},
    "/submissions/sent/picture": {"get"},
    "/submissions/{id}": {"get"},
    "/submissions/{id}/picture": {"get"},
    "/submissions/{id}/publish": {"post"},
    "/submissions/{id}/ask": {"post"},
    "/submissions/{id}/refuse": {"post"},
}
OPEN = tuple(path for path in ROUTES if "{id}" not in path)


def test_document_with_contributions_is_valid(settings):
    document = openapi_document(settings)
    validate(document)
    methods = {path: document["paths"][path].keys() - {"parameters"} for path in ROUTES}
    assert methods == ROUTES


def test_document_says_that_senders_need_no_account(settings):
    paths = openapi_document(settings)["paths"]
    for path in ROUTES:
        assert ({} in paths[path].get("post", paths[path].get("get"))["security"]) == (
            path in OPEN or (path.startswith("/submissions/{id}") and "post" not in paths[path])
        )


def test_contact_is_in_no_response_schema(settings):
    schemas = openapi_document(settings)["components"]["schemas"]
    holders = [name for name, schema in schemas.items() if "contact" in repr(schema)]
    assert holders == ["Submission"]
    assert "contact_email" in schemas["Submission"]["properties"]
