"""One page of the table of events, with the numbers of all states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from marshmallow import ValidationError

from calendar_app.accounts.policy import may_edit
from calendar_app.calendar.reading.facets import Facet, FacetCounts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, STATUSES, TRASH
from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, EVENT, TAG
from calendar_app.pages.events import read_events
from calendar_app.pages.questions import load, sent_filters
from calendar_app.query.clauses import EVERYTHING
from calendar_app.query.list_query import Listing, Page
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText, local_text
from calendar_app.resources.events.filters import RELATIVE

ANY = "any"
STATE_NAMES: Mapping[str, Message] = {
    PUBLISH: Message("Published"),
    FUTURE: Message("Scheduled"),
    DRAFT: Message("Drafts"),
    PENDING: Message("Pending review"),
    PRIVATE: Message("Private"),
    TRASH: Message("Trash"),
}
UPCOMING, PAST, ALWAYS = "upcoming", "past", "all"
# Bounds that take the place of the interface's default window.
_PERIODS: Mapping[str, Mapping[str, str]] = {
    UPCOMING: {"ends_after": "now"},
    PAST: {"ends_before": "now", "order": "desc"},
    ALWAYS: {"starts_after": "1000-01-01", "order": "desc"},
}
_DATES = ("start_date", "end_date", "include", *RELATIVE)


@dataclass(frozen=True, slots=True)
class Tab:
    """A state, and how many events are in it; ``number`` is ``None`` among too many events."""

    state: str
    name: Message
    number: int | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class Row:
    """An event of the table; ``translations`` maps each language to its state."""

    event: ReadEvent
    translations: Mapping[str, str]
    editable: bool

    @property
    def status(self) -> str:
        return str(self.event.record["status"])


@dataclass(frozen=True, slots=True)
class Choice:
    """A category or tag by which to filter, or to add to several events."""

    id: int
    text: LocalText
    chosen: bool


@dataclass(frozen=True, slots=True)
class EventTable:
    """A page of the table; without a ``page`` some filter was refused, as ``errors`` say."""

    sent: Mapping[str, str]
    period: str
    state: str
    errors: Mapping[str, str]
    page: Page | None = None
    rows: Sequence[Row] = ()
    tabs: Sequence[Tab] = ()
    categories: Sequence[Choice] = ()
    tags: Sequence[Choice] = ()


def read_table() -> EventTable:
    """Return the page of the table that the address asks for."""
    sent = {name: str(value) for name, value in sent_filters().items() if name != "password"}
    period = _period(sent)
    table = EventTable(sent, period, sent.get("status", ANY), {})
    filters = {**_PERIODS.get(period, {}), "status": ANY, **sent}
    try:
        listing = load(filters).listing
        chosen = {kind.name: _chosen_terms(kind, sent) for kind in (CATEGORY, TAG)}
    except ValidationError as error:
        return replace(table, errors=first_failed_stage(error.messages_dict)[1])
    except InvalidParameters as error:
        return replace(table, errors=dict(error.reasons))
    page = current.reader().search(EVENT, listing, current.caller())
    counts = _count_states(listing)
    return replace(
        table,
        page=page,
        rows=_rows(page.items),
        tabs=_tabs(counts, table.state),
        categories=_choices(CATEGORY, counts, chosen[CATEGORY.name]),
        tags=_choices(TAG, counts, chosen[TAG.name]),
    )


def events_between(filters: Mapping[str, str]) -> list[ReadEvent]:
    """Return all events that are on in a window, whatever their state."""
    listing = load({"status": ANY, "per_page": current.settings().max_per_page, **filters}).listing
    return read_events(current.reader().search(EVENT, listing, current.caller()).items)


def _period(sent: Mapping[str, str]) -> str:
    """Return the period of the table; empty where the address has dates of its own."""
    if any(name in sent for name in _DATES):
        return ""
    period = current.request().args.get("period", UPCOMING)
    return period if period in _PERIODS else UPCOMING


def _count_states(listing: Listing) -> FacetCounts:
    """Count the events of each state under all other filters."""
    of_all_states = replace(listing, statuses=STATUSES)
    clause = current.reader().clause(EVENT, of_all_states, current.caller())
    return current.reader().count_facets(clause, {"status": Facet(EVERYTHING, "status")})


def _tabs(counts: FacetCounts, state: str) -> list[Tab]:
    numbers: dict[Any, int | None] = dict(counts.groups["status"])
    if not counts.exact:
        numbers = dict.fromkeys(STATE_NAMES)
    listed = [numbers.get(status, 0) for status in STATE_NAMES if status != TRASH]
    total = None if None in listed else sum(number or 0 for number in listed)
    every = Tab(ANY, Message("All"), total, state == ANY)
    return [
        every,
        *(Tab(s, name, numbers.get(s, 0), state == s) for s, name in STATE_NAMES.items()),
    ]


def _rows(events: list[Record]) -> list[Row]:
    caller = current.caller()
    return [
        Row(
            event,
            {tag: event.standing(tag) for tag in current.settings().languages},
            may_edit(caller, event.record),
        )
        for event in read_events(events)
    ]


def _chosen_terms(kind: Kind, sent: Mapping[str, str]) -> frozenset[str]:
    return frozenset(sent.get(kind.name, "").split(","))


def _choices(kind: Kind, counts: FacetCounts, chosen: frozenset[str]) -> list[Choice]:
    """Return all terms by name."""
    choices = [
        Choice(term_id, local_text(term, "name", current.chain()), str(term_id) in chosen)
        for term_id, term in counts.terms[kind.name].items()
    ]
    return sorted(choices, key=lambda choice: choice.text.text.casefold())
