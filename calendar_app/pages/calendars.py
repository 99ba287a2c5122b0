"""Pages of the calendar: the events of one question, in a view."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from flask import Response, abort

from calendar_app.http.request import current
from calendar_app.pages import grids, lists
from calendar_app.pages.answers import page, redirect_view
from calendar_app.pages.feeds import feed, wants_feed
from calendar_app.pages.filters import Filters, read_filters
from calendar_app.pages.languages import Alternate, alternates
from calendar_app.pages.links import Place, absolute
from calendar_app.pages.questions import Question, sent_texts
from calendar_app.pages.scope import PAGED, Scope, read_scope
from calendar_app.pages.subscriptions import subscription
from calendar_app.pages.terms import Term, find_term

# A view makes of a place and the filters of a term its question and what its template shows.
Fill = Callable[[Place, Mapping[str, Any]], tuple[Question, dict[str, Any]]]
_FILL: Mapping[str, Fill] = {
    "list": lists.fill,
    "photo": lists.fill,
    "map": lists.fill_map,
    "month": grids.fill_month,
    "week": grids.fill_week,
    "day": grids.fill_day,
}
_BAD, _MISSING = 400, 404


@dataclass(frozen=True, slots=True)
class Calendar:
    """Common context of all views of the calendar."""

    place: Place
    term: Term | None
    question: Question
    filters: Filters
    alternates: list[Alternate]
    today: date

    @property
    def canonical(self) -> str:
        """Return the address of the page without its filters."""
        query = tuple((name, value) for name, value in self.place.query if name == "page")
        return Place(self.place.view, self.place.day, self.place.term, query).address()

    @property
    def frame(self) -> str:
        """Return the address at which other sites frame this view; empty where none may."""
        if not current.settings().embed_origins:
            return ""
        place = replace(self.place.to(self.place.view), embedded=True)
        return absolute(place.address())

    @property
    def is_narrowed(self) -> bool:
        """Say whether the page is one of many that filters make of the same events."""
        return bool(self.question.sent.keys() - {"page"})


def show(path: str, *, embedded: bool = False) -> Response:
    """Answer the page below ``/events/`` or ``/embed/``."""
    current.settle_languages()
    scope = read_scope([segment for segment in path.split("/") if segment])
    if scope is None:
        abort(_MISSING)
    term = _term(scope.taxonomy, scope.slugs[-1]) if scope.taxonomy else None
    place = _place(scope, term, embedded=embedded)
    target = replace(place, view=scope.view or "")
    if term and term.path(current.chain()) != "/".join((scope.taxonomy, *scope.slugs)):
        return redirect_view(target.address())
    if scope.page is not None:
        return redirect_view(target.having(page=str(scope.page)).address())
    return _show(place, term)


def show_term(taxonomy: str, path: str) -> Response:
    """Answer the short address of a term, which the interface names: ``/category/jazz``."""
    current.settle_languages()
    term = _term(taxonomy, path.rpartition("/")[2])
    place = _place(Scope(), term, embedded=False)
    if path != place.term.rpartition("/")[2]:
        return redirect_view(replace(place, view="").address())
    return _show(place, term)


def _term(taxonomy: str, slug: str) -> Term:
    term = find_term(taxonomy, slug)
    if term is None:
        abort(_MISSING)
    return term


def _place(scope: Scope, term: Term | None, *, embedded: bool) -> Place:
    view = scope.view or current.settings().default_view
    path = term.path(current.chain()) if term else ""
    # The term of the path stands for a filter of its kind.
    fixed = (term.kind.name,) if term else ()
    # Views by date have one page alone.
    query = sent_texts(fixed if view in PAGED else (*fixed, "page"))
    return Place(view, scope.day, path, tuple(query.items()), embedded)


def _show(place: Place, term: Term | None) -> Response:
    fixed = {term.kind.name: term.id} if term else {}
    if wants_feed():
        return feed({**fixed, **grids.window_of(place)})
    question, content = _FILL[place.view](place, fixed)
    filters = read_filters(question, place)
    calendar = Calendar(place, term, question, filters, alternates(place, term), lists.today())
    parameters = {**question.sent, **{name: str(value) for name, value in fixed.items()}}
    context = {"calendar": calendar, "subscription": subscription(parameters), **content}
    status = _BAD if question.errors else content.get("status", 200)
    return page(f"{place.view}.html", status, embedded=place.embedded, **context)
