"""Describes the additions of plugins in the OpenAPI document."""

from collections.abc import Iterable, Iterator
from typing import Any

from calendar_app.api.http.openapi.document import Document
from calendar_app.plugins.installed import Plugins

# The schemas of a source, and of a list of events, each also with selected fields alone.
_SOURCES = ("Source", "SourceChange", "SourceSelection")
_LISTS = ("EventPage", "EventPageSelection")


def describe_plugins(document: Document, plugins: Plugins) -> Document:
    """Add the kinds of sources and the feeds of plugins to a document, and return it."""
    if plugins.source_kinds:
        names = ", ".join(plugins.source_kinds)
        for own in _properties(document, _SOURCES):
            words = f"{own['kind']['description'].removesuffix('.')}, {names}."
            own["kind"] = {**own["kind"], "description": words}
    types = {each.suffix: each.media_type for each in plugins.formats}
    further = {suffix: {"type": "string", "description": of} for suffix, of in types.items()}
    for own in _properties(document, _LISTS) if further else ():
        feeds = own["feeds"]
        own["feeds"] = {**feeds, "properties": {**feeds["properties"], **further}}
    return document


def _properties(document: Document, schemas: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the properties of schemas; the values are shared with other documents."""
    for name in schemas:
        schema = document["components"]["schemas"][name]
        schema["properties"] = dict(schema["properties"])
        yield schema["properties"]
