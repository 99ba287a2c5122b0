"""Categories in an order in which every one comes after the one above it."""

from collections.abc import Iterator, Mapping

from calendar_app.imports.tec.records import source_of_parent
from calendar_app.imports.tec.values import Raw


def by_level(collection: str, terms: Mapping[str, Raw]) -> Iterator[dict[str, Raw]]:
    """Yield the terms, by source, level by level, the topmost first.

    A parent that is not among the terms counts as none; terms below themselves come last.
    """
    waiting = dict(terms)
    above = {source: source_of_parent(collection, raw) for source, raw in terms.items()}
    while waiting:
        level = [source for source in waiting if above[source] not in waiting]
        yield {source: waiting.pop(source) for source in level or list(waiting)}
