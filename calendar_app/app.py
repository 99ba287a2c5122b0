"""Joins the parts into one application; nothing else knows all of them."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from threading import Thread

from flask import Flask
from prometheus_client.registry import Collector

from calendar_app.api.http.answers.answering import finalize
from calendar_app.api.http.answers.cache_figures import measured_memory
from calendar_app.api.http.answers.caching import add_cache_control
from calendar_app.api.http.answers.cors import add_cors_headers
from calendar_app.api.http.answers.health import (
    DatabaseMetrics,
    JobsMetrics,
    Scrape,
    SourceFigures,
    SourceMetrics,
    WebhookMetrics,
    health,
    scrape_metrics,
)
from calendar_app.api.http.answers.metrics_socket import serve_metrics
from calendar_app.api.http.openapi import interface, routes
from calendar_app.api.http.openapi.document import Document, base_path, complete
from calendar_app.api.http.openapi.interface import known_names
from calendar_app.api.http.request.current import init_app
from calendar_app.api.http.request.state import (
    WORDPRESS,
    Services,
    Wsgi,
    allow_bodies,
    get_services,
)
from calendar_app.api.http.views.api import Api
from calendar_app.api.http.views.checking import check_requests
from calendar_app.api.http.views.ignored_names import report_ignored_names
from calendar_app.api.http.views.resource_view import set_allow_header
from calendar_app.api.http.views.service import Service
from calendar_app.api.http.wsgi.forwarding import TrustedProxies
from calendar_app.api.http.wsgi.letter_case import AnyCase
from calendar_app.api.http.wsgi.query_routes import QueryRoutes
from calendar_app.api.http.wsgi.read_rate import ReadRate
from calendar_app.api.http.wsgi.request_log import RequestLog, configure_logging
from calendar_app.api.http.wsgi.response_cache import ResponseCache
from calendar_app.api.http.wsgi.segments import Digits, EventSlug, LanguageSegment
from calendar_app.api.resources import (
    changes,
    linked,
    media,
    media_files,
    pushing,
    recurrence,
    series,
    source_doubles,
    source_register,
    terms,
    users,
    webhooks,
)
from calendar_app.api.resources.events import routes as events
from calendar_app.api.resources.mistakes import routes as mistakes
from calendar_app.api.resources.submissions import routes as submissions
from calendar_app.api.resources.webhook_messages import add_messages
from calendar_app.assembly.background import BackgroundWork, background_loops, where_jobs_run
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.assembly.plugins import Plugins, configured_plugins, describe_plugins
from calendar_app.assembly.services import build_services
from calendar_app.domain.moments import Clock, system_clock
from calendar_app.domain.texts.messages import catalogs
from calendar_app.domain.texts.recognizing import compiled_catalog
from calendar_app.domain.texts.recurrence_text.describing import languages, templates_for
from calendar_app.errors import Message, Unavailable
from calendar_app.feeds import routes as feeds
from calendar_app.feeds.routes import add_examples, further_feeds
from calendar_app.parts.part import Part, chosen_parts
from calendar_app.settings import Settings
from calendar_app.site.desk import routes as desk
from calendar_app.site.desk.routing import most_bytes as most_bytes_of_form
from calendar_app.site.pages import routes as pages
from calendar_app.sources.managing import Sources
from calendar_app.storage.embedded.directory import DataDirectory
from calendar_app.storage.embedded.supervisor import is_own, open_calendar
from calendar_app.storage.mongo.connected import service_name_of
from calendar_app.storage.mongo.connection import (
    Database,
    DatabaseHealth,
    measure,
    watching,
)
from calendar_app.storage.mongo.presence import stay_present
from calendar_app.storage.mongo.readiness import Readiness
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips

_PARTS = (
    routes.index_routes,
    routes.document_routes,
    events.blueprint,
    linked.venues,
    linked.organizers,
    terms.categories,
    terms.tags,
    series.blueprint,
    recurrence.blueprint,
    media.blueprint,
    users.blueprint,
    source_register.blueprint,
    source_doubles.blueprint,
    pushing.blueprint,
    webhooks.blueprint,
    feeds.blueprint,
    changes.blueprint,
)

_MEGABYTE = 1 << 20


def create_app(
    settings: Settings | None = None,
    database: Database | None = None,
    clock: Clock | None = None,
    plugins: Plugins | None = None,
) -> Flask:
    """Build the application; ``clock`` gives the present as an aware datetime in UTC.

    Without a ``database`` it opens the one of the settings, and publishes there what is due.
    Without ``plugins`` it takes those that are installed.
    """
    settings = settings or Settings.load()
    plugins = plugins.configured(settings) if plugins else configured_plugins(settings)
    is_service = database is None
    if database is None:
        name = service_name_of(settings.mongodb_uri)
        own = is_own(settings.mongodb_uri, settings.data)
        database = open_calendar(settings.mongodb_uri, settings.data, own=own, appname=name)
    app = Service(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_upload
    # The usual size is what is read of a file at once, and more.
    longest_text = max(settings.max_body, app.config["MAX_FORM_MEMORY_SIZE"])
    app.config["MAX_FORM_MEMORY_SIZE"] = longest_text
    elsewhere = settings.mongodb_reads == "secondary"
    clock = clock or system_clock
    memory = measured_memory(settings.cache_memory * _MEGABYTE)
    store = Store(database, settings.query_timeout, memory, read_elsewhere=elsewhere, clock=clock)
    services = build_services(settings, store, clock, plugins)
    init_app(app, services)
    configure_logging()
    _serve(app, settings, plugins)
    # Last, so that a slash at the end does not count here either.
    scrape = _metrics(settings, store, services) if settings.metrics else None
    public = None if settings.metrics_bind else scrape
    directory = _own_directory(settings)
    readiness = Readiness(store, declared_indexes(settings))
    app.register_blueprint(health(lambda: _lacking(readiness, directory), public))
    if is_service:
        stay_present(database)
        _read_ahead()
        if scrape and settings.metrics_bind:
            serve_metrics(settings.metrics_bind, scrape)
    if is_service and settings.publish_interval > 0 and settings.jobs == "auto":
        _stand_in(app, store, plugins, settings.publish_interval)
    return app


def _stand_in(app: Flask, store: Store, plugins: Plugins, seconds: int) -> None:
    """Do scheduled work while no process of its own does, in forked children too."""

    def start() -> None:
        work = BackgroundWork(store, background_loops(app, store, plugins, seconds=seconds))
        Thread(target=work.stand_in, args=[seconds], name="stand-in", daemon=True).start()

    os.register_at_fork(after_in_child=start)
    start()


# Modules that requests import late, since commands do without them.
_LATE_MODULES = (
    "calendar_app.sources.imports.ics.events",
    "calendar_app.sources.imports.ics.reader",
    "calendar_app.sources.readers.schema_org",
    "calendar_app.sources.readers.sitemaps",
    "calendar_app.sources.readers.tables",
    "calendar_app.sources.readers.tec",
    "cryptography.fernet",
    "icalendar",
    "rapidfuzz.distance",
    "rapidfuzz.fuzz",
    "rapidfuzz.utils",
)


def _read_ahead() -> None:
    """Read all files of the program that requests need, which an upgrade may replace."""
    for module in _LATE_MODULES:
        import_module(module)
    for domain in ("messages", "pages", "desk"):
        catalogs(domain)
    compiled_catalog()
    for language in languages():
        templates_for(language)


def _metrics(settings: Settings, store: Store, services: Services) -> Scrape:
    collectors: list[Collector] = [
        _database_metrics(settings, store.database),
        SourceMetrics(partial(_source_figures, services.sources)),
        WebhookMetrics(services.webhooks.figures),
        JobsMetrics(partial(_where_jobs_run, store)),
    ]
    return lambda: scrape_metrics(collectors)


def openapi_document(settings: Settings) -> Document:
    """Return the document that describes the interface; no database is needed for it."""
    parts = chosen_parts(settings)
    return _add_interface(Flask(__name__), settings, configured_plugins(settings), parts)


def _serve(app: Flask, settings: Settings, plugins: Plugins) -> None:
    parts = chosen_parts(settings)
    document = _add_interface(app, settings, plugins, parts)
    interface.init_app(app, document, settings)
    report_ignored_names(app, known_names(app, document, settings))
    for part in parts:
        part.install(app, settings)
    app.register_blueprint(media_files.files)
    app.register_blueprint(routes.swagger_ui)
    app.register_blueprint(routes.site_index(settings.api_prefix))
    check_requests(app)
    app.before_request(routes.describe_route)
    # First, so that its headers come last.
    desk.init_app(app, settings, plugins.desk_pages)
    for finishing in (finalize, add_cors_headers, set_allow_header):
        app.after_request(finishing)
    add_cache_control(app, settings.cache_control)
    pages.init_app(app, settings, plugins.blocks)
    plugins.add_blueprints(app)
    allow_bodies(app, most_bytes_of_form, pushing.most_bytes)
    app.wsgi_app = _layered(app, settings, parts)  # type: ignore[assignment,method-assign]


def _layered(app: Flask, settings: Settings, parts: Sequence[Part]) -> Wsgi:
    """Wrap the application in its middleware, outermost last."""
    bases = (base_path(settings), f"{settings.api_prefix}{WORDPRESS}")
    layered: Wsgi = AnyCase(app.wsgi_app, bases)
    for part in parts:
        layered = part.wrap(layered, settings)
    layered = LanguageSegment(layered, settings.languages)
    uncached, services = layered, get_services(app)
    if settings.cache_answers and (memory := services.cache_memory).room:
        layered = ResponseCache(layered, services.reader.latest_edition, services.clock, memory)
    if services.read_limit:
        layered = ReadRate(layered, uncached, services.read_limit.retry_after)
    routed = QueryRoutes(layered, settings.api_prefix, settings.namespace, settings.languages)
    logged = RequestLog(routed, count_round_trips_anew, round_trips, metrics=settings.metrics)
    return TrustedProxies(logged, settings.trusted_proxies)


def _add_interface(
    app: Flask, settings: Settings, plugins: Plugins, of_ours: Sequence[Part]
) -> Document:
    """Add all that stands below the namespace, and return its description."""
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.url_map.converters |= {"digits": Digits, "event_slug": EventSlug}
    app.config.update(
        API_TITLE="calendar", API_VERSION=version("calendar-app"), OPENAPI_VERSION="3.1.0"
    )
    api = Api(app)
    parts = [*_PARTS, *(each.blueprint for each in of_ours if each.blueprint)]
    if settings.submissions or "submissions" in settings.open_at_desk:
        parts.append(submissions.blueprint)
    if settings.mistake_reports or "mistake_reports" in settings.open_at_desk:
        parts.append(mistakes.blueprint)
    if plugins.formats:
        parts.append(further_feeds(*plugins.formats))
    for part in parts:
        api.register_blueprint(part, url_prefix=base_path(settings))
    document = add_examples(complete(api.declared(), settings), settings)
    for each in of_ours:
        document = each.describe(document, settings)
    return add_messages(describe_plugins(document, plugins))


def _database_metrics(settings: Settings, database: Database) -> DatabaseMetrics:
    directory = _own_directory(settings)
    if directory is None:
        return DatabaseMetrics(lambda: measure(database), lambda: None)

    def measured() -> DatabaseHealth:
        # Our own mongod does not outlive a full disk, and could not tell of it.
        health, free = measure(database), directory.disk_free
        return health if free is None else replace(health, disk_free=free)

    return DatabaseMetrics(measured, lambda: directory.restarts)


def _source_figures(sources: Sources) -> Sequence[SourceFigures]:
    """Return the figures of the sources; nothing while the database is away."""
    with suppress(Unavailable), watching():
        return sources.overview.figures()
    return ()


def _where_jobs_run(store: Store) -> str:
    """Return where scheduled work is done; raise ``Unavailable`` without an answer in time."""
    with watching():
        return where_jobs_run(store)


def _own_directory(settings: Settings) -> DataDirectory | None:
    """Return the directory of our own mongod, if there is one."""
    own = is_own(settings.mongodb_uri, settings.data)
    return DataDirectory(settings.data) if own else None


def _lacking(readiness: Readiness, directory: DataDirectory | None) -> str:
    """Return the reason why the database is not ready; empty if it is."""
    try:
        return readiness.lacking()
    except Unavailable:
        if directory and directory.is_full:
            return Message("The disk of the database is full.")
        raise
