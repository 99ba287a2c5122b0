"""The filters of a page: those of the interface's list of events, under the same names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Any

from marshmallow import ValidationError

from calendar_app.errors import InvalidParameters
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.fields.schema import Values
from calendar_app.http.lists.filtering import ClauseMaker, ListRequest
from calendar_app.http.lists.paging import as_query_text
from calendar_app.http.request import current
from calendar_app.query.clauses import Clause
from calendar_app.query.list_query import Listing, Window
from calendar_app.resources.events.filters import EventListSchema

_SCHEMA = EventListSchema()
# What a calendar of one month or week holds at most; whole days are one click away.
MOST_EVENTS = 2000
# What addresses of pages repeat besides the filters.
_LANGUAGE_CHOICE = "fallback"
_SECRET = "password"  # noqa: S105  # the name of a parameter
_LAST_SECOND = time(23, 59, 59)


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


def sent_filters() -> dict[str, Any]:
    """Return the filters of the address; a form sends empty ones too, which say nothing."""
    sent = current.sent_parameters()
    names = _SCHEMA.fields.keys() | {_LANGUAGE_CHOICE}
    return {name: sent[name] for name in sorted(names & sent.keys()) if not _is_empty(sent[name])}


def sent_texts(fixed: Iterable[str] = ()) -> dict[str, str]:
    """Return the filters of the address as links repeat them, without ``fixed`` ones."""
    left_out = {_SECRET, *fixed}
    texts = {
        name: as_query_text(value) for name, value in sent_filters().items() if name not in left_out
    }
    return {name: value for name, value in texts.items() if value is not None}


def ask(
    fixed: Mapping[str, Any], window: Mapping[str, str] | None = None, *, whole: bool = False
) -> Question:
    """Read the filters of the address beside ``fixed`` ones, within a ``window`` of dates.

    ``whole``: everything that matches is wanted at once, however long pages are.
    """
    filters = {**sent_filters(), **fixed}
    filters.pop(_LANGUAGE_CHOICE, None)
    question = _checked(Question(sent_texts(fixed), filters, window or {}))
    if whole and question.request:
        listing = replace(question.request.listing, window=Window(1, MOST_EVENTS))
        return replace(question, request=replace(question.request, listing=listing))
    return question


def accepted_part(question: Question) -> Question:
    """Return a question without the filters that were refused."""
    sent, filters = (
        {name: value for name, value in each.items() if name not in question.errors}
        for each in (question.sent, question.filters)
    )
    return _checked(Question(sent, filters, question.window))


def _checked(question: Question) -> Question:
    """Return a question with its listing, or with the reasons why it has none."""
    try:
        current.check_languages()
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
    ends = datetime.combine(last, _LAST_SECOND)
    return {"overlaps_from": f"{first} 00:00:00", "overlaps_to": f"{ends:%Y-%m-%d %H:%M:%S}"}


def _is_empty(value: Any) -> bool:
    return value in ("", None, [], [""], {})
