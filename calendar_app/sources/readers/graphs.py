"""Nodes of a JSON-LD document: references by ``@id`` are followed, events are found."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

GraphNode = Mapping[str, Any]

VOCABULARY = re.compile(r"(?:https?://(?:www\.)?schema\.org/|schema:)", re.IGNORECASE)
# Kinds of events without that word in their names.
_EVENT_TYPES = frozenset({"Festival", "Hackathon", "EventSeries", "CourseInstance"})
_DEPTH = 50
# Of these an event needs what another node of the document says of them.
_FOLLOWED = ("location", "organizer", "image", "offers", "keywords", "address", "geo", "audience")


def events_in(document: Any) -> Iterator[GraphNode]:
    """Yield all events of a document, even nested ones, with their references resolved."""
    nodes = [*_nodes_in(document, _DEPTH)]
    described: dict[str, GraphNode] = {}
    for node in nodes:
        if len(node) > len(described.get(str(node.get("@id")), ())):
            described[str(node.get("@id"))] = node
    series = {str(each.get("@id")) for node in nodes for each in _objects(node.get("superEvent"))}
    for node in nodes:
        # A series may be no more than the frame of its events.
        is_frame = str(node.get("@id")) in series or {"subEvent", "subEvents"} & node.keys()
        if _is_event(node) and ("startDate" in node or not is_frame):
            yield _followed(node, described)


def types_of(node: GraphNode) -> set[str]:
    """Return the names of a node's types, without the vocabulary in front."""
    return {VOCABULARY.sub("", each) for each in listed(node.get("@type")) if isinstance(each, str)}


def listed(value: Any) -> list[Any]:
    """Return the values of a property, one or several."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _nodes_in(value: Any, depth: int) -> Iterator[GraphNode]:
    if isinstance(value, list) and depth:
        for member in value:
            yield from _nodes_in(member, depth - 1)
    elif isinstance(value, dict) and depth:
        yield value
        for name, member in value.items():
            if name != "superEvent":
                yield from _nodes_in(member, depth - 1)


def _is_event(node: GraphNode) -> bool:
    return any(name.endswith("Event") or name in _EVENT_TYPES for name in types_of(node))


def _objects(value: Any) -> Iterator[GraphNode]:
    return (each for each in listed(value) if isinstance(each, dict))


def _followed(node: GraphNode, described: Mapping[str, GraphNode], depth: int = 2) -> GraphNode:
    """Return a node with its references replaced by the nodes that they name."""
    values: dict[str, Any] = {}
    for name in _FOLLOWED:
        if name in node:
            members = [_target(each, described) for each in listed(node[name])]
            values[name] = [
                _followed(each, described, depth - 1) if isinstance(each, dict) and depth else each
                for each in members
            ]
    return {**node, **values} if values else node


def _target(value: Any, described: Mapping[str, GraphNode]) -> Any:
    """Resolve a reference to its node; return any other value unchanged."""
    is_reference = isinstance(value, dict) and value.keys() <= {"@id", "@type"}
    return described.get(str(value.get("@id")), value) if is_reference else value
