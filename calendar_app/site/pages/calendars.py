"""Pages of the calendar: the events of one question, in a view."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from urllib.parse import urlencode

from flask import Response, abort

from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.slugs import path_as_slug
from calendar_app.site.pages import tables, views
from calendar_app.site.pages.answers import moved_view, page
from calendar_app.site.pages.choices import Choice, quick_choices
from calendar_app.site.pages.filters import Filters, read_filters
from calendar_app.site.pages.places import (
    PAGED,
    PRINT,
    Alternate,
    PageLinks,
    Place,
    Scope,
    Term,
    alternates,
    find_term,
    read_scope,
    slug_of,
)
from calendar_app.site.pages.questions import (
    PageQuery,
    Question,
    between,
    feed,
    feed_format,
    subscription,
)

_FILL: Mapping[str, Callable[[PageQuery, Place], views.Filled]] = {
    "list": views.fill_list,
    "photo": views.fill_list,
    "map": views.fill_map,
    PRINT: views.fill_programme,
    **dict.fromkeys(tables.BY_DATE, tables.fill_days),
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
    # The address at which other sites frame this view; empty where none may.
    frame: str

    @property
    def canonical(self) -> str:
        """Return the address of the page without its filters."""
        query = tuple((name, value) for name, value in self.place.query if name == "page")
        return replace(self.place, query=query, embedded=False).address()

    @property
    def quick(self) -> list[Choice]:
        return quick_choices(self.place, self.filters, self.today)

    @property
    def panel_version(self) -> bytes | None:
        """Return the cache key of the filter panel; ``None`` where it shows errors."""
        return None if self.question.errors else self.filters.version

    @property
    def is_narrowed(self) -> bool:
        """Say whether the page is one of many that filters make of the same events."""
        return bool(self.question.sent.keys() - {"page"})


def show(path: str, *, embedded: bool = False) -> Response:
    """Answer the page below ``/events/`` or ``/embed/``."""
    context = current.context()
    context.settle_languages()
    scope = read_scope([segment for segment in path.split("/") if segment])
    if scope is None or (embedded and scope.view == PRINT):
        abort(_MISSING)
    term = _term(context, scope.taxonomy, scope.slugs[-1]) if scope.taxonomy else None
    page_query = _page_query(context, term)
    place = _place(page_query, scope, term, embedded=embedded)
    target = replace(place, view=scope.view or "")
    if scope.page is not None:
        return moved_view(context, target.having(page=str(scope.page)).address())
    if term and place.term != path_as_slug("/".join((scope.taxonomy, *scope.slugs))):
        return moved_view(context, target.address())
    return _show(page_query, place, term)


def show_term(taxonomy: str, path: str) -> Response:
    """Answer the short address of a term, which the interface names: ``/category/jazz``."""
    context = current.context()
    context.settle_languages()
    term = _term(context, taxonomy, path.rpartition("/")[2])
    page_query = _page_query(context, term)
    place = _place(page_query, Scope(), term, embedded=False)
    if path_as_slug(path) != place.term.rpartition("/")[2]:
        return moved_view(context, replace(place, view="").address())
    return _show(page_query, place, term)


def _term(context: Context, taxonomy: str, slug: str) -> Term:
    term = find_term(context, taxonomy, slug)
    if term is None:
        abort(_MISSING)
    return term


def _page_query(context: Context, term: Term | None) -> PageQuery:
    """Return the filters of the address; the term of the path stands for a filter of its kind."""
    return PageQuery.by(context, {term.kind.name: term.id} if term else {})


def _place(page_query: PageQuery, scope: Scope, term: Term | None, *, embedded: bool) -> Place:
    context = page_query.context
    view = scope.view or context.settings.default_view
    path = term.path(context.chain) if term else ""
    # Views by date have one page alone.
    query = [pair for pair in page_query.texts.items() if view in PAGED or pair[0] != "page"]
    return Place(view, scope.day, path, tuple(query), embedded, links=PageLinks(context))


def _show(page_query: PageQuery, place: Place, term: Term | None) -> Response:
    context = page_query.context
    if format_ := feed_format(context):
        by_date = place.view in tables.BY_DATE
        window = (
            between(*tables.days_of(place, page_query.today, context.language)) if by_date else {}
        )
        return feed(replace(page_query, fixed={**page_query.fixed, **window}), format_)
    question, content = _FILL[place.view](page_query, place)
    calendar = Calendar(
        place,
        term,
        question,
        read_filters(context, question, place),
        alternates(context, place, term),
        page_query.today,
        _frame(context, place),
    )
    parameters = {**question.sent, **{name: str(value) for name, value in page_query.fixed.items()}}
    parts = {
        "calendar": calendar,
        "subscription": subscription(parameters, context.settings.site_name),
        "fragments": records.read_context({}).fragments,
        **content,
    }
    status = _BAD if question.errors else 200
    return page(
        f"{place.view}.html",
        status,
        api_root=_api_root(context, term),
        links=place.links,
        embedded=place.embedded,
        **parts,
    )


def _api_root(context: Context, term: Term | None) -> str:
    """Return the address of the events of a term in the interface; empty without a term."""
    if term is None:
        return ""
    query = urlencode({term.kind.name: slug_of(term.record, context.chain)})
    return f"{context.addresses.collection(EVENT.name)}/?{query}"


def _frame(context: Context, place: Place) -> str:
    if not context.settings.embed_origins:
        return ""
    return place.links.absolute(replace(place.to(place.view), embedded=True).address())
