"""Nodes of linked data in the vocabulary of schema.org."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from calendar_app.domain.zones import zone_of

Node = dict[str, Any]

# Only the outermost node has a context.
SCHEMA = "https://schema.org"
_NOTHING: tuple[object, ...] = ("", None, [], {})


def node(kind: str, properties: Mapping[str, Any]) -> Node:
    """Return a schema.org node of this type, without empty properties."""
    non_empty = {name: value for name, value in properties.items() if value not in _NOTHING}
    return {"@type": kind, **non_empty}


def document(properties: Node) -> Node:
    """Return a node as a document of its own."""
    return {"@context": SCHEMA, **properties}


def one_or_all(values: list[Any]) -> Any:
    """Unwrap a list of one value, which means the same in JSON-LD."""
    return values[0] if len(values) == 1 else values


def distinct(values: Iterable[Any]) -> list[Any]:
    """Return each value once, those of lists by themselves."""
    members: list[Any] = []
    for value in values:
        for each in value if isinstance(value, list) else [value]:
            if each not in members:
                members.append(each)
    return members


_MINUTE = timedelta(minutes=1)


def instant_text(moment: datetime, timezone: str) -> str:
    """Return naive UTC with the offset of a zone.

    ISO 8601 has no seconds in offsets, as historic ones have; these instants stay in UTC.
    """
    instant = moment.replace(tzinfo=UTC)
    local = instant.astimezone(zone_of(timezone))
    offset = local.utcoffset()
    return (local if offset is None or not offset % _MINUTE else instant).isoformat()
