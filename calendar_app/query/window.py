"""Which part of a result is wanted, and in which order."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Record

Order = Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Window:
    """Page ``number``, counted from 1, of ``size`` records."""

    number: int
    size: int

    @property
    def skip(self) -> int:
        return (self.number - 1) * self.size


@dataclass(frozen=True, slots=True)
class Page:
    """The records of one page, and how many there are on all pages."""

    items: list[Record]
    total: int
    window: Window

    @property
    def pages(self) -> int:
        return -(-self.total // self.window.size)
