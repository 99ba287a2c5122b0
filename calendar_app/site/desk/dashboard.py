"""The first page of the desk: near days, and the records to check, finish or translate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import editable_by, has_inbox, may_edit
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.calendar.import_runs import ImportRun
from calendar_app.calendar.reading.facets import Facet
from calendar_app.changes.webhooks.explaining import ENDINGS
from calendar_app.changes.webhooks.webhook import Webhook
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PRIVATE, PUBLISH
from calendar_app.domain.translations import CURRENT
from calendar_app.errors import Message
from calendar_app.readmodel.records import local_text
from calendar_app.site.desk.entries import InboxEntry, entries_of
from calendar_app.site.desk.near_days import near_days
from calendar_app.site.desk.rendering import gettext, language, render, render_list, sent_window
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.sources.words import reason_in_words, state_of
from calendar_app.site.html import wording
from calendar_app.sources.overview import SourceStatus
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    before,
    equals,
)
from calendar_app.storage.query.list_query import Listing, Window

AHEAD = timedelta(days=30)
SOON = timedelta(days=7)
_PREVIEW = Window(1, 5)
_BY_START = (("start_local", 1), ("_id", 1))
_UNFINISHED_OR_NOT = (PUBLISH, FUTURE, PRIVATE, DRAFT, PENDING)
_UNTITLED = Message("Without a title")
LACKS: Mapping[str, tuple[Message, Clause]] = {
    "picture": (Message("Without a picture"), equals("image", None)),
    "place": (Message("Without a place"), equals("venues", [])),
    "category": (Message("Without a category"), equals("categories", [])),
}


@dataclass(frozen=True, slots=True)
class IncompleteEvent:
    """An event that waits; ``lacks`` names its missing parts."""

    id: int
    title: str
    when: str
    lacks: Sequence[Message]
    may_edit: bool


@dataclass(frozen=True, slots=True)
class Tasks:
    """A page of the events that wait for one thing, and how many there are."""

    first: Sequence[IncompleteEvent]
    total: int
    pages: int


@dataclass(frozen=True, slots=True)
class DashboardCounts:
    """How many coming events lack something, and how many want a translation, by language."""

    lacks: Mapping[str, int]
    untranslated: Mapping[str, int]
    exact: bool


def failed_imports(context: Context) -> list[ImportRun]:
    """Return the last imports that failed; none for users who decide nothing."""
    decides = context.caller.may(Right.EDIT_OTHERS)
    return context.services.import_runs.failed() if decides else []


def troubled_sources(context: Context) -> Sequence[SourceStatus]:
    """Return the sources that wait for a person or fail; none for users who decide nothing."""
    if not context.caller.may(Right.EDIT_OTHERS):
        return ()
    sources = context.services.sources
    return sources.overview.troubled(sources.list(context.caller))


def ended_webhooks(context: Context) -> list[Webhook]:
    """Return the webhooks that have ended; none for users who do not manage them."""
    if not context.caller.may(Right.MANAGE_USERS):
        return []
    listed = context.services.webhooks.list(context.caller)
    return [each.webhook for each in listed if each.webhook.ended]


def own_drafts(context: Context) -> Tasks:
    """Return the drafts of the user."""
    return _tasks(context, (DRAFT,), equals("author", context.caller.id))


def incomplete_soon(context: Context, window: Window = _PREVIEW) -> Tasks:
    """Return the events of the next week that lack something."""
    incomplete = any_of(clause for _, clause in LACKS.values())
    clause = all_of([_within(context, SOON), incomplete])
    return _tasks(context, _UNFINISHED_OR_NOT, clause, window)


def lacking(context: Context, what: str, window: Window) -> Tasks:
    """Return the coming events that lack one thing."""
    clause = all_of([_within(context, AHEAD), LACKS[what][1]])
    return _tasks(context, _UNFINISHED_OR_NOT, clause, window)


def numbers(context: Context) -> DashboardCounts:
    """Count the missing parts of coming events, in one query."""
    listing = _listing(context, _UNFINISHED_OR_NOT, _within(context, AHEAD), _PREVIEW)
    languages = context.settings.languages
    facets = {
        **{name: Facet(lack) for name, (_, lack) in LACKS.items()},
        **{f"in {tag}": Facet({}, f"standing.{tag}") for tag in languages},
    }
    counts = context.reader.count_facets(EVENT, listing, facets, context.caller)
    return DashboardCounts(
        {name: sum(number for _, number in counts.groups[name]) for name in LACKS},
        {
            tag: sum(n for state, n in counts.groups[f"in {tag}"] if state != CURRENT)
            for tag in languages
        },
        counts.exact,
    )


def _listing(context: Context, statuses: Sequence[str], clause: Clause, window: Window) -> Listing:
    """Return the list of events that the user may edit, by their start."""
    mine = all_of([editable_by(context.caller), clause])
    return Listing(window, _BY_START, mine, statuses, first_in_series=False)


def _within(context: Context, time: timedelta) -> Clause:
    now = context.now().replace(tzinfo=None, second=0, microsecond=0)
    return all_of([at_least("start_local", now), before("start_local", now + time)])


def _tasks(
    context: Context,
    statuses: Sequence[str],
    clause: Clause = EVERYTHING,
    window: Window = _PREVIEW,
) -> Tasks:
    listing = _listing(context, statuses, clause, window)
    page = context.reader.search(EVENT, listing, context.caller)
    return Tasks([_task(context, event) for event in page.items], page.total, page.pages)


def _task(context: Context, event: Record) -> IncompleteEvent:
    title = local_text(event, "title", context.chain).text
    when = wording.when(
        event["start_local"], event["end_local"], language(), all_day=event.get("all_day", False)
    )
    empty: tuple[object, ...] = (None, [])
    fields = {"picture": "image", "place": "venues", "category": "categories"}
    lacks = [LACKS[name][0] for name, field in fields.items() if event.get(field) in empty]
    may = may_edit(context.caller, event)
    return IncompleteEvent(event["_id"], title or gettext(_UNTITLED), when, lacks, may)


# The pages that show it.

_PER_PAGE = 50
_INCOMPLETE = Message("Incomplete next week")


@page("/")
def dashboard() -> Response:
    """Show the work that waits for the user."""
    context = current.context()
    if not context.caller.may(Right.EDIT):
        return render("dashboard.html", writes=False)
    return render(
        "dashboard.html",
        writes=True,
        near_days=near_days(context),
        inbox=_inbox(context),
        questions=entries_of(context.services.inbox.questions_to(context.caller.id)),
        drafts=own_drafts(context),
        soon=incomplete_soon(context),
        numbers=numbers(context),
        lacks=LACKS,
        failed_imports=failed_imports(context),
        troubled=troubled_sources(context),
        state_of=state_of,
        reason_in_words=reason_in_words,
        ended_webhooks=ended_webhooks(context),
        endings=ENDINGS,
    )


def _inbox(context: Context) -> Sequence[InboxEntry] | None:
    """Return the next record to decide on; ``None`` for users who decide nothing."""
    if not has_inbox(context.caller):
        return None
    return entries_of(context.services.inbox.page(_PREVIEW, context.caller).items)


@page("/missing/", needs=Right.EDIT)
def incomplete_events() -> Response:
    """List the events of the next week that lack something."""
    window = sent_window(_PER_PAGE)
    return _incomplete(_INCOMPLETE, incomplete_soon(current.context(), window), SOON, window)


@page("/missing/<any(picture,place,category):what>", needs=Right.EDIT)
def events_lacking(what: str) -> Response:
    """List the coming events without a picture, a place or a category."""
    heading, _ = LACKS[what]
    window = sent_window(_PER_PAGE)
    return _incomplete(heading, lacking(current.context(), what, window), AHEAD, window)


def _incomplete(heading: Message, tasks: Tasks, ahead: timedelta, window: Window) -> Response:
    return render_list(
        "incomplete.html",
        heading=heading,
        tasks=tasks,
        days=ahead.days,
        number=window.number,
        pages=tasks.pages,
    )
