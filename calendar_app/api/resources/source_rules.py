"""The rules of a source, as the OpenAPI document describes them."""

from collections.abc import Mapping
from typing import Any

from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.sources.rules import PARTS


def _texts(description: str) -> Mapping[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _ids(description: str) -> Mapping[str, Any]:
    return {"type": "array", "items": {"type": "integer"}, "description": description}


def _object(description: str, **members: Any) -> Mapping[str, Any]:
    return {"type": "object", "description": description, "properties": members}


_PARTS = f"{', '.join(PARTS)}, or the language of a title"
_CONDITIONS = {
    "categories": _texts("Its category has one of these names, in the words of the source."),
    "words": _texts("The title contains one of these texts."),
    "places": _texts("Name or address of the place contains one of these texts."),
    "has": _texts(f"It has all of these: {_PARTS}."),
    "lacks": _texts(f"It has none of these: {_PARTS}."),
}
_CONSEQUENCES = {
    "status": {
        "type": "string",
        "enum": [DRAFT, PENDING, PUBLISH],
        "description": "The status of new events, in place of that of the source.",
    },
    "categories": _ids("Categories that the event gets as well."),
    "tags": _ids("Tags that the event gets as well."),
    "featured": {"type": "boolean", "description": "Whether the event is featured."},
    "leave_out": {"type": "boolean", "description": "Whether the event is left out."},
}
RULES: Mapping[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["if", "then"],
        "properties": {
            "if": _object(
                "The conditions, all of which must hold; empty for every event.", **_CONDITIONS
            ),
            "then": _object("What happens to the event.", **_CONSEQUENCES),
        },
    },
}
