"""Suggestions beside the filters of a page: quick choices, and wider lists for empty results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from calendar_app.api.resources.events.filters import RELATIVE
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import Message
from calendar_app.site.html import wording
from calendar_app.site.pages.chips import DATES, NEAR
from calendar_app.site.pages.corrections import correction_of
from calendar_app.site.pages.filters import Filters
from calendar_app.site.pages.places import DAY, LIST, PAGED, PRINT, Place, next_month
from calendar_app.site.pages.questions import PageQuery, Question, load
from calendar_app.site.pages.refusals import FILTER_NAMES
from calendar_app.storage.query.list_query import Listing

_OF_DAYS = frozenset(("start_date", "end_date", *RELATIVE, "include"))
OF_DATES = {*_OF_DAYS, "page", "order", "orderby"}
_SATURDAY, _SUNDAY = 5, 6


@dataclass(frozen=True, slots=True)
class Choice:
    """A list that many want; its address takes the choice back where it is made."""

    text: str
    address: str
    is_made: bool


def quick_choices(place: Place, filters: Filters, today: date) -> list[Choice]:
    """Return the choices above a list, which keep its other filters."""
    choices = _of_months(place, today) if place.view == PRINT else [_today(place, today)]
    choices.append(_weekend(place, today))
    choices += _flagged(place, filters)
    choices += _for_children(place, filters)
    choices += _by_date(place)
    if _sent(place).keys() >= set(NEAR.needed):
        away = place.without(*NEAR.names, "page").address()
        choices.append(Choice(FILTER_NAMES["near"], away, is_made=True))
    return choices


def _sent(place: Place) -> Mapping[str, str]:
    return dict(place.query)


def _today(place: Place, today: date) -> Choice:
    undated = place.without(*OF_DATES)
    is_made = place.view == DAY and place.day in (None, today)
    target = undated.to(LIST if is_made else DAY)
    return Choice(Message("Today"), target.address(), is_made)


def _of_months(place: Place, today: date) -> list[Choice]:
    """Return the choices of the rest of this month, and of the next one."""
    language = place.links.language
    following = next_month(today)
    months = ((today, following), (following, next_month(following)))
    return [
        _span(place, wording.month_and_year(first, language), first, after - timedelta(days=1))
        for first, after in months
    ]


def _span(place: Place, text: str, first: date, last: date) -> Choice:
    """Return the choice of all that is on between two days."""
    span = dict(zip(DATES.needed, (first.isoformat(), last.isoformat()), strict=True))
    is_made = span.items() <= _sent(place).items()
    listed = (place if place.view in (*PAGED, PRINT) else place.to(LIST)).without(*OF_DATES)
    target = listed if is_made else listed.having(**span)
    return Choice(text, target.address(), is_made)


def _weekend(place: Place, today: date) -> Choice:
    """Return the choice of the coming weekend, or of the rest of the present one."""
    saturday = today + timedelta(days=max(_SATURDAY - today.weekday(), 0))
    sunday = today + timedelta(days=_SUNDAY - today.weekday())
    return _span(place, Message("This weekend"), saturday, sunday)


def _flagged(place: Place, filters: Filters) -> Iterable[Choice]:
    for option in filters.flags:
        name = option.text.text
        if name == "free" and (option.chosen or option.number or not option.figure):
            target = place.without(name, "page") if option.chosen else place.having(free="true")
            yield Choice(Message("Free entry"), target.address(), option.chosen)


def _for_children(place: Place, filters: Filters) -> Iterable[Choice]:
    if filters.children is None:
        return
    name, option = filters.children
    is_made = _sent(place).get(name) == option.value
    # The term of the page stands for a filter of its kind.
    if place.term.startswith({"categories": "category/", "tags": "tag/"}[name]):
        return
    target = place.without(name, "page") if is_made else place.having(**{name: option.value})
    yield Choice(Message("For children"), target.address(), is_made)


def _by_date(place: Place) -> Iterable[Choice]:
    """Yield the choice to sort a search by date, where it is sorted by relevance."""
    sent = _sent(place)
    if "search" not in sent or place.view not in PAGED or "order" in sent:
        return
    is_made = sent.get("orderby") == "start_date"
    if is_made or sent.get("orderby", "relevance") == "relevance":
        target = place.without("orderby", "page")
        target = target if is_made else target.having(orderby="start_date")
        yield Choice(Message("By date"), target.address(), is_made)


# Lists with fewer filters, where nothing is found.


@dataclass(frozen=True, slots=True)
class Wider:
    """A list with fewer filters, and how many events it has."""

    text: Message
    address: str
    number: int


@dataclass(frozen=True, slots=True)
class _Step:
    """A list without the filters of these ``names``; ``fixed`` are those of its address."""

    text: Message
    place: Place
    names: frozenset[str]
    fixed: Mapping[str, object]


_WITHOUT: Mapping[str, Message] = {
    "dates": Message("On other days"),
    "near": Message("Farther away"),
    "venue": Message("At other places"),
    "organizer": Message("By other organizers"),
    "categories": Message("In other categories"),
    "tags": Message("With other tags"),
    "free": Message("Also what costs something"),
    "attendance_mode": Message("Not only online"),
    "accessibility": Message("Accessible in other ways too"),
    "in_language": Message("Held in other languages too"),
    "age": Message("For every age"),
    "fallback": Message("In other languages too"),
}
_ALONE: Mapping[str, Message] = {
    "dates": Message("All on these days"),
    "near": Message("All near me"),
    "venue": Message("All at this place"),
    "organizer": Message("All by this organizer"),
    "categories": Message("All in this category"),
    "tags": Message("All with this tag"),
    "free": Message("All with free entry"),
    "attendance_mode": Message("All that is online"),
    "accessibility": Message("All that is so accessible"),
    "in_language": Message("All in this language"),
    "age": Message("All for this age"),
}
# With fewer filters, one alone is as good as one left out.
_MANY = 3
_NO_FILTERS = {"page", "per_page", "order", "orderby", "first_in_series"}


def wider(page_query: PageQuery, question: Question, place: Place) -> list[Wider]:
    """Return the search as it was perhaps meant, and the lists that leave one filter out.

    They are there as far as they have events. Where those with one filter less have none: the lists
    of one filter alone, and the one without any. One query counts these lists.
    """
    corrections = []
    if correction := correction_of(page_query.context, question):
        meant = Message("Did you mean “{text}”?", text=correction.text)
        address = place.having(search=correction.text).address()
        corrections.append(Wider(meant, address, correction.number))
    less = _without_one(page_query, question, place)
    steps = [*less, *_with_one(question, place), *_bare(question, place)]
    listings = [_listing(page_query, question, step) for step in steps]
    context, asked_for = page_query.context, [(EVENT, listing) for listing in listings]
    numbers = context.reader.totals(asked_for, context.caller) if asked_for else []
    lists = [
        Wider(step.text, step.place.address(), number)
        for step, number in zip(steps, numbers, strict=True)
    ]
    closest = [each for each in lists[: len(less)] if each.number]
    rest = closest or [each for each in lists[len(less) :] if each.number]
    return [*corrections, *rest]


def _without_one(page_query: PageQuery, question: Question, place: Place) -> list[_Step]:
    steps = [
        _Step(_text(name, question), place.without(*names, "page"), names, page_query.fixed)
        for name, names in _groups(question).items()
    ]
    if place.term:
        calendar = replace(place, term="")
        steps.append(_Step(Message("In the whole calendar"), calendar, frozenset(), {}))
    return steps


def _with_one(question: Question, place: Place) -> Iterable[_Step]:
    groups = _groups(question)
    if len(groups) + bool(place.term) < _MANY:
        return
    texts = dict(_ALONE)
    if "search" in groups:
        texts["search"] = Message("All with “{text}”", text=question.sent["search"])
    for name in [each for each in groups if each in texts]:
        others = frozenset[str]().union(*(groups[other] for other in groups if other != name))
        target = replace(place, term="").without(*others, "page")
        yield _Step(texts[name], target, others, {})


def _bare(question: Question, place: Place) -> Iterable[_Step]:
    groups = _groups(question)
    if len(groups) + bool(place.term) > 1:
        names = frozenset[str]().union(*groups.values())
        target = replace(place, term="").without(*names, "page")
        yield _Step(Message("Without any filter"), target, names, {})


def _groups(question: Question) -> dict[str, frozenset[str]]:
    """Return the filters that are set, those under one name that belong together."""
    groups: dict[str, frozenset[str]] = {}
    for name in question.sent:
        if name in _OF_DAYS:
            groups["dates"] = _OF_DAYS
        elif name in NEAR.names and name != "orderby":
            groups["near"] = frozenset(NEAR.names)
        elif name not in _NO_FILTERS:
            groups[name] = frozenset({name})
    return groups


def _text(name: str, question: Question) -> Message:
    if name == "search":
        return Message("Without the words “{text}”", text=question.sent[name])
    return _WITHOUT.get(name) or Message("Without “{name}”", name=name)


def _listing(page_query: PageQuery, question: Question, step: _Step) -> Listing:
    """Return the list of a question without some filters."""
    filters = {
        name: value
        for name, value in {**question.filters, **step.fixed}.items()
        if name not in step.names | _NO_FILTERS
        and (name not in page_query.fixed or name in step.fixed)
    }
    listing = load({**filters, **question.window}).listing
    if "fallback" not in step.names:
        return listing
    chain = page_query.context.settings.chain(page_query.context.language)
    query = listing.search_query
    return replace(listing, written=None, search_query=query and replace(query, chain=chain))
