"""The interface in its own words: the OpenAPI document and the routes, made once at start."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, current_app

from calendar_app.rest.answers.representation import JSON
from calendar_app.rest.openapi.document import Document, path_of
from calendar_app.settings import Settings

Route = dict[str, Any]
Arguments = dict[str, dict[str, Any]]

_EXTENSION = "calendar.interface"
_OPERATIONS = ("get", "delete", "post", "put", "patch")
# The reference lists those of terms in an order of their own.
_OPERATIONS_ON_TERMS = ("get", "post", "put", "patch", "delete")
_SAID = ("type", "description", "default", "format", "enum", "items", "oneOf")
_SUFFIXED = re.compile(r"\}\.\w+$")
_PATTERNS = {"integer": r"\d+", "string": "[^/]+"}


@dataclass(frozen=True, slots=True)
class Interface:
    """The document, and the routes by their raw pattern; the index lists those that are ``listed``.

    ``patterns`` gives the raw pattern of a path of the document.
    """

    document: Document
    routes: Mapping[str, Route]
    listed: Mapping[str, Route]
    patterns: Mapping[str, str]
    settings: Settings

    def pattern_of(self, rule: str) -> str | None:
        """Return the raw pattern of a rule of Flask, ``None`` for what is not described."""
        return self.patterns.get(path_of(rule, self.settings))


def lend(app: Flask, document: Document, settings: Settings) -> None:
    """Make the interface known to every request of ``app``."""
    paths = document["paths"]
    patterns = {
        path: f"/{settings.namespace}{_pattern(path, item)}".rstrip("/")
        for path, item in paths.items()
    }
    routes = {
        patterns[path]: _route(path, item, document["components"], settings.namespace)
        for path, item in paths.items()
    }
    # Programs take an id with an ending for the id alone, and would lose its other methods.
    listed = {
        patterns[path]: routes[patterns[path]] for path in paths if not _SUFFIXED.search(path)
    }
    app.extensions[_EXTENSION] = Interface(document, routes, listed, patterns, settings)


def interface() -> Interface:
    lent: Interface = current_app.extensions[_EXTENSION]
    return lent


def _pattern(path: str, item: Mapping[str, Any]) -> str:
    r"""Return ``/events/{id}`` as ``/events/(?P<id>\d+)``."""
    kinds = {one["name"]: one["schema"]["type"] for one in item.get("parameters", ())}
    return re.sub(r"{(\w+)}", lambda name: f"(?P<{name[1]}>{_PATTERNS[kinds[name[1]]]})", path)


def _route(
    path: str, item: Mapping[str, Any], components: Mapping[str, Any], namespace: str
) -> Route:
    endpoints: list[dict[str, Any]] = []
    for method, arguments in _operations(path, item, components):
        if endpoints and endpoints[-1]["args"] == arguments:
            endpoints[-1]["methods"].append(method)
        else:
            endpoints.append({"methods": [method], "args": arguments})
    methods = [method for endpoint in endpoints for method in endpoint["methods"]]
    return {"namespace": namespace, "methods": methods, "endpoints": endpoints}


def _operations(
    path: str, item: Mapping[str, Any], components: Mapping[str, Any]
) -> Iterator[tuple[str, Arguments]]:
    on_terms = path.startswith(("/categories", "/tags"))
    for method in _OPERATIONS_ON_TERMS if on_terms else _OPERATIONS:
        if method not in item:
            continue
        selectors = _sent(item.get("parameters", ()), components)
        query = _sent(item[method]["parameters"], components)
        body = _written(item[method].get("requestBody", {}), components)
        # Of an event the new slug is listed, of all others the one in the path.
        written = body if path.startswith("/events/") else {**body, **selectors}
        yield method.upper(), {**selectors, **query, **written}


def _sent(parameters: Any, components: Mapping[str, Any]) -> Arguments:
    """Return the arguments that stand in path or query; headers are none."""
    found = [
        components["parameters"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one
        for one in parameters
    ]
    return {
        one["name"]: _argument(
            one["schema"] | {"description": one["description"]}, required=one.get("required", False)
        )
        for one in found
        if one["in"] != "header"
    }


def _written(body: Mapping[str, Any], components: Mapping[str, Any]) -> Arguments:
    """Return the arguments that stand in a body."""
    reference = body.get("content", {}).get(JSON, {}).get("schema", {}).get("$ref")
    if not reference:
        return {}
    schema = components["schemas"][reference.rpartition("/")[2]]
    required = schema.get("required", ())
    return {
        name: _argument(field, required=name in required)
        for name, field in schema["properties"].items()
    }


def _argument(schema: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    return {"required": required} | {name: schema[name] for name in _SAID if name in schema}
