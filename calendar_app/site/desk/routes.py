"""Joins the desk with the application, and gives its answers their headers."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from flask import Flask, Response, abort, current_app, request
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import MapAdapter

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.api.http.request.state import LANGUAGE
from calendar_app.api.http.views.service import surround_pages
from calendar_app.api.resources.media_files import private_file
from calendar_app.calendar.auditing import Door, enter_door
from calendar_app.errors import NotFound as NoPicture
from calendar_app.settings import Settings
from calendar_app.site.desk import (
    dashboard,
    errors,
    events_table,
    history,
    library,
    login,
    me,
    mistakes,
    openid,
    plugin_pages,
    queue,
    rendering,
    sessions,
    several,
    single_dates,
    site,
    users,
    views_of_events,
)
from calendar_app.site.desk.event_form import views as event_pages
from calendar_app.site.desk.plugin_pages import DeskPage
from calendar_app.site.desk.records import uniting
from calendar_app.site.desk.records import views as records
from calendar_app.site.desk.rendering import install, look
from calendar_app.site.desk.routing import READING, blueprint, page, require
from calendar_app.site.desk.sessions import PREFIX, address, require_own_origin, require_token
from calendar_app.site.desk.sources import doubles
from calendar_app.site.desk.sources import readings as source_readings
from calendar_app.site.desk.sources import register as source_register
from calendar_app.site.desk.sources import views as source_pages
from calendar_app.site.desk.together import views as together
from calendar_app.site.desk.translating import editing
from calendar_app.site.desk.translating import waiting as translations
from calendar_app.site.desk.webhooks import views as webhooks
from calendar_app.site.html.answers import SECURITY_HEADERS, content_policy, redirect

# Importing a part adds its pages.
_PARTS = (
    dashboard,
    doubles,
    editing,
    errors,
    event_pages,
    events_table,
    library,
    login,
    me,
    mistakes,
    openid,
    records,
    queue,
    several,
    single_dates,
    site,
    source_pages,
    source_readings,
    source_register,
    together,
    uniting,
    users,
    views_of_events,
    webhooks,
    history,
    translations,
)
NO_PAGES: Mapping[str, Sequence[DeskPage]] = MappingProxyType({})
_MISSING = 404
_MOVED = 301
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_HEADERS = {
    **SECURITY_HEADERS,
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NOT_KEPT = "private, no-store"
_SHARING = "Access-Control-"


def init_app(
    app: Flask, settings: Settings, of_plugins: Mapping[str, Sequence[DeskPage]] = NO_PAGES
) -> None:
    """Add the desk with pages of plugins to the application, so that its headers come last."""
    if not settings.desk:
        return
    install(app, settings)
    surround_pages(app, [], [finish])
    app.register_blueprint(blueprint)
    plugin_pages.init_app(app, of_plugins)


@blueprint.before_request
def begin() -> Response | None:
    """Find the session and its language; refuse writes without its token."""
    context = current.context()
    if request.endpoint == "desk.static_file":
        return None
    # What the desk answers depends on a cookie, which the cache knows nothing of.
    context.exchange.has_cache = False
    if request.environ.get(LANGUAGE):
        # The cookie is not sent below the segment of a language.
        return redirect(address(request.path.removeprefix(PREFIX)), _MOVED)
    enter_door(Door.DESK)
    sessions.begin_request()
    if sessions.caller().may(Right.EDIT_OTHERS):
        context.show_withheld_pictures(f"{PREFIX[1:]}/pictures")
    # The pages read their own forms, which may be larger than a body of the interface.
    context.ignore_body()
    rendering.settle_language()
    if request.method not in (*READING, "OPTIONS"):
        require_own_origin()
        if sessions.find_session():
            require_token()
    return None


def finish(response: Response) -> Response:
    """Add the headers of the desk, and take away those with which other sites may read."""
    context = current.context()
    if not f"{context.request.path}/".startswith(f"{PREFIX}/"):
        return response
    for name in [name for name, _ in response.headers if name.startswith(_SHARING)]:
        del response.headers[name]
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers["Content-Security-Policy"] = content_policy(context.settings, "data: blob:")
    if context.request.endpoint != "desk.static_file":
        response.headers["Cache-Control"] = _NOT_KEPT
        response.headers["Content-Language"] = rendering.language()
        sessions.keep_visit(response)
    return response


@page("/pictures/<digits:number>/<token>/<filename>", needs=Right.EDIT_OTHERS)
def withheld_picture(number: int, token: str, filename: str) -> Response:
    """Serve a file of a picture that waits with a contribution."""
    try:
        return private_file({"_id": number, "token": token}, filename, current.context())
    except NoPicture as error:
        raise NotFound from error


@page("/static/<path:name>", public=True)
def static_file(name: str) -> Response:
    file = look().static.serve(name, request.accept_encodings)
    if file is None:
        abort(_MISSING)
    return file


@page("/<path:path>", public=True, methods=_METHODS)
def missing_page(path: str) -> Response:
    """Answer 404, or 405 where the page of this address takes other methods."""
    require(None)
    adapter = current_app.url_map.bind("")
    allowed = [method for method in _METHODS if _is_page(adapter, f"{PREFIX}/{path}", method)]
    if allowed:
        raise MethodNotAllowed(allowed)
    raise NotFound


def _is_page(adapter: MapAdapter, path: str, method: str) -> bool:
    endpoint, _ = adapter.match(path, method)
    return bool(endpoint != "desk.missing_page")
