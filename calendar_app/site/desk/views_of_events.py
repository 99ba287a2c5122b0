"""Views of the table of events: given ones, and those that a user has saved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from flask import Response
from marshmallow import ValidationError
from wtforms import HiddenField, StringField

from calendar_app.accounts.callers import Right
from calendar_app.accounts.saved_views import LONGEST_NAME, SavedView
from calendar_app.api.http.request import current
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.statuses import DRAFT, STATUSES
from calendar_app.errors import InvalidParameters, Message
from calendar_app.site.desk.events_query import ALWAYS, ME, WEEK, TableQuery
from calendar_app.site.desk.filter_chips import lacks_in_words
from calendar_app.site.desk.forms import DeskForm, longest
from calendar_app.site.desk.rendering import message_text, notify, render, see
from calendar_app.site.desk.routing import page
from calendar_app.storage.query.list_query import Listing

_PATH = "/events/views"
_RENAME = "rename"
# Among more events than these the numbers would cost more than the table.
_MOST_COUNTED = 20_000


@dataclass(frozen=True, slots=True)
class TableView:
    """A view of the table: its name, the query of its address, whether it is the present one.

    ``number`` says how many events it has; ``None`` where that is not counted.
    """

    name: str
    query: str
    chosen: bool
    number: int | None


@dataclass(frozen=True, slots=True)
class TableViews:
    """The views that a user chooses from; ``present`` is the query that can be saved as one."""

    given: Sequence[TableView]
    saved: Sequence[TableView]
    present: str

    @property
    def chosen(self) -> TableView | None:
        return next((view for view in (*self.saved, *self.given) if view.chosen), None)


class ViewForm(DeskForm):
    """The form that saves the present filters as a view."""

    name = StringField(Message("Name of the view"), [longest(LONGEST_NAME)])
    query = HiddenField()


def views_of(query: TableQuery) -> TableViews:
    """Return the views of the user, beside a table with these filters."""
    present = query.values()
    own_views = [(name, TableQuery({}).text(**values)) for name, values in _given()]
    saved = [(view.name, view.query) for view in _saved()]
    queries = [TableQuery.of_text(text) for _, text in (*own_views, *saved)]
    numbers = _numbers(queries)
    views = [
        TableView(name, text, own.values() == present, number)
        for (name, text), own, number in zip((*own_views, *saved), queries, numbers, strict=True)
    ]
    return TableViews(views[: len(own_views)], views[len(own_views) :], query.text())


def _numbers(queries: Sequence[TableQuery]) -> list[int | None]:
    """Return how many events each query has, in one question; ``None`` where nobody counts."""
    context = current.context()
    every = replace(TableQuery({}, ALWAYS).listing(), statuses=[*STATUSES])
    if context.reader.total(EVENT, every, context.caller) > _MOST_COUNTED:
        return [None] * len(queries)
    listings = [_listing(query) for query in queries]
    counted = [(EVENT, listing) for listing in listings if listing]
    numbers = iter(context.reader.totals(counted, context.caller))
    return [next(numbers) if listing else None for listing in listings]


def _listing(query: TableQuery) -> Listing | None:
    """Return the list of a query; ``None`` where it is refused, or is counted in another way."""
    try:
        listing = query.listing()
    except (ValidationError, InvalidParameters):
        return None
    return None if listing.circle or listing.first_in_series else listing


def _given() -> list[tuple[str, dict[str, str]]]:
    settings = current.context().settings
    others = [tag for tag in settings.languages if tag != settings.default_language]
    drafts = {"author": ME, "status": DRAFT, "period": ALWAYS}
    return [
        (message_text(Message("My drafts")), drafts),
        (message_text(Message("This week")), {"period": WEEK}),
        *((lacks_in_words(tag), {"lacks": tag}) for tag in others),
    ]


@page(_PATH, needs=Right.EDIT)
def saved_views() -> Response:
    """Show the user's saved views, to rename and remove them."""
    return _show()


@page(_PATH, needs=Right.EDIT, methods=["POST"])
def save_view() -> Response:
    """Save filters of the table under a name."""
    context, form = current.context(), ViewForm()
    query = TableQuery.of_text(form.query.data or "").text()
    if not form.validate():
        return _show(HTTPStatus.BAD_REQUEST, form)
    try:
        context.services.saved_views.save(context.caller.id, form.name.data or "", query)
    except InvalidParameters as error:
        return _show(form.refuse(error), form)
    name = (form.name.data or "").strip()
    notify(Message("The view «{name}» is saved.", name=name))
    return see(f"/events/?{query}" if query else "/events/")


@page(f"{_PATH}/change", needs=Right.EDIT, methods=["POST"])
def change_view() -> Response:
    """Rename a saved view of the user, or remove it."""
    context = current.context()
    sent, views = context.request.form, context.services.saved_views
    view, name = sent.get("view", ""), sent.get("name", "")
    if sent.get("button") != _RENAME:
        views.remove(context.caller.id, view)
        notify(Message("The view is removed."))
        return see(_PATH)
    try:
        views.rename(context.caller.id, view, name)
    except InvalidParameters as error:
        refused = {"view": view, "name": name, "reason": next(iter(error.reasons.values()))}
        return _show(HTTPStatus.BAD_REQUEST, refused=refused)
    notify(Message("This is saved."))
    return see(_PATH)


def _show(
    status: int = HTTPStatus.OK,
    form: ViewForm | None = None,
    refused: dict[str, str] | None = None,
) -> Response:
    return render(
        "events/views.html",
        status,
        form=form,
        views=_saved(),
        refused=refused or {},
        longest=LONGEST_NAME,
    )


def _saved() -> Sequence[SavedView]:
    context = current.context()
    return context.services.saved_views.of_user(context.caller.id)
