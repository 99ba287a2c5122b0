"""List parameters that venues and organizers share, by their events."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import marshmallow as ma

from calendar_app.accounts.policy import Right
from calendar_app.domain.kind import Kind, Record
from calendar_app.http.errors.problems import refuse_unknown
from calendar_app.http.fields.scalars import LenientBoolean, PositiveInteger, Unvalidated
from calendar_app.http.lists.filtering import (
    ListRequest,
    ListSchema,
    SearchText,
    StatusFilter,
    by,
    only_language,
    search_in,
)
from calendar_app.http.lists.geography import circle_of
from calendar_app.http.lists.modified import ModifiedFilters
from calendar_app.http.lists.paging import echo
from calendar_app.http.request import current
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, at_least, none_of, one_of
from calendar_app.query.list_query import ByDistance, Listing, Order

# The reference's orders, which clients' pages depend on. Among records published at one time,
# visitors see the newest first, and editors the unfinished ones.
_NEWEST_FIRST = (("published", -1), ("_id", -1))
_OF_SEVERAL_STATES = (("published", -1), ("status", 1), ("_id", 1))
_DAY = timedelta(days=1)


class LinkedToEvent(PositiveInteger):
    """The id of an event; deserializes to the ids of its links, unless it is locked."""

    def __init__(self, links: str, **options: Any) -> None:
        super().__init__(**options)
        self._links = links

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        number = super()._deserialize(value, *args, **kwargs)
        password = current.parameter("password")
        linked = current.reader().links_of_event(
            number,
            self._links,
            current.caller(),
            password if isinstance(password, str) else None,
        )
        if linked is None:
            refuse_unknown("event", number)
        return linked


def has_events(kind: Kind) -> Callable[[bool], Clause]:
    """Return a clause function: records with events, or without."""

    def clause(has: bool) -> Clause:
        ids = _linked_from_events(kind, EVERYTHING)
        return one_of("_id", ids) if has else none_of("_id", ids)

    return clause


def with_upcoming(kind: Kind) -> Callable[[bool], Clause]:
    """Return a clause function: records with upcoming events."""

    def clause(upcoming_only: bool) -> Clause:
        if not upcoming_only:
            return EVERYTHING
        now = current.naive_now()
        # Narrows by the index on local time; no zone is a whole day away from UTC.
        upcoming = all_of([at_least("start_local", now - _DAY), at_least("start", now)])
        return one_of("_id", _linked_from_events(kind, upcoming))

    return clause


class LinkedListBase(ModifiedFilters, ListSchema):
    """Common base of the list parameters of venues and organizers."""

    @ma.post_load
    def to_request(self, values: Record, **_: Any) -> ListRequest:
        clause = all_of([values["clause"], self.combined_clause(values)])
        listing = Listing(
            values["window"],
            self.sorting(values),
            clause,
            values.get("status", ()),
            circle_of(values),
            written=only_language(),
        )
        return ListRequest(listing, echo({}, values["window"], with_status=True))

    def combined_clause(self, _values: Record) -> Clause:
        """Return a clause of several parameters together."""
        return EVERYTHING

    def sorting(self, values: Record) -> Order | ByDistance:
        return newest_first(values)


def list_schema(kind: Kind) -> type[LinkedListBase]:
    """Return the list parameters of venues, or of organizers."""

    class LinkedListSchema(LinkedListBase):
        search = SearchText(
            metadata=by(search_in(kind), "Words in name, description or other fields.")
        )
        event = LinkedToEvent(
            kind.name, metadata=by(lambda ids: one_of("_id", ids), "Linked to this event.")
        )
        has_events = LenientBoolean(metadata=by(has_events(kind), "With events, or without."))
        only_with_upcoming = LenientBoolean(
            metadata={
                **by(with_upcoming(kind), "Only with events that start from now on."),
                "default": False,
            }
        )
        status = StatusFilter()
        password = Unvalidated(description="Unlocks what this password protects.")

    return LinkedListSchema


def newest_first(values: Record) -> Order:
    """Return the order of a list for the requested states."""
    statuses = values.get("status", ())
    several = len(statuses) != 1 and current.caller().may(Right.EDIT)
    return _OF_SEVERAL_STATES if several else _NEWEST_FIRST


def _linked_from_events(kind: Kind, event_clause: Clause) -> set[int]:
    return current.reader().linked_from_events(kind.name, current.caller(), event_clause)
