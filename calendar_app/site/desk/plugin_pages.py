"""Pages that plugins add to the desk."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from flask import Flask, Response, current_app
from markupsafe import Markup

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.site.desk import rendering, sessions
from calendar_app.site.desk.rendering import MenuEntry, render, see
from calendar_app.site.desk.routing import READING, require
from calendar_app.site.desk.sessions import PREFIX

_EXTENSION = "calendar_desk_plugins"
_TOKEN = Markup(
    '<input type="hidden" name="csrf_token" value="{}">'
    '<input type="hidden" name="form_user" value="{}">'
)


@dataclass(frozen=True, slots=True)
class DeskVisit:
    """One visit of a page of the desk.

    ``languages`` are those of the desk, the one of the reader first. ``user`` and ``name`` are of
    the account. ``query`` and ``form`` have the first value of each name. ``token`` is HTML that
    each form has to hold, since another site could send it otherwise.
    """

    languages: Sequence[str]
    user: int
    name: str
    query: Mapping[str, str]
    form: Mapping[str, str]
    token: Markup


@dataclass(frozen=True, slots=True)
class DeskPage:
    """A page at ``/desk/plugins/PLUGIN/PATH`` and in the menu, for users with the right ``needs``.

    ``title`` has its words by language, of which the first stand in for missing ones. ``show``
    returns the HTML below the heading. ``save`` gets what a form of the page sends, and leads back
    to it; the words of a ``ValueError`` are shown above the page.
    """

    path: str
    title: Mapping[str, str]
    needs: Right
    show: Callable[[DeskVisit], str]
    save: Callable[[DeskVisit], object] | None = None

    def title_in(self, language: str) -> str:
        """Return the title in a language, else in the first available one."""
        return self.title.get(language) or next(iter(self.title.values()))


def init_app(app: Flask, pages: Mapping[str, Sequence[DeskPage]]) -> None:
    """Add the pages of each plugin to the desk of an application."""
    app.extensions[_EXTENSION] = pages
    rendering.add_to_menu(app, menu_entries)
    for plugin, own in pages.items():
        for each in own:
            path = path_of(plugin, each)
            app.add_url_rule(
                f"{PREFIX}{path}",
                # So that it is a page of the desk, with all that holds for these.
                endpoint=f"desk.{plugin} {each.path}",
                view_func=partial(_answer, path, each),
                methods=["GET", "POST"] if each.save else ["GET"],
            )


def path_of(plugin: str, page: DeskPage) -> str:
    """Return the path of a page below ``/desk``."""
    return f"/plugins/{plugin}/{page.path}"


def menu_entries() -> Iterator[MenuEntry]:
    """Yield the entries of the menu for all these pages."""
    for plugin, own in current_app.extensions[_EXTENSION].items():
        for each in own:
            title = each.title_in(rendering.language())
            yield MenuEntry(path_of(plugin, each), title, each.needs)


def _answer(path: str, page: DeskPage) -> Response:
    require(page.needs)
    visit = _visit()
    if page.save is None or current.context().request.method in READING:
        return _show(page, visit)
    try:
        page.save(visit)
    except ValueError as error:
        return _show(page, visit, HTTPStatus.BAD_REQUEST, str(error))
    return see(path)


def _show(page: DeskPage, visit: DeskVisit, status: int = 200, problem: str = "") -> Response:
    title = page.title_in(visit.languages[0])
    content = Markup(page.show(visit))  # noqa: S704  # of the operator
    return render("plugin_page.html", status, title=title, content=content, problem=problem)


def _visit() -> DeskVisit:
    context, caller, own = current.context(), sessions.caller(), rendering.language()
    return DeskVisit(
        languages=(own, *(each for each in context.settings.languages if each != own)),
        user=caller.id,
        name=caller.name,
        query=context.request.args.to_dict(),
        form=context.request.form.to_dict(),
        token=_TOKEN.format(sessions.csrf_token(), caller.id),
    )
