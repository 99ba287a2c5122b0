"""Split imported records into transactions of bounded size."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from calendar_app.domain.kind import Record

# Characters of text in one transaction, some hundred events: with all their words in an index,
# more would not fit into the small cache of a MongoDB.
_TRANSACTION_LENGTH = 150_000
# The characters that a record counts for beside its texts.
_BASE_LENGTH = 500
Item = TypeVar("Item")


def transactions(
    items: Iterable[Item], changes_of: Callable[[Item], Record]
) -> Iterator[list[Item]]:
    """Yield items in their order, as many at a time as one transaction has room for."""
    part, length = list[Item](), 0
    for item in items:
        part.append(item)
        length += _BASE_LENGTH + _text_length(changes_of(item))
        if length >= _TRANSACTION_LENGTH:
            yield part
            part, length = [], 0
    if part:
        yield part


def _text_length(changes: Record) -> int:
    variants = changes.get("variants", {}).values()
    return sum(len(str(text or "")) for texts in variants for text in texts.values())
