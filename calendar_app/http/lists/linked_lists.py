"""The list parameters that venues and organizers share: what events make of them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import marshmallow as ma

from calendar_app.accounts.roles import Right
from calendar_app.domain.kind import Kind, Record
from calendar_app.http.errors.problems import refuse_unknown
from calendar_app.http.fields.scalars import PositiveInteger, Truthy, Unjudged
from calendar_app.http.lists.filtering import (
    ListSchema,
    SearchText,
    StatusFilter,
    Wanted,
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

# Of what was published at one moment, readers see the latest made first, and editors, who see
# several states, what is not finished first: the reference's order, which clients' pages rest on.
_NEWEST_FIRST = (("published", -1), ("_id", -1))
_OF_SEVERAL_STATES = (("published", -1), ("status", 1), ("_id", 1))
_DAY = timedelta(days=1)


class EventOf(PositiveInteger):
    """An event that exists; gives the ids of what is linked to it, unless it is locked."""

    def __init__(self, links: str, **options: Any) -> None:
        super().__init__(**options)
        self._links = links

    def _deserialize(self, value: Any, *args: Any, **named: Any) -> Any:
        number = super()._deserialize(value, *args, **named)
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
    """Return what selects the records that an event refers to, or those that none does."""

    def clause(wanted: bool) -> Clause:
        used = _used(kind, EVERYTHING)
        return one_of("_id", used) if wanted else none_of("_id", used)

    return clause


def with_upcoming(kind: Kind) -> Callable[[bool], Clause]:
    """Return what selects the records that an event from now on refers to."""

    def clause(wanted: bool) -> Clause:
        if not wanted:
            return EVERYTHING
        now = current.naive_now()
        # By the clocks on the spot there is an index; no zone is a whole day away from UTC.
        coming = all_of([at_least("start_local", now - _DAY), at_least("start", now)])
        return one_of("_id", _used(kind, coming))

    return clause


class LinkedWanted(ModifiedFilters, ListSchema):
    """What the parameters of a list of venues or organizers select, and in which order."""

    @ma.post_load
    def want(self, values: Record, **_: Any) -> Wanted:
        clause = all_of([values["clause"], self.beyond(values)])
        listing = Listing(
            values["window"],
            self.sorting(values),
            clause,
            values.get("status", ()),
            circle_of(values),
            written=only_language(),
        )
        return Wanted(listing, echo({}, values["window"], with_status=True))

    def beyond(self, _values: Record) -> Clause:
        """Return what several parameters say together."""
        return EVERYTHING

    def sorting(self, values: Record) -> Order | ByDistance:
        return newest_first(values)


def list_schema(kind: Kind) -> type[LinkedWanted]:
    """Return the list parameters that venues and organizers share, for one of them."""

    class LinkedListSchema(LinkedWanted):
        search = SearchText(
            metadata=by(search_in(kind), "Words in name, description or other fields.")
        )
        event = EventOf(
            kind.name, metadata=by(lambda ids: one_of("_id", ids), "Linked to this event.")
        )
        has_events = Truthy(metadata=by(has_events(kind), "With events, or without."))
        only_with_upcoming = Truthy(
            metadata={
                **by(with_upcoming(kind), "Only with events that start from now on."),
                "default": False,
            }
        )
        status = StatusFilter()
        password = Unjudged(metadata={"description": "Unlocks what this password protects."})

    return LinkedListSchema


def newest_first(values: Record) -> Order:
    """Return the order of a list, given the states that it is to hold."""
    statuses = values.get("status", ())
    several = len(statuses) != 1 and current.caller().may(Right.EDIT)
    return _OF_SEVERAL_STATES if several else _NEWEST_FIRST


def _used(kind: Kind, wanted: Clause) -> set[int]:
    return current.reader().linked_from_events(kind.name, current.caller(), wanted)
