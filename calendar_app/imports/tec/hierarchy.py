"""Categories in an order in which every one comes after the one above it."""

from collections.abc import Iterator, Mapping


def by_level(above: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the terms, each named with the one ``above`` it, level by level, the topmost first.

    A parent that is not among the terms counts as none; terms below themselves come last.
    """
    waiting = dict(above)
    while waiting:
        level = [term for term in waiting if waiting[term] not in waiting] or list(waiting)
        yield level
        for term in level:
            del waiting[term]
