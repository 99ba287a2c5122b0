"""The table of events at the desk, what is done with several of them, and the coming week."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from urllib.parse import urlencode

from flask import Response, request
from marshmallow import ValidationError

from calendar_app.accounts.policy import Right, may_edit, may_read
from calendar_app.calendar.reading.facets import Facet, FacetCounts
from calendar_app.desk.event_form.fields import StoredEvent
from calendar_app.desk.event_form.saving import change_values
from calendar_app.desk.event_form.showing import content_language, notation
from calendar_app.desk.event_form.views import taken_back
from calendar_app.desk.history import reason_of
from calendar_app.desk.rendering import message_text, notify, render, see
from calendar_app.desk.routing import page
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH, STATUSES, TRASH
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.request import current
from calendar_app.http.request.current import Context
from calendar_app.kinds import CATEGORY, EVENT, TAG
from calendar_app.pages.events import read_events, today
from calendar_app.pages.forms import Values
from calendar_app.pages.questions import between, load, sent_filters
from calendar_app.query.clauses import EVERYTHING
from calendar_app.query.list_query import Listing, Page
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText, local_text
from calendar_app.resources.events.filters import RELATIVE

# One page of the table, with the numbers of all states.

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
    context = current.context()
    sent = {name: str(value) for name, value in sent_filters(context).items() if name != "password"}
    period = _period(context, sent)
    table = EventTable(sent, period, sent.get("status", ANY), {})
    filters = {**_PERIODS.get(period, {}), "status": ANY, **sent}
    try:
        listing = load(filters).listing
        chosen = {kind.name: _chosen_terms(kind, sent) for kind in (CATEGORY, TAG)}
    except ValidationError as error:
        return replace(table, errors=first_failed_stage(error.messages_dict)[1])
    except InvalidParameters as error:
        return replace(table, errors=dict(error.reasons))
    page = context.reader.search(EVENT, listing, context.caller)
    counts = _count_others(context, listing)
    numbers = _numbers(context, listing, counts)
    return replace(
        table,
        page=_counted(page, listing, numbers),
        rows=_rows(context, page.items),
        tabs=_tabs(numbers, table.state),
        categories=_choices(context, CATEGORY, counts, chosen[CATEGORY.name]),
        tags=_choices(context, TAG, counts, chosen[TAG.name]),
    )


def events_between(filters: Mapping[str, str]) -> list[ReadEvent]:
    """Return all events that are on in a window, whatever their state."""
    context = current.context()
    listing = load({"status": ANY, "per_page": context.settings.max_per_page, **filters}).listing
    return read_events(context.reader.search(EVENT, listing, context.caller).items)


def _period(context: Context, sent: Mapping[str, str]) -> str:
    """Return the period of the table; empty where the address has dates of its own."""
    if any(name in sent for name in _DATES):
        return ""
    period = context.request.args.get("period", UPCOMING)
    return period if period in _PERIODS else UPCOMING


def _count_others(context: Context, listing: Listing) -> FacetCounts:
    """Count the events of each state but the published ones, under all other filters."""
    others = replace(listing, statuses=[status for status in STATUSES if status != PUBLISH])
    facets = {"status": Facet(EVERYTHING, "status")}
    return context.reader.count_facets(EVENT, others, facets, context.caller)


def _numbers(context: Context, listing: Listing, others: FacetCounts) -> Mapping[str, int | None]:
    """Return the number of each state; nearly all events are published, and their total is kept."""
    if not others.exact:
        return dict.fromkeys(STATE_NAMES)
    published = context.reader.total(EVENT, replace(listing, statuses=[PUBLISH]), context.caller)
    return {**dict.fromkeys(STATE_NAMES, 0), **dict(others.groups["status"]), PUBLISH: published}


def _counted(page: Page, listing: Listing, numbers: Mapping[str, int | None]) -> Page:
    """Return a page whose total is the sum of its states, where that is known."""
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


def _rows(context: Context, events: list[Record]) -> list[Row]:
    return [
        Row(
            event,
            {tag: event.standing(tag) for tag in context.settings.languages},
            may_edit(context.caller, event.record),
        )
        for event in read_events(events)
    ]


def _chosen_terms(kind: Kind, sent: Mapping[str, str]) -> frozenset[str]:
    return frozenset(sent.get(kind.name, "").split(","))


def _choices(
    context: Context, kind: Kind, counts: FacetCounts, chosen: frozenset[str]
) -> list[Choice]:
    """Return all terms by name."""
    choices = [
        Choice(term_id, local_text(term, "name", context.chain), str(term_id) in chosen)
        for term_id, term in counts.terms[kind.name].items()
    ]
    return sorted(choices, key=lambda choice: choice.text.text.casefold())


# What is done with several events at once.

MOST_AT_ONCE = 100
Change = Callable[[StoredEvent], Record]
_GONE = Message("It does not exist any more.")


@dataclass(slots=True)
class Outcome:
    """How many events were changed, and the titles of the refused ones by reason."""

    changed: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)


def change_events(ids: Sequence[int], action: str, values: Mapping[str, str]) -> Outcome | None:
    """Apply an action to events; ``None`` for an unknown action or a missing term."""
    context = current.context()
    change_one = _change_of(context, action, values)
    if change_one is None:
        return None
    outcome = Outcome()
    for event_id in ids[:MOST_AT_ONCE]:
        event = context.reader.find(EVENT, event_id)
        if event is None or not may_read(context.caller, event):
            outcome.refused.setdefault(_GONE, []).append(str(event_id))
            continue
        try:
            after = change_one(StoredEvent.find(EVENT, event_id, content_language()))
        except CalendarError as error:
            title = local_text(event, "title", context.chain).text
            outcome.refused.setdefault(reason_of(error), []).append(title)
        else:
            outcome.changed += after["revision"] != event["revision"]
    return outcome


def _change_of(context: Context, action: str, values: Mapping[str, str]) -> Change | None:
    simple: Mapping[str, Change] = {
        "publish": _setting({"status": PUBLISH}),
        "draft": _setting({"status": DRAFT}),
        "trash": lambda event: context.services.editor.remove(
            EVENT, event.record["_id"], context.caller
        ),
        "restore": taken_back,
    }
    if action == "add_category":
        return _adding("categories", values.get("category", ""))
    if action == "add_tag":
        return _adding("tags", values.get("tag", ""))
    return simple.get(action)


def _adding(name: str, term: str) -> Change | None:
    """Return the change that adds a term by its id, or a tag by its name."""
    if not term.strip():
        return None
    return lambda event: change_values(
        event, {name: [*event.record[name], term.strip()]}, notation()
    )


def _setting(values: Values) -> Change:
    return lambda event: change_values(event, values, notation())


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
        query=_query,
    )


@page("/events/several", needs=Right.EDIT, methods=["POST"])
def change_several_events() -> Response:
    """Apply one action to the selected events, and lead back to the table."""
    form = request.form
    numbers = map(parse_digits, form.getlist("id"))
    ids = [number for number in numbers if number is not None]
    if ids:
        _notify(change_events(ids, form.get("action", ""), form))
    else:
        notify(Message("No event is selected."), "warning")
    query = form.get("query", "")
    return see(f"{_TABLE}?{query}" if query else _TABLE)


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


def _notify(outcome: Outcome | None) -> None:
    if outcome is None:
        notify(Message("Choose what to do with the selected events."), "warning")
        return
    if outcome.changed:
        notify(Message("Changed: {number}", number=outcome.changed))
    elif not outcome.refused:
        notify(Message("Nothing had to be changed."))
    for reason, titles in outcome.refused.items():
        listed = ", ".join(titles)
        refusal = Message(
            "Not changed: {titles}. {reason}", titles=listed, reason=message_text(reason)
        )
        notify(refusal, "problem")


def _query(**changed: str | int) -> str:
    """Return the query of this page with other values; empty ones are left out."""
    present_values = {name: value for name, value in request.args.items() if name != "page"}
    values = {**present_values, **changed}
    usual = {"period": UPCOMING, "status": "any"}
    return urlencode({n: v for n, v in values.items() if v not in ("", usual.get(n))})
