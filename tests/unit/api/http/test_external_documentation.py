"""The OpenAPI document leads to the documentation of the project, once a publisher names it."""

from calendar_app.api.http.openapi.document import external_documentation


def test_document_leads_to_the_documentation_that_is_named():
    urls = ["Source, https://example.org/code", "Documentation, https://example.org/docs/"]
    assert external_documentation(urls) == {"externalDocs": {"url": "https://example.org/docs/"}}


def test_nothing_is_named_where_nobody_publishes():
    assert external_documentation([]) == {}
