"""Builders for JSON-LD in the vocabulary of schema.org.

Empty properties are omitted. See ``docs/reference/interface.md``, section "Structured data".
"""

from collections.abc import Mapping
from typing import Any

Node = dict[str, Any]

# Only the outermost node has a context.
CONTEXT = "https://schema.org"
_NOTHING: tuple[object, ...] = ("", None, [], {})


def node(kind: str, properties: Mapping[str, Any]) -> Node:
    """Return a schema.org node of this type, without empty properties."""
    non_empty = {name: value for name, value in properties.items() if value not in _NOTHING}
    return {"@type": kind, **non_empty}


def document(properties: Node) -> Node:
    """Return a node as a document of its own."""
    return {"@context": CONTEXT, **properties}


def inner(properties: Node) -> Node:
    """Return the node of a document, for embedding in another one."""
    return {name: value for name, value in properties.items() if name != "@context"}


def one_or_all(values: list[Any]) -> Any:
    """Unwrap a list of one value, which means the same in JSON-LD."""
    return values[0] if len(values) == 1 else values


def pictures(image: Any) -> Any:
    """Return the image of a record: its URL, or all its sizes, the full one first."""
    if not image:
        return None
    if not image.get("width"):
        return image["url"]
    sizes = image.get("sizes", {}).values()
    larger = sorted(sizes, key=lambda size: size["width"] * size["height"], reverse=True)
    caption = image.get("alt_text")
    return one_or_all([_picture(size, caption) for size in (image, *larger)])


def _picture(size: Mapping[str, Any], caption: str | None) -> Node:
    """Return one size of an image; a Distance has a unit (https://schema.org/Distance)."""
    measures = {name: f"{size[name]} px" for name in ("width", "height")}
    return node("ImageObject", {"url": size["url"], **measures, "caption": caption})
