"""Schemas of what ``_fields`` selects: those of whole answers, with nothing required."""

from collections.abc import Iterator
from typing import Any

from calendar_app.http.answers.answering import JSON
from calendar_app.http.openapi.operations import METHODS, Part

_SCHEMAS = "#/components/schemas/"
_SUFFIX = "Selection"
_FIELDS: Part = {"$ref": "#/components/parameters/fields"}


def add_selections(document: Part) -> Part:
    """Let operations that take ``_fields`` answer a selection too, and return the document."""
    schemas = document["components"]["schemas"]
    answers = [media for media in _selectable(document) if "$ref" in media["schema"]]
    names: set[str] = set()
    for media in answers:
        _collect(media["schema"], schemas, names)
    for name in sorted(names):
        schemas[f"{name}{_SUFFIX}"] = _selection(schemas[name])
    for media in answers:
        media["schema"] = {"anyOf": [media["schema"], _selection(media["schema"])]}
    return document


def _selectable(document: Part) -> Iterator[Part]:
    """Yield a JSON body of each success of the operations that take ``_fields``."""
    for item in document["paths"].values():
        for operation in (item[method] for method in METHODS if method in item):
            for status, response in operation["responses"].items():
                if status.startswith("2") and _FIELDS in operation["parameters"]:
                    content = response["content"]
                    if JSON in content:
                        # A copy, since operations share what they declare.
                        response["content"] = {**content, JSON: dict(content[JSON])}
                        yield response["content"][JSON]


def _collect(part: Any, schemas: Part, names: set[str]) -> None:
    """Add the names of all schemas that a part refers to, at any depth."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix(_SCHEMAS)
        if name and name not in names:
            names.add(name)
            _collect(schemas[name], schemas, names)
    for member in part.values() if isinstance(part, dict) else part:
        if isinstance(member, dict | list):
            _collect(member, schemas, names)


def _selection(part: Any) -> Any:
    """Return a schema of which nothing is required, nor in the schemas that it refers to."""
    match part:
        case {"$ref": str(address)}:
            return {**part, "$ref": f"{address}{_SUFFIX}"}
        case dict():
            return {
                name: _selection(member)
                for name, member in part.items()
                if not (name == "required" and isinstance(member, list))
            }
        case list():
            return [_selection(member) for member in part]
        case _:
            return part
