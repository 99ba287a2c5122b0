"""The parts of the interface on which a program may rely, as the OpenAPI document has them.

``python tests/contract/promises.py`` adds those of this version to ``promised.json``, as a release
does; it takes none away.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calendar_app.app import openapi_document
from calendar_app.settings import Settings

PROMISED = Path(__file__).with_name("promised.json")
_METHODS = frozenset({"get", "post", "put", "patch", "delete"})
_CHOICES = ("oneOf", "anyOf", "allOf")
_DEPTH = 2  # a field, and those of what it links to
# What is only there with a setting is promised too.
_EVERYTHING = {"submissions": True, "mistake_reports": True}

Promises = dict[str, dict[str, list[str]]]


def present() -> Promises:
    """Return, by operation, the names of parameters, of sent and of answered fields."""
    document = openapi_document(Settings.load(environment={}, **_EVERYTHING))
    return {
        f"{method.upper()} {path}": _promises_of(operation, document)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in _METHODS
    }


def promised() -> Promises:
    """Return the promises of the last release."""
    promises: Promises = json.loads(PROMISED.read_text(encoding="utf-8"))
    return promises


def _promises_of(operation: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, list[str]]:
    parameters = (_resolved(each, document)["name"] for each in operation["parameters"])
    sent = operation.get("requestBody", {}).get("content", {})
    answers = [
        _resolved(answer, document).get("content", {}).get("application/json", {})
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    ]
    return {
        "parameters": sorted(parameters),
        "sent": sorted(_fields_of(sent.values(), document, 1)),
        "answered": sorted(_fields_of(answers, document, _DEPTH)),
    }


def _fields_of(contents: Any, document: Mapping[str, Any], depth: int) -> set[str]:
    schemas = [content["schema"] for content in contents if "schema" in content]
    return {name for schema in schemas for name in _names(schema, document, depth)}


def _names(schema: Mapping[str, Any], document: Mapping[str, Any], depth: int) -> Iterator[str]:
    schema = _resolved(schema, document)
    if "items" in schema:
        schema = _resolved(schema["items"], document)
    for choice in _CHOICES:
        for option in schema.get(choice, ()):
            yield from _names(option, document, depth)
    for name, field in schema.get("properties", {}).items():
        yield name
        if depth > 1:
            yield from (f"{name}.{each}" for each in _names(field, document, depth - 1))


def _resolved(node: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in node:
        place: Any = document
        for step in node["$ref"].split("/")[1:]:
            place = place[step]
        node = place
    return node


def with_added(promises: Promises, added: Promises) -> Promises:
    """Return all promises of both."""
    return {
        operation: {
            part: sorted({*promises.get(operation, {}).get(part, ()), *names})
            for part, names in parts.items()
        }
        for operation, parts in sorted((promises | added).items())
    }


if __name__ == "__main__":
    rows = with_added(promised(), present()).items()
    lines = (f"{json.dumps(operation)}: {json.dumps(parts)}" for operation, parts in rows)
    PROMISED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
