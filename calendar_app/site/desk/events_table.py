"""The table of events at the desk, and the coming week."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from urllib.parse import urlsplit

from flask import Response
from marshmallow import ValidationError

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_edit
from calendar_app.api.http.errors.problems import first_failed_stage
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.calendar.reading.facets import Facet, FacetCounts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, TAG
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, STATUSES, TRASH
from calendar_app.errors import InvalidParameters, Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.events_query import ANY, DATES, TableQuery
from calendar_app.site.desk.filter_chips import TermFilter, chips_of
from calendar_app.site.desk.rendering import render
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.views_of_events import views_of
from calendar_app.site.pages.events import read_events, today
from calendar_app.site.pages.questions import between, load
from calendar_app.storage.query.clauses import EVERYTHING
from calendar_app.storage.query.list_query import Listing, Page, Window

# One page of the table, with the numbers of all states.

STATE_NAMES: Mapping[str, Message] = {
    PUBLISH: Message("Published"),
    FUTURE: Message("Scheduled"),
    DRAFT: Message("Drafts"),
    PENDING: Message("To check"),
    PRIVATE: Message("Private"),
    TRASH: Message("Trash"),
}


@dataclass(frozen=True, slots=True)
class Tab:
    """A state, and how many events are in it; ``number`` is ``None`` among too many events."""

    state: str
    name: Message
    number: int | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of the table; ``translations`` maps each language to its state."""

    event: ReadEvent
    translations: Mapping[str, str]
    editable: bool
    sources: Mapping[int, str]

    @property
    def status(self) -> str:
        return str(self.event.record["status"])

    @property
    def thumbnail(self) -> str:
        """The address of a small picture; empty where there is none, or at another site."""
        picture = self.event.picture
        if picture is None or not picture.id:
            return ""
        sizes = picture.sizes.values()
        return urlsplit(min(sizes, key=lambda size: size.width or 0, default=picture.full).url).path


@dataclass(frozen=True, slots=True)
class Column:
    """A column; with an ``order`` it can be sorted, and ``sorted`` says how it is."""

    name: Message
    order: str = ""
    sorted: str = ""

    @property
    def next(self) -> str:
        return "desc" if self.sorted == "ascending" else "asc"


# Those that sort do so by an index.
_COLUMNS = (
    Column(Message("Title"), "title"),
    Column(Message("When"), "start_date"),
    Column(Message("Where")),
    Column(Message("Categories")),
    Column(Message("Languages")),
    Column(Message("State")),
    Column(Message("Changed"), "modified"),
)


@dataclass(frozen=True, slots=True)
class EventTable:
    """A page of the table; without a ``page`` some filter was refused, as ``errors`` say."""

    query: TableQuery
    errors: Mapping[str, str]
    columns: Sequence[Column] = ()
    page: Page | None = None
    rows: Sequence[EventRow] = ()
    tabs: Sequence[Tab] = ()
    categories: Sequence[TermFilter] = ()
    tags: Sequence[TermFilter] = ()
    sources: Sequence[tuple[int, str]] = ()

    @property
    def no_dates(self) -> Mapping[str, str]:
        """The bounds of an address, each without a value."""
        return dict.fromkeys(DATES, "")

    @property
    def state(self) -> str:
        return self.query.sent.get("status", ANY)


def read_table() -> EventTable:
    """Return the page of the table that the address asks for."""
    context = current.context()
    query = TableQuery.of_request(context)
    table = EventTable(query, {}, _columns(query))
    try:
        listing = query.listing()
        chosen = {kind.name: _chosen_terms(kind, query.sent) for kind in (CATEGORY, TAG)}
        page = context.reader.search(EVENT, listing, context.caller)
    except ValidationError as error:
        return replace(table, errors=first_failed_stage(error.messages_dict)[1])
    except InvalidParameters as error:
        return replace(table, errors=dict(error.reasons))
    counts = _count_others(context, listing)
    numbers = _numbers(context, listing, counts)
    return replace(
        table,
        page=_counted(page, listing, numbers),
        rows=_rows(context, page.items),
        tabs=_tabs(numbers, table.state),
        categories=_choices(context, CATEGORY, counts, chosen[CATEGORY.name]),
        tags=_choices(context, TAG, counts, chosen[TAG.name]),
        sources=_sources(context),
    )


def matching_events(query: str, most: int) -> tuple[list[int], int]:
    """Return the events of all pages of a table, ``most`` at once, and how many are left.

    ``query`` is that of the table's address. Filters that are refused match nothing.
    """
    context = current.context()
    try:
        listing = replace(TableQuery.of_text(query).listing(), window=Window(1, most))
        page = context.reader.search(EVENT, listing, context.caller)
    except (ValidationError, InvalidParameters):
        return [], 0
    return [event["_id"] for event in page.items], max(page.total - most, 0)


def _columns(query: TableQuery) -> list[Column]:
    order = query.sent.get("orderby", "start_date")
    direction = "descending" if query.is_descending else "ascending"
    return [replace(each, sorted=direction) if each.order == order else each for each in _COLUMNS]


def events_between(filters: Mapping[str, str]) -> list[ReadEvent]:
    """Return all events that are on in a window, whatever their state."""
    context = current.context()
    listing = load({"status": ANY, "per_page": context.settings.max_per_page, **filters}).listing
    return read_events(context.reader.search(EVENT, listing, context.caller).items)


def _count_others(context: Context, listing: Listing) -> FacetCounts:
    """Count the events of each state but the published ones, under all other filters."""
    unpublished = replace(listing, statuses=[status for status in STATUSES if status != PUBLISH])
    facets = {"status": Facet(EVERYTHING, "status")}
    return context.reader.count_facets(EVENT, unpublished, facets, context.caller)


def _numbers(
    context: Context, listing: Listing, unpublished: FacetCounts
) -> Mapping[str, int | None]:
    """Return the number of each state; nearly all events are published, and their total is kept."""
    if not unpublished.exact:
        return dict.fromkeys(STATE_NAMES)
    published = context.reader.total(EVENT, replace(listing, statuses=[PUBLISH]), context.caller)
    return {
        **dict.fromkeys(STATE_NAMES, 0),
        **dict(unpublished.groups["status"]),
        PUBLISH: published,
    }


def _counted(page: Page, listing: Listing, numbers: Mapping[str, int | None]) -> Page:
    """Return a page with the sum of its states as total, where known."""
    statuses = listing.statuses or [status for status in STATE_NAMES if status != TRASH]
    counted = [numbers.get(status) for status in statuses]
    if None in counted or listing.first_in_series:
        return page
    return replace(page, count=lambda: sum(number or 0 for number in counted))


def _tabs(numbers: Mapping[str, int | None], state: str) -> list[Tab]:
    listed = [numbers[status] for status in STATE_NAMES if status != TRASH]
    total = None if None in listed else sum(number or 0 for number in listed)
    every = Tab(ANY, Message("All"), total, state == ANY)
    return [
        every,
        *(Tab(s, name, numbers[s], state == s) for s, name in STATE_NAMES.items()),
    ]


def _rows(context: Context, events: list[Record]) -> list[EventRow]:
    read = read_events(events)
    series_of = {event.id: event.record.get("series", 0) for event in read}
    sources = context.services.sources.provenance.of_events(series_of)
    return [
        EventRow(
            event,
            {tag: event.standing(tag) for tag in context.settings.languages},
            editable := may_edit(context.caller, event.record),
            sources[event.id] if editable else {},
        )
        for event in read
    ]


def _chosen_terms(kind: Kind, sent: Mapping[str, str]) -> frozenset[str]:
    return frozenset(sent.get(kind.name, "").split(","))


def _choices(
    context: Context, kind: Kind, counts: FacetCounts, chosen: frozenset[str]
) -> list[TermFilter]:
    """Return all terms by name."""
    choices = [
        TermFilter(term_id, local_text(term, "name", context.chain), str(term_id) in chosen)
        for term_id, term in counts.terms[kind.name].items()
    ]
    return sorted(choices, key=lambda choice: choice.text.text.casefold())


def _sources(context: Context) -> list[tuple[int, str]]:
    """Return all sources by name, for those who manage them."""
    if not context.caller.may(Right.EDIT_OTHERS):
        return []
    listed = context.services.sources.list(context.caller)
    return [(each.source.id, each.source.name) for each in listed]


# The pages.

_DAYS = 7
_REFUSED = 400
_TABLE = "/events/"


@page(_TABLE, needs=Right.EDIT)
def events_table() -> Response:
    """Show one page of events, with filters and states."""
    table = read_table()
    return render(
        "events/table.html",
        _REFUSED if table.errors else 200,
        table=table,
        state_names=STATE_NAMES,
        query=table.query.text,
        chips=chips_of(table.query, table.categories, table.tags, table.sources),
        views=views_of(table.query),
    )


@page("/events/week", needs=Right.EDIT)
def coming_week() -> Response:
    """Show all events of the next seven days, day by day."""
    first = today(current.context())
    days = [first + timedelta(days=number) for number in range(_DAYS)]
    events = events_between(between(days[0], days[-1]))
    on: dict[date, list[object]] = {
        day: [event for event in events if event.days[0] <= day <= event.days[1]] for day in days
    }
    return render("events/week.html", days=on, state_names=STATE_NAMES)
