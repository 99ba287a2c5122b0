"""Which part of a result is wanted, and in which order."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.storage.query.clauses import Clause
from calendar_app.storage.query.geo import Circle

Order = Sequence[tuple[str, int]]
_FARTHEST = 2**53


@dataclass(frozen=True, slots=True)
class ByText:
    """Orders by the text shown by ``chain``, with the collation of its first language."""

    field: str
    chain: tuple[str, ...]
    direction: int = 1


@dataclass(frozen=True, slots=True)
class ByDistance:
    """The nearest to the centre of the circle first; nothing else is shown.

    ``place`` is the expression of a point in place of ``location``.
    """

    circle: Circle
    direction: int = 1
    place: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class AsListed:
    """In the order of these ids; records that are not listed come first."""

    ids: tuple[int, ...]
    direction: int = 1


@dataclass(frozen=True, slots=True)
class ByRelevance:
    """Orders a search by where its words are: the title begins with one, has them all, or not.

    Within each group, events that begin on ``today`` or later come first, in the order of their
    start; then earlier ones, the latest first. An index by start can tell which these are.
    """

    today: datetime


AnyOrder = Order | ByText | ByDistance | AsListed | ByRelevance


@dataclass(frozen=True)
class Window:
    """Page ``number``, counted from 1, of ``size`` records, behind the first ``offset`` ones."""

    number: int
    size: int
    offset: int = 0

    @cached_property
    def skip(self) -> int:
        # The database counts in 64 bits; what it cannot count to lies behind every end.
        return min(self.offset + (self.number - 1) * self.size, _FARTHEST)


@dataclass(frozen=True, slots=True)
class Slice:
    """``size`` records behind the first ``skip`` ones."""

    skip: int
    size: int


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Folded words that the texts shown by ``chain`` must have, and words that they must not."""

    words: tuple[str, ...]
    unwanted: tuple[str, ...]
    chain: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The records of a list; ``statuses`` narrows the default of the caller.

    ``circle`` is the one in the clause, if any. In any order each record gets its distance by
    ``measured``. The clause has neither the ``search_query`` nor the
    language ``written``, in which each record must have a title. With ``first_in_series`` only the
    first event of each series is listed, of those that match.
    """

    window: Window
    order: AnyOrder
    clause: Clause = field(default_factory=dict)
    statuses: Collection[str] = ()
    circle: Circle | None = None
    search_query: SearchQuery | None = None
    written: str | None = None
    first_in_series: bool = False
    measured: ByDistance | None = None


@dataclass(frozen=True)
class Page:
    """The records of one page; ``count`` returns the total of all pages."""

    items: list[Record]
    window: Window
    count: Callable[[], int]

    @cached_property
    def total(self) -> int:
        return self.count()

    @cached_property
    def pages(self) -> int:
        return -(-self.total // self.window.size)
