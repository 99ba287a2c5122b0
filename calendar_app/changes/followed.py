"""Followed lists, and the records that their filters by links mean over time."""

from collections.abc import Collection
from dataclasses import dataclass, field

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.reading.reader import Reader
from calendar_app.domain.kind import Kind
from calendar_app.storage.query.clauses import Clause, all_of, one_of
from calendar_app.storage.query.list_query import Listing


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """A filter by links: only records whose ``field`` has one of these ids of a kind.

    Some of the linked records may be hidden from the reader, or deleted.
    """

    field: str
    kind: Kind
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """A list of records that somebody follows; ``caller`` is who reads it.

    ``listing`` is without the ``link_filters``, as these depend on linked records, which change.
    ``without_links`` is also without the filters by place: of a record that is written with what
    it links to, these alone may have changed.
    """

    kind: Kind
    listing: Listing
    without_links: Listing
    caller: Caller
    link_filters: tuple[LinkFilter, ...] = ()
    password: str | None = field(default=None, repr=False)


def linked_now(reader: Reader, followed: Followed) -> Clause:
    """Match the records that link to those of the filters, as the reader sees them now."""
    return all_of(
        one_of(
            each.field, with_descendants(reader, each.kind, readable_ids(reader, each, followed))
        )
        for each in followed.link_filters
    )


def readable_ids(reader: Reader, link_filter: LinkFilter, followed: Followed) -> set[int]:
    """Return the ids of a filter by links that the reader may name now."""
    ids = set(link_filter.ids)
    return ids - reader.missing(link_filter.kind, ids, followed.caller) if ids else ids


def with_descendants(reader: Reader, kind: Kind, ids: Collection[int]) -> Collection[int]:
    return reader.terms.with_descendants(kind, ids) if kind.is_hierarchical and ids else ids
