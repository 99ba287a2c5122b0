"""The interface at startup: the document, its routes by pattern, and the names that it knows."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from pathlib import Path
from typing import Any

from flask import Flask, current_app

from calendar_app.api.http.answers.answering import JSON
from calendar_app.api.http.openapi.document import Document, path_of
from calendar_app.api.http.openapi.operations import METHODS
from calendar_app.api.http.request.negotiation import TRANSLATION_LANGUAGE
from calendar_app.api.http.views.ignored_names import ALL_OTHERS, FindNames, KnownNames, NameTree
from calendar_app.settings import Settings

Route = dict[str, Any]
Arguments = dict[str, dict[str, Any]]

_EXTENSION = "calendar.interface"
# The reference lists the operations on terms in another order.
_OPERATIONS_ON_TERMS = ("get", "post", "put", "patch", "delete")
_TERMS = ("categories", "tags")
_UNIONS = ("oneOf", "anyOf")
_TYPES = ("type", "format")
_KEYS = ("type", "description", "default", "format", "enum", "items", *_UNIONS)
# Declarations of the reference's index that differ from the document, by collection.
_REFERENCE: Mapping[str, Mapping[str, Arguments]] = json.loads(
    Path(__file__).with_name("reference_arguments.json").read_text(encoding="utf-8")
)
_SUFFIXED = re.compile(r"\}\.\w+$")
_PATTERNS = {"integer": r"\d+", "string": "[^/]+"}


@dataclass(frozen=True, slots=True)
class Interface:
    """The document, and the routes by raw pattern; ``indexed`` are those in the index.

    ``patterns`` maps a path of the document to its raw pattern. Namespaces ``beside`` the own one
    are not described in the document.
    """

    document: Document
    routes: dict[str, Route]
    indexed: Mapping[str, Route]
    patterns: dict[str, str]
    settings: Settings
    beside: dict[str, Mapping[str, Route]] = field(default_factory=dict)

    @property
    def namespaces(self) -> Mapping[str, Mapping[str, Route]]:
        """The routes in the index, by namespace."""
        return {self.settings.namespace: self.indexed, **self.beside}

    def pattern_of(self, rule: str) -> str | None:
        """Return the raw pattern of a Flask rule, ``None`` if it is undocumented."""
        return self.patterns.get(path_of(rule, self.settings))


def init_app(app: Flask, document: Document, settings: Settings) -> None:
    """Attach the interface to ``app``."""
    paths = document["paths"]
    patterns = {
        path: f"/{settings.namespace}{_pattern(path, item)}".rstrip("/")
        for path, item in paths.items()
    }
    routes = {
        patterns[path]: _route(path, item, document["components"], settings.namespace)
        for path, item in paths.items()
    }
    # Clients mistake ``{id}.ics`` for ``{id}``, and would lose its other methods.
    indexed = {
        patterns[path]: routes[patterns[path]] for path in paths if not _SUFFIXED.search(path)
    }
    app.extensions[_EXTENSION] = Interface(document, routes, indexed, patterns, settings)


def add_namespace(
    app: Flask, name: str, routes: Mapping[str, Route], patterns: Mapping[str, str]
) -> None:
    """Name a namespace beside the own one in the index; ``patterns`` are those of its rules."""
    described: Interface = app.extensions[_EXTENSION]
    described.beside[name] = routes
    described.routes.update(routes)
    described.patterns.update(
        {path_of(rule, described.settings): pattern for rule, pattern in patterns.items()}
    )


def interface() -> Interface:
    get_services: Interface = current_app.extensions[_EXTENSION]
    return get_services


def _pattern(path: str, item: Mapping[str, Any]) -> str:
    r"""Return ``/events/{id}`` as ``/events/(?P<id>\d+)``."""
    kinds = {
        parameter["name"]: parameter["schema"]["type"] for parameter in item.get("parameters", ())
    }
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
    collection = path.split("/")[1]
    reference = _REFERENCE.get(collection, {})
    for method in _OPERATIONS_ON_TERMS if collection in _TERMS else METHODS:
        if method not in item:
            continue
        selectors = _parameter_arguments(item.get("parameters", ()), components)
        query = _parameter_arguments(item[method]["parameters"], components)
        if "per_page" in query:
            # The reference writes a text.
            query["per_page"]["default"] = str(query["per_page"]["default"])
        body = _body_arguments(item[method].get("requestBody", {}), components)
        # Events list the new slug, other kinds the one in the path.
        body_and_path = body if collection == "events" else {**body, **selectors}
        arguments = {**selectors, **query, **body_and_path}
        if body:
            arguments = _apply_reference(arguments, reference.get("write", {}))
        elif method == "get" and path == f"/{collection}":
            arguments = _apply_reference(arguments, reference.get("read", {}))
        yield method.upper(), arguments


def _apply_reference(arguments: Arguments, reference: Arguments) -> Arguments:
    """Override our declarations with the reference's; ``null`` takes a type away."""
    names = [name for name in reference if name in arguments]
    overridden = {name: arguments[name] | reference[name] for name in names}
    return arguments | {
        name: {
            key: value
            for key, value in argument.items()
            if key not in _UNIONS and not (value is None and key in _TYPES)
        }
        for name, argument in overridden.items()
    }


def _parameter_arguments(parameters: Any, components: Mapping[str, Any]) -> Arguments:
    """Return the arguments of path and query, without headers."""
    resolved = [
        components["parameters"][parameter["$ref"].rpartition("/")[2]]
        if "$ref" in parameter
        else parameter
        for parameter in parameters
    ]
    return {
        parameter["name"]: argument(
            parameter["schema"] | {"description": parameter["description"]},
            required=parameter.get("required", False),
        )
        for parameter in resolved
        if parameter["in"] != "header"
    }


def _body_arguments(body: Mapping[str, Any], components: Mapping[str, Any]) -> Arguments:
    """Return the arguments of a body."""
    reference = body.get("content", {}).get(JSON, {}).get("schema", {}).get("$ref")
    if not reference:
        return {}
    schema = components["schemas"][reference.rpartition("/")[2]]
    required = schema.get("required", ())
    return {
        name: argument(field, required=name in required)
        for name, field in schema["properties"].items()
    }


def argument(schema: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """Return a declaration in WordPress' form, with one type."""
    argument = {"required": required} | {key: schema[key] for key in _KEYS if key in schema}
    if isinstance(argument.get("type"), list):
        argument["type"] = argument["type"][0]
    return argument


InterfacePart = Mapping[str, Any]

_BRANCHES = ("anyOf", "oneOf", "allOf")


def known_names(app: Flask, document: Document, settings: Settings) -> FindNames:
    """Return a function that says which names an operation knows, by its rule and method.

    The names of an operation are collected for the first request that asks.
    """
    paths = {rule.rule: path_of(rule.rule, settings) for rule in app.url_map.iter_rules()}
    trees = _Trees(document["components"])

    @cache
    def find(rule: str, method: str) -> KnownNames | None:
        item = document["paths"].get(paths.get(rule), {})
        name = method.lower()
        return _known_names(item, name, trees) if name in METHODS and name in item else None

    return find


def _known_names(item: InterfacePart, method: str, trees: "_Trees") -> KnownNames:
    operation = item[method]
    parameters = [*item.get("parameters", ()), *operation["parameters"]]
    names = {trees.resolved(parameter)["name"] for parameter in parameters}
    sent: NameTree = dict.fromkeys({*names, TRANSLATION_LANGUAGE})
    responses = operation["responses"].items()
    answered = trees.of_content(
        [response for status, response in responses if status.startswith("2")]
    )
    if "requestBody" in operation:
        body = trees.of_content([operation["requestBody"]])
        # A record can be sent back as it was read.
        sent = _joined(_joined(body, _without_others(answered)), sent)
    return KnownNames(sent, answered)


class _Trees:
    """The names of schemas; of each shared one they are collected once."""

    def __init__(self, components: InterfacePart) -> None:
        self._components = components
        self._shared: dict[str, NameTree] = {}

    def of_content(self, parts: list[InterfacePart]) -> NameTree:
        media = [each for part in parts for each in part.get("content", {}).values()]
        return _joined_all(self._of(each["schema"]) for each in media)

    def resolved(self, part: InterfacePart) -> InterfacePart:
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        resolved: InterfacePart = self._components[kind][name]
        return resolved

    def _of(self, schema: InterfacePart) -> NameTree:
        """Return the names of a schema; those in a list are those of its members."""
        reference = schema.get("$ref", "")
        if reference in self._shared:
            return self._shared[reference]
        tree = _joined_all(self._branches(self.resolved(schema)))
        if reference:
            self._shared[reference] = tree
        return tree

    def _branches(self, schema: InterfacePart) -> Iterator[NameTree]:
        unions = [part for union in _BRANCHES for part in schema.get(union, ())]
        yield from (self._of(part) for part in unions)
        if "items" in schema:
            yield self._of(schema["items"])
        additional = schema.get("additionalProperties")
        if schema.get("properties") or isinstance(additional, dict):
            members = schema.get("properties", {}).items()
            yield {name: self._of(member) for name, member in members}
            if isinstance(additional, dict):
                yield {ALL_OTHERS: self._of(additional)}
        elif "object" in schema.get("type", ()) or not (unions or "type" in schema):
            yield None


# The tree of all values without members, so that most trees need not be joined.
_NOTHING: NameTree = {}


def _joined_all(trees: Iterable[NameTree]) -> NameTree:
    return reduce(_joined, trees, _NOTHING)


def _joined(tree: NameTree, second: NameTree) -> NameTree:
    if tree is None or second is None:
        return None
    if tree is _NOTHING or second is _NOTHING:
        return second if tree is _NOTHING else tree
    shared = {
        name: _joined(tree[name], second[name])
        for name in tree.keys() & second.keys()
        if tree[name] is not second[name]
    }
    return tree | second | shared


def _without_others(tree: NameTree) -> NameTree:
    """Return the tree without invented names, for example languages."""
    if tree is None:
        return None
    return {
        name: _without_others(below) if below else below
        for name, below in tree.items()
        if name != ALL_OTHERS
    }
