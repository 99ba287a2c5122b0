"""Records as JSON-LD in the vocabulary of schema.org.

A node says what is known and nothing else: a property without a value is left out.
See ``docs/reference/interface.md``, section "Structured data".
"""

from collections.abc import Mapping
from typing import Any

Node = dict[str, Any]

# Where the meaning of all words is told; it stands in the outermost node alone.
CONTEXT = "https://schema.org"
_NOTHING: tuple[object, ...] = ("", None, [], {})


def node(kind: str, properties: Mapping[str, Any]) -> Node:
    """Return a thing of a type of schema.org, ``Place``, with the properties that have a value."""
    known = {name: value for name, value in properties.items() if value not in _NOTHING}
    return {"@type": kind, **known}


def document(described: Node) -> Node:
    """Return a node that stands by itself."""
    return {"@context": CONTEXT, **described}


def inner(described: Node) -> Node:
    """Return the node of a document, to stand inside another one."""
    return {name: value for name, value in described.items() if name != "@context"}


def one_or_all(values: list[Any]) -> Any:
    """Return the only value as it is, several as a list; JSON-LD means the same by both."""
    return values[0] if len(values) == 1 else values


def pictures(image: Any) -> Any:
    """Return a picture that a record shows: its address, or all its sizes, the full one first."""
    if not image:
        return None
    if not image.get("width"):
        return image["url"]
    sizes = image.get("sizes", {}).values()
    larger = sorted(sizes, key=lambda size: size["width"] * size["height"], reverse=True)
    caption = image.get("alt_text")
    return one_or_all([_picture(size, caption) for size in (image, *larger)])


def _picture(size: Mapping[str, Any], caption: str | None) -> Node:
    """Return one size of a picture; a Distance has a unit (https://schema.org/Distance)."""
    measures = {name: f"{size[name]} px" for name in ("width", "height")}
    return node("ImageObject", {"url": size["url"], **measures, "caption": caption})
