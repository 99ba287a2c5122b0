"""Joins the desk with the application."""

from flask import Flask, Response, abort, current_app, request
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import MapAdapter
from werkzeug.urls import iri_to_uri

from calendar_app.accounts.policy import Right
from calendar_app.calendar.auditing import Door, enter_door
from calendar_app.desk import (
    dashboard,
    errors,
    languages,
    large_forms,
    library,
    login,
    me,
    openid,
    queue,
    sessions,
    users,
    welcome,
)
from calendar_app.desk.addresses import PREFIX, address
from calendar_app.desk.answers import finish
from calendar_app.desk.csrf import require_own_origin, require_token
from calendar_app.desk.event_form import views as event_pages
from calendar_app.desk.events import views as events_table
from calendar_app.desk.history import trash
from calendar_app.desk.history import views as history_pages
from calendar_app.desk.records import routes as records
from calendar_app.desk.rendering import install, look
from calendar_app.desk.routing import READING, blueprint, page, require
from calendar_app.desk.translating import editing, machine, overview
from calendar_app.errors import NotFound as NoPicture
from calendar_app.http.request import current
from calendar_app.http.request.state import LANGUAGE
from calendar_app.http.views.blueprint import surround_pages
from calendar_app.pages.static_files import serve
from calendar_app.resources.media_files import private_file
from calendar_app.settings import Settings

# Importing a part adds its pages.
_PARTS = (
    dashboard,
    editing,
    errors,
    event_pages,
    events_table,
    large_forms,
    library,
    login,
    me,
    openid,
    records,
    queue,
    users,
    history_pages,
    trash,
    welcome,
    overview,
)
_MISSING = 404
_MOVED = 301
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def init_app(app: Flask, settings: Settings) -> None:
    """Add the desk to the application, so that its headers come last."""
    if not settings.desk:
        return
    install(app, settings)
    machine.install(app, settings)
    surround_pages(app, [], [finish])
    app.register_blueprint(blueprint)


@blueprint.before_request
def begin() -> Response | None:
    """Find the session and its language; refuse writes without its token."""
    if request.endpoint == "desk.static_file":
        return None
    if request.environ.get(LANGUAGE):
        # The cookie is not sent below the segment of a language.
        return Response(
            status=_MOVED, headers={"Location": iri_to_uri(address(request.path[len(PREFIX) :]))}
        )
    enter_door(Door.DESK)
    sessions.begin_request()
    if sessions.caller().may(Right.EDIT_OTHERS):
        current.show_withheld_pictures(f"{PREFIX[1:]}/pictures")
    # The pages read their own forms, which may be larger than a body of the interface.
    current.ignore_body()
    languages.begin_request()
    if request.method not in (*READING, "OPTIONS"):
        require_own_origin()
        if sessions.find_session():
            require_token()
    return None


@page("/pictures/<digits:number>/<token>/<filename>", needs=Right.EDIT_OTHERS)
def withheld_picture(number: int, token: str, filename: str) -> Response:
    """Serve a file of a picture that waits with a contribution."""
    try:
        return private_file({"_id": number, "token": token}, filename)
    except NoPicture as error:
        raise NotFound from error


@page("/static/<path:name>", public=True)
def static_file(name: str) -> Response:
    file = look().static.find(name)
    if file is None:
        abort(_MISSING)
    accepted = {encoding for encoding, _ in request.accept_encodings}
    return serve(file, accepted, kept=name == file.name)


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
