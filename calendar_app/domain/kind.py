"""The kinds of records."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Any

from calendar_app.errors import Message

Record = dict[str, Any]

# What is left of the texts of one language: as they were, as they are written, and the names of
# those that were sent.
SettleTexts = Callable[[Mapping[str, str], Mapping[str, str], Collection[str]], dict[str, str]]
# What a write makes of the fields that depend on each other: the record as it was (empty when it
# is new), what was sent, and the zone of the site; returns the fields as they are from now on.
Settle = Callable[[Record, Record, str], Record]


class Markup(Enum):
    """The format of a text, by which it is cleaned when it is written."""

    NAME = "a name: plain text, shown escaped"
    TERM = "a name of a term: scripts are no part of it"
    HTML = "HTML with paragraphs"
    INLINE = "HTML as it was sent, without paragraphs"
    LINE = "one line of plain text"
    NOTE = "a short plain text, shown escaped"
    URL = "an address"
    FIELDS = "labels and values by key"


@dataclass(frozen=True, slots=True)
class KindField:
    """A field of a kind: a text with languages if it has a ``markup``, else a flag.

    ``name`` is that of the interface, ``stored`` that of documents where it differs; ``meaning``
    describes it in OpenAPI. It can be read before the password if it ``is_open``. Sources can have
    the authority over it if it is ``from_sources``. One that ``is_plain`` is read, shown and
    written alike everywhere; consumers have code for the others.
    """

    name: str
    label: Message
    markup: Markup | None = None
    meaning: str = ""
    stored: str = ""
    is_open: bool = False
    from_sources: bool = True
    is_plain: bool = True
    schema_org: str = ""  # its property there

    @property
    def attribute(self) -> str:
        """The name in documents."""
        return self.stored or self.name

    @property
    def description(self) -> str:
        """The description for OpenAPI: the meaning, else the label."""
        return self.meaning or f"{self.label}."


@dataclass(frozen=True, slots=True)
class Index:
    """An index, and the query that it serves."""

    fields: tuple[tuple[str, int | str], ...]
    serves: str
    unique: bool = False
    expire_after: int | None = None  # seconds
    having: str | None = None  # only the records that have this field
    only: Mapping[str, Any] | None = None  # only the records that match, in fields of few
    locale: str | None = None  # texts in it are sorted as readers there do
    # Made behind a large import, not on the way: it is large, or changes with each record.
    deferred: bool = False


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of record: where it lives and which fields need special care.

    ``name`` is the collection and the path, ``label`` the text that names a record, ``texts`` what
    is written in several languages (besides the slug), ``lines`` the shared plain texts. New
    documents have the ``defaults``; ``usual`` is what is true of those that do not say otherwise.
    ``has_status`` tells events, venues and organizers from terms, ``reused_by_name`` the kinds of
    which a second record of the same name is never made, ``found_by_words`` those whose searches
    go by an index of words, ``fed`` those that feeds hold. At an ``is_place`` events take place:
    its point is theirs. An ``is_picture`` is shown by records of other kinds.
    """

    name: str
    singular: str
    label: str
    texts: Mapping[str, Markup]
    lines: tuple[str, ...] = ()
    searched_texts: tuple[str, ...] = ()
    searched_lines: tuple[str, ...] = ()
    sequence: str = "records"
    has_status: bool = True
    reused_by_name: bool = False
    slug_when_unfinished: bool = True
    found_by_words: bool = False
    fed: bool = False
    is_place: bool = False
    is_picture: bool = False
    defaults: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    usual: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    indexes: tuple[Index, ...] = ()
    settle: Settle | None = None
    settle_texts: SettleTexts | None = None

    def index_by(self, *names: str) -> Index | None:
        """Return the first index that begins with these fields."""
        for index in self.indexes:
            if tuple(name for name, _ in index.fields[: len(names)]) == names:
                return index
        return None

    @cached_property
    def has_links(self) -> bool:
        """Say whether its records point to venues, organizers and terms."""
        return "venues" in self.defaults

    @cached_property
    def is_hierarchical(self) -> bool:
        """Say whether its records know all that are above them."""
        return "ancestors" in self.defaults

    @cached_property
    def translatable(self) -> tuple[str, ...]:
        return (*self.texts, "slug")
