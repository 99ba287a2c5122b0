"""The addresses of pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import flask
from flask import Flask, Response, abort, request

from calendar_app.api.http.request import current
from calendar_app.api.http.request.state import SENT_SEGMENT
from calendar_app.api.http.views.resource_view import in_snapshot
from calendar_app.api.http.views.service import surround_pages
from calendar_app.domain.numbers import parse_digits
from calendar_app.settings import Settings
from calendar_app.site.pages import (
    calendars,
    following,
    machines,
    record_pages,
    reporting,
    submitting,
)
from calendar_app.site.pages.answers import (
    as_error_page,
    finish_page,
    install,
    moved,
    prefers_page,
    surface,
)
from calendar_app.site.pages.moved_addresses import moved_address
from calendar_app.site.pages.questions import feed_format
from calendar_app.site.pages.rendering import Blocks, no_blocks

_MISSING = 404
_FOLDERS = {"events", "event", "series", "venue", "organizer", "category", "tag", "embed"}
blueprint = flask.Blueprint("pages", __name__)
PageView = Callable[..., Response]


def init_app(app: Flask, settings: Settings, blocks: Blocks = no_blocks) -> None:
    """Add the pages to the application, with the ``blocks`` of plugins."""
    if not settings.pages:
        return
    install(app, settings, blocks)
    app.register_blueprint(blueprint)
    surround_pages(app, [_answer_before_routing], [as_error_page, finish_page])


def reading(view: PageView) -> PageView:
    """Let all that a view reads be of one moment."""

    @wraps(view)
    def read(**path: Any) -> Response:
        return in_snapshot(lambda: view(**path))

    return read


@blueprint.get("/events")
@blueprint.get("/events/<path:path>")
@reading
def calendar(path: str = "") -> Response:
    return calendars.show(path)


@blueprint.get("/events/suggestions")
@reading
def suggestions() -> Response:
    return machines.suggestions()


@blueprint.route("/events/submit", methods=["GET", "POST"])
def submission_form() -> Response:
    return submitting.submit()


@blueprint.route("/events/submit/sent", methods=["GET", "POST"])
def sent_submission() -> Response:
    return following.follow()


@blueprint.get("/events/submit/sent/picture")
def sent_picture() -> Response:
    return following.show_picture()


@blueprint.get("/embed")
@blueprint.get("/embed/<path:path>")
@reading
def embedded_calendar(path: str = "") -> Response:
    return calendars.show(path, embedded=True)


@blueprint.get("/embed.js")
def embed_script() -> Response:
    """Serve the embed script; its address never changes, so browsers revalidate it."""
    return static_file("embed.js")


@blueprint.get("/oembed")
@reading
def oembed() -> Response:
    return machines.oembed()


@blueprint.get("/category/<path:path>", defaults={"taxonomy": "category"})
@blueprint.get("/tag/<path:path>", defaults={"taxonomy": "tag"})
@reading
def term(taxonomy: str, path: str) -> Response:
    return calendars.show_term(taxonomy, path.strip("/"))


@blueprint.route("/<any(venue,organizer):kind>/<slug>", methods=["GET", "POST"])
@reading
def record(kind: str, slug: str) -> Response:
    return record_pages.show(kind, slug)


@blueprint.get("/<any(venue,organizer):kind>/<slug>/page/<digits:number>/")
@reading
def events_of_record(kind: str, slug: str, number: int) -> Response:
    """Lead to a page of the list of a venue's or an organizer's coming events."""
    return record_pages.show_events_of(kind, slug, number)


@blueprint.route("/event/<event_slug:slug>/", methods=["GET", "POST"])
@reading
def event(slug: str) -> Response:
    """Show an event, or a date of a series: ``/event/market/2026-12-24/``."""
    return record_pages.show("event", slug)


@blueprint.get("/event/<event_slug:slug>/poster/")
@reading
def poster(slug: str) -> Response:
    return record_pages.show_poster(slug)


@blueprint.route("/event/<event_slug:slug>/report/", methods=["GET", "POST"])
def mistake_report(slug: str) -> Response:
    """Show the form for a mistake in an event, or take one in."""
    return reporting.report(slug)


@blueprint.get("/event/<slug>/all/")
@blueprint.get("/event/<slug>/all/page/<digits:number>/")
@blueprint.get("/series/<slug>/")
@reading
def series(slug: str, number: int = 1) -> Response:
    """Lead to the list of all dates of a series."""
    return record_pages.show_series(slug, number)


@blueprint.get("/static/<path:name>")
def static_file(name: str) -> Response:
    file = surface().static.serve(name, request.accept_encodings)
    if file is None:
        abort(_MISSING)
    return file


@blueprint.get("/robots.txt")
def robots() -> Response:
    return machines.robots()


@blueprint.get("/llms.txt")
def llms() -> Response:
    return machines.llms()


@blueprint.get("/site.webmanifest")
def manifest() -> Response:
    return machines.manifest()


@blueprint.get("/favicon.ico")
def favicon() -> Response:
    return static_file("favicon.png")


@blueprint.get("/sitemap.xml")
@reading
def sitemap() -> Response:
    return machines.sitemap()


@blueprint.get("/sitemap-<name>-<digits:number>.xml")
@reading
def sitemap_part(name: str, number: int) -> Response:
    return machines.sitemap_part(name, number)


def _answer_before_routing() -> Response | None:
    """Redirect other forms of addresses, those of The Events Calendar too, or serve the root."""
    return _in_order() or moved_address(current.context()) or _first_page()


def _first_page() -> Response | None:
    """Serve the root of the site to browsers, and addresses by id to all clients."""
    context = current.context()
    asking = context.request
    if asking.path != "/" or asking.method not in ("GET", "HEAD"):
        return None
    number = parse_digits(asking.args.get("p", ""))
    if number is not None:
        return reading(lambda: record_pages.show_by_id(number))()
    if not prefers_page(context) and not feed_format(context):
        return None
    return reading(lambda: calendars.show(""))()


def _is_folder(settings: Settings, segment: str) -> bool:
    """Say whether pages or a language are below the first segment of a path."""
    return segment in _FOLDERS or segment in [each.lower() for each in settings.languages]


def _in_order() -> Response | None:
    """Redirect an address with capitals or doubled slashes to its canonical form.

    So is ``/embed/events/list/``, which people make of the address of a page, to ``/embed/list/``.
    """
    context = current.context()
    asking = context.request
    parts = [part for part in asking.path.split("/") if part]
    if [part.lower() for part in parts[:2]] == ["embed", "events"]:
        del parts[1]
    canonical = "/".join(("", *parts)).lower()
    is_own_case = asking.script_root.endswith(asking.environ.get(SENT_SEGMENT, ""))
    # Werkzeug takes doubled slashes off the front of the path.
    is_doubled = asking.environ["PATH_INFO"].startswith("//")
    if asking.path in (canonical, f"{canonical}/") and is_own_case and not is_doubled:
        return None
    is_of_pages = _is_folder(context.settings, parts[0].lower()) if parts else prefers_page(context)
    if not is_of_pages:
        return None
    query = asking.query_string.decode("ascii", "replace")
    return moved(f"{asking.script_root}{canonical}/{'?' if query else ''}{query}")
