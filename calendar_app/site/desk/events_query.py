"""What the address of the table of events asks for: one reading for its page and joint changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Self
from urllib.parse import parse_qsl, urlencode

from calendar_app.accounts.callers import Right
from calendar_app.api.http.lists.paging import as_query_text
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.resources.events.filters import RELATIVE, EventListSchema
from calendar_app.calendar.reading.event_lists import still_on
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.translations import CURRENT
from calendar_app.errors import InvalidParameters, Message
from calendar_app.site.desk.dashboard import LACKS
from calendar_app.site.desk.rendering import language
from calendar_app.site.html import wording
from calendar_app.site.pages.events import today
from calendar_app.site.pages.questions import between, load, sent_filters
from calendar_app.storage.query.clauses import Clause, all_of, differs, equals, not_any
from calendar_app.storage.query.list_query import Listing

ANY = "any"
UPCOMING, WEEK, PAST, ALWAYS = "upcoming", "week", "past", "all"
ME = "me"
# Bounds that take the place of the interface's default window. What is over today is upcoming until
# the day ends; past is all else.
_EVER = {"starts_after": "1000-01-01", "order": "desc"}
_PERIODS: Mapping[str, Mapping[str, str]] = {
    UPCOMING: {"overlaps_from": "now"},
    WEEK: {},
    PAST: _EVER,
    ALWAYS: _EVER,
}
DATES = ("start_date", "end_date", "include", *RELATIVE)
# What an address leaves out, since it holds without being said.
_USUAL = {"period": UPCOMING, "status": ANY}
# What is no filter of the table: the present page, and what nobody may read over a shoulder.
_UNKEPT = ("page", "password")
_SIX_DAYS = timedelta(days=6)
_NOT_OTHERS = Message("Only your own events can be listed by author.")
_NO_AUTHOR = Message("Choose an author from the list.")


@dataclass(frozen=True, slots=True)
class TableQuery:
    """The filters of a table: those of the interface as ``sent``, and the desk's own.

    ``lacks`` is a part or a language, ``author`` is ``me``, the id of a user, or empty. An empty
    ``period`` means that the address has dates of its own.
    """

    sent: Mapping[str, str]
    period: str = UPCOMING
    lacks: str = ""
    author: str = ""

    @classmethod
    def of_request(cls, context: Context) -> Self:
        """Return what the address of the present page asks for."""
        sent = {name: as_query_text(value) for name, value in sent_filters(context).items()}
        texts = {name: text for name, text in sent.items() if text is not None}
        return cls._of({**context.request.args, **texts}, texts)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Return what the query of an address asks for; names that are none are left out."""
        values = dict(parse_qsl(text))
        names = EventListSchema().fields
        return cls._of(values, {n: value for n, value in values.items() if n in names})

    @classmethod
    def _of(cls, values: Mapping[str, str], sent: Mapping[str, str]) -> Self:
        sent = {name: text for name, text in sent.items() if name != "password"}
        own = {name: values.get(name, "") for name in ("lacks", "author")}
        return cls(sent, _period(values), **own)

    def values(self, **changed: str) -> dict[str, str]:
        """Return all filters as they stand in an address, with other values for some."""
        own = {"period": self.period, "lacks": self.lacks, "author": self.author}
        values = {**self.sent, **own, **changed}
        kept = {name: text for name, text in values.items() if name not in _UNKEPT}
        return {name: text for name, text in kept.items() if text not in ("", _USUAL.get(name))}

    def text(self, **changed: str) -> str:
        """Return the query of an address with these filters."""
        return urlencode(self.values(**changed))

    def listing(self) -> Listing:
        """Return the list of the table; raise the errors of its filters."""
        context = current.context()
        bounds = week(context) if self.period == WEEK else _PERIODS.get(self.period, {})
        listing = load({**bounds, "status": ANY, **self.sent}).listing
        clauses = [listing.clause]
        if self.period == PAST:
            clauses.append(_over(context))
        if clause := _lack(self.lacks):
            clauses.append(clause)
        if self.author:
            clauses.append(_by_author(self.author, context))
        return replace(listing, clause=all_of(clauses))

    @property
    def is_descending(self) -> bool:
        usual = _PERIODS.get(self.period, {}).get("order", "asc")
        return self.sent.get("order", usual) == "desc"


def week(context: Context) -> Mapping[str, str]:
    """Return the bounds of the present week, which begins as in the user's language."""
    day = today(context)
    first = day - timedelta(days=(day.weekday() - wording.first_weekday(language())) % 7)
    last: date = first + _SIX_DAYS
    return between(first, last)


def _period(values: Mapping[str, str]) -> str:
    if any(values.get(name) for name in DATES):
        return ""
    period = values.get("period", UPCOMING)
    return period if period in _PERIODS else UPCOMING


def _over(context: Context) -> Clause:
    """Match events that ended before today, or in the night to it."""
    day = today(context)
    return not_any([still_on(datetime.combine(day, time.min), context.night_to(day))])


def _lack(name: str) -> Clause | None:
    """Return the events that lack something: a part, or a current text in a language."""
    if name in LACKS:
        return LACKS[name][1]
    is_language = name in current.context().settings.languages
    return differs(f"standing.{name}", CURRENT) if is_language else None


def _by_author(author: str, context: Context) -> Clause:
    """Match the events of the user, or of anybody for those who may edit what others wrote.

    Raises ``InvalidParameters`` for anybody else.
    """
    if author == ME:
        return equals("author", context.caller.id)
    if not context.caller.may(Right.EDIT_OTHERS):
        raise InvalidParameters({"author": _NOT_OTHERS})
    number = parse_digits(author)
    if number is None:
        raise InvalidParameters({"author": _NO_AUTHOR})
    return equals("author", number)
