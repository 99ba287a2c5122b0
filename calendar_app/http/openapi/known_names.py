"""The names that each operation of the document knows, in requests and answers."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from flask import Flask

from calendar_app.http.openapi.document import Document, path_of
from calendar_app.http.openapi.operations import METHODS
from calendar_app.http.request.negotiation import TRANSLATION_LANGUAGE
from calendar_app.http.views.blueprint import OTHERS, KnownNames, NameTree
from calendar_app.settings import Settings

Part = Mapping[str, Any]

_UNIONS = ("anyOf", "oneOf", "allOf")


def known_names(
    app: Flask, document: Document, settings: Settings
) -> dict[tuple[str, str], KnownNames]:
    """Return the names that operations know, by rule and method."""
    rules = {rule.rule: path_of(rule.rule, settings) for rule in app.url_map.iter_rules()}
    items = {rule: document["paths"].get(path, {}) for rule, path in rules.items()}
    return {
        (rule, method.upper()): _known_names(item, method, document["components"])
        for rule, item in items.items()
        for method in METHODS
        if method in item
    }


def _known_names(item: Part, method: str, components: Part) -> KnownNames:
    operation = item[method]
    parameters = [*item.get("parameters", ()), *operation["parameters"]]
    names = {_resolved(parameter, components)["name"] for parameter in parameters}
    sent: NameTree = dict.fromkeys({*names, TRANSLATION_LANGUAGE})
    responses = operation["responses"].items()
    answered = _tree_of_content(
        [response for status, response in responses if status.startswith("2")], components
    )
    if "requestBody" in operation:
        body = _tree_of_content([operation["requestBody"]], components)
        # A record can be sent back as it was read.
        sent = _joined(_joined(body, _without_others(answered)), sent)
    return KnownNames(sent, answered)


def _tree_of_content(parts: list[Part], components: Part) -> NameTree:
    media = [each for part in parts for each in part.get("content", {}).values()]
    return _joined_all(_tree_of(each["schema"], components) for each in media)


def _tree_of(schema: Part, components: Part) -> NameTree:
    """Return the names of a schema; those in a list are those of its members."""
    return _joined_all(_branches(_resolved(schema, components), components))


def _branches(schema: Part, components: Part) -> Iterator[NameTree]:
    unions = [part for union in _UNIONS for part in schema.get(union, ())]
    yield from (_tree_of(part, components) for part in unions)
    if "items" in schema:
        yield _tree_of(schema["items"], components)
    others = schema.get("additionalProperties")
    if schema.get("properties") or isinstance(others, dict):
        members = schema.get("properties", {}).items()
        yield {name: _tree_of(member, components) for name, member in members}
        if isinstance(others, dict):
            yield {OTHERS: _tree_of(others, components)}
    elif "object" in schema.get("type", ()) or not (unions or "type" in schema):
        yield None


def _joined_all(trees: Iterable[NameTree]) -> NameTree:
    nothing: NameTree = {}
    return reduce(_joined, trees, nothing)


def _joined(tree: NameTree, other: NameTree) -> NameTree:
    if tree is None or other is None:
        return None
    shared = {name: _joined(tree[name], other[name]) for name in tree.keys() & other.keys()}
    return tree | other | shared


def _without_others(tree: NameTree) -> NameTree:
    """Return the tree without names that answers invent, such as languages."""
    if tree is None:
        return None
    return {name: _without_others(below) for name, below in tree.items() if name != OTHERS}


def _resolved(part: Part, components: Part) -> Part:
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    resolved: Part = components[kind][name]
    return resolved
