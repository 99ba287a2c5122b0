"""The query of a page: filters under their API names, for a list or a feed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Self
from urllib.parse import quote, urlencode

from flask import Response
from marshmallow import ValidationError

from calendar_app.api.http.answers.headers import feeds_of_list
from calendar_app.api.http.errors.problems import first_failed_stage
from calendar_app.api.http.fields.schema import Values
from calendar_app.api.http.lists.filtering import ClauseMaker, ListRequest
from calendar_app.api.http.lists.paging import as_query_text
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.loading import load_parameters
from calendar_app.api.resources.events.filters import EveningListSchema
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.moments import LAST_SECOND
from calendar_app.errors import InvalidParameters
from calendar_app.feeds.answering import (
    RECURRENCE,
    EventFileSchema,
    ICalendarSchema,
    answer_event,
    answer_feed,
    icalendar_format,
)
from calendar_app.feeds.atom import ATOM
from calendar_app.feeds.feed import Format
from calendar_app.feeds.rss import RSS
from calendar_app.storage.query.clauses import Clause
from calendar_app.storage.query.list_query import Listing, Window

_SCHEMA, _FEED_SCHEMA, _FILE_SCHEMA = EveningListSchema(), ICalendarSchema(), EventFileSchema()
# What a calendar of one month or week holds at most; whole days are one click away.
MOST_EVENTS = 2000
# What addresses of pages repeat besides the filters.
_LANGUAGE_CHOICE = "fallback"
_ORDER = ("orderby", "order")
_BY_RELEVANCE = ("orderby", "relevance")
_SECRET = "password"  # noqa: S105  # the name of a parameter
_YES = "1"
_OUTLOOK = "https://outlook.live.com/calendar/0/addfromweb"
_GOOGLE = "https://calendar.google.com/calendar/r"


@dataclass(frozen=True, slots=True)
class Question:
    """The query of a page.

    ``sent`` are the filters of the address as text, ``filters`` all that count, ``window`` the
    dates of the view. Without a ``request`` some filter was refused, and ``errors`` says why.
    """

    sent: Mapping[str, str]
    filters: Mapping[str, Any]
    window: Mapping[str, str]
    request: ListRequest | None = None
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def listing(self) -> Listing | None:
        return self.request.listing if self.request else None

    @property
    def is_by_day(self) -> bool:
        """Whether events are in the order of their start."""
        order: str = self.filters.get("orderby", "start_date")
        return order == "start_date"


def sent_filters(context: Context) -> dict[str, Any]:
    """Return the filters of the address; a form sends empty ones too, which say nothing."""
    sent = context.parameters
    names = _SCHEMA.fields.keys() | {_LANGUAGE_CHOICE}
    return {name: sent[name] for name in sorted(names & sent.keys()) if not _is_empty(sent[name])}


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The filters of an address, beside ``fixed`` ones; ``texts`` are as links repeat them.

    ``today`` is the day on which it is asked, in the zone of the site.
    """

    context: Context
    sent: Mapping[str, Any]
    fixed: Mapping[str, Any]
    texts: Mapping[str, str]
    today: date

    @classmethod
    def by(cls, context: Context, fixed: Mapping[str, Any]) -> Self:
        sent = sent_filters(context)
        left_out = {_SECRET, *fixed}
        texts = {name: as_query_text(sent[name]) for name in sent if name not in left_out}
        texts_sent = {name: text for name, text in texts.items() if text is not None}
        return cls(context, sent, fixed, texts_sent, context.today().date())

    @property
    def filters(self) -> dict[str, Any]:
        """All filters that count."""
        filters = {**self.sent, **self.fixed}
        filters.pop(_LANGUAGE_CHOICE, None)
        return filters

    def question(
        self, window: Mapping[str, str] | None = None, *, whole: bool = False
    ) -> "Question":
        """Return the query, within a ``window`` of dates.

        ``whole``: everything that matches is wanted at once, however long pages are, by day.
        """
        filters = self._ordered(by_day=whole)
        question = _checked(self.context, Question(self.texts, filters, window or {}))
        if whole and question.request:
            listing = replace(question.request.listing, window=Window(1, MOST_EVENTS))
            return replace(question, request=replace(question.request, listing=listing))
        return question

    def _ordered(self, *, by_day: bool) -> dict[str, Any]:
        """Return the filters; people who search see the most relevant events first."""
        filters = self.filters
        if by_day or "search" not in filters:
            return {name: each for name, each in filters.items() if (name, each) != _BY_RELEVANCE}
        if filters.keys().isdisjoint(_ORDER):
            filters |= [_BY_RELEVANCE]
        return filters


def accepted_part(context: Context, question: Question) -> Question:
    """Return a question without the filters that were refused, in no particular order."""
    left_out = {*question.errors, *_ORDER}
    sent, filters = (
        {name: value for name, value in each.items() if name not in left_out}
        for each in (question.sent, question.filters)
    )
    return _checked(context, Question(sent, filters, question.window))


def _checked(context: Context, question: Question) -> Question:
    """Return a question with its listing, or with the reasons why it has none."""
    try:
        context.require_languages()
        request = load({**question.filters, **question.window})
    except ValidationError as error:
        return replace(question, errors=first_failed_stage(error.messages_dict)[1])
    except InvalidParameters as error:
        return replace(question, errors=dict(error.reasons))
    return replace(question, request=request)


def load(filters: Mapping[str, Any]) -> ListRequest:
    """Return the list request for filters; raises ``ValidationError``."""
    list_request: ListRequest = _SCHEMA.load(filters)
    return list_request


def value_of(name: str, sent: Any) -> Any:
    """Return the value of a filter, deserialized."""
    return _SCHEMA.value_of(name, Values({name: sent}, current.context()))


def clause_of(name: str, sent: Any) -> Clause:
    """Return the clause that a filter with this value stands for."""
    make_clause: ClauseMaker = _SCHEMA.fields[name].metadata["clause"]
    return make_clause(value_of(name, sent), current.context())


def between(first: date, last: date) -> dict[str, str]:
    """Return the filters for the events between two days, both included."""
    ends = datetime.combine(last, LAST_SECOND)
    return {"overlaps_from": f"{first} 00:00:00", "overlaps_to": f"{ends:%Y-%m-%d %H:%M:%S}"}


def _is_empty(value: Any) -> bool:
    return value in ("", None, [], [""], {})


# The feed behind a page: its address with ``ical=1``, or with ``feed=rss2`` as in WordPress.

FEED_PARAMETERS = ("ical", "feed")
# What an address that has moved repeats of them.
KEPT_OF_FEEDS = (*FEED_PARAMETERS, RECURRENCE)
_FEEDS: Mapping[str, Format] = {"feed": RSS, "rss": RSS, "rss2": RSS, "atom": ATOM}


def feed_format(context: Context) -> Format | None:
    """Return the format of the feed that the address asks for in the place of the page."""
    sent = context.parameters
    if sent.get("ical") == _YES:
        return icalendar_format(context, context.settings.page_feed_recurrence)
    return _FEEDS.get(str(sent.get("feed")))


def feed(page_query: PageQuery, kind: Format) -> Response:
    """Answer with the events that the filters select."""
    page_query.context.require_languages()
    try:
        list_request = _FEED_SCHEMA.load({**page_query.filters, **_recurrence(page_query.context)})
    except ValidationError as error:
        raise InvalidParameters(first_failed_stage(error.messages_dict)[1]) from error
    return answer_feed(kind, list_request)


def event_feed(context: Context, event: Record, kind: Format) -> Response:
    """Answer with one event, as iCalendar."""
    context.record, context.presented = event, None
    load_parameters(_FILE_SCHEMA, _recurrence(context))
    return answer_event({"password": context.parameters.get("password")}, kind)


def _recurrence(context: Context) -> dict[str, Any]:
    """Return the series parameters of the address, unvalidated."""
    sent = context.parameters
    return {RECURRENCE: sent[RECURRENCE]} if RECURRENCE in sent else {}


@dataclass(frozen=True, slots=True)
class Subscription:
    """The addresses under which programs subscribe to a list; ``csv`` is its table for Excel."""

    ics: str
    webcal: str
    google: str
    outlook: str
    atom: str
    csv: str


def subscription(filters: Mapping[str, str], name: str) -> Subscription:
    """Return the feeds of a filtered list; ``name`` is that of the calendar in Outlook."""
    feeds = feeds_of_list(EVENT, filters)
    webcal = f"webcal:{feeds['ics'].partition(':')[2]}"
    google = f"{_GOOGLE}?cid={quote(webcal, safe='')}"
    outlook = f"{_OUTLOOK}?{urlencode({'url': feeds['ics'], 'name': name})}"
    table = feeds_of_list(EVENT, {**filters, "bom": "true"})["csv"]
    return Subscription(feeds["ics"], webcal, google, outlook, feeds["atom"], table)
