"""The plugins of an installation, found by their entry points.

A plugin that fails is named in the log. What it would have added is left out; all else goes on.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

import structlog
from flask import Blueprint, Flask
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.http.openapi.document import Document
from calendar_app.calendar.commit_reports import WrittenRecord
from calendar_app.calendar.translation import SERVICES, Engine
from calendar_app.changes.mail import Letter
from calendar_app.feeds.feed import Format
from calendar_app.plugins import Plugin
from calendar_app.settings import Settings
from calendar_app.site.desk.plugin_pages import DeskPage
from calendar_app.site.pages.rendering import Block
from calendar_app.sources.readers.registry import KINDS, SourceKind
from calendar_app.sources.source import PUSH

GROUP = "calendar_app.plugins"
# Of a page of the desk: segments that need no escapes.
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*", re.ASCII)
_SUFFIX = re.compile(r"[\w-]+(?:\.[\w-]+)*", re.ASCII)
# The schemas of a source, and of a list of events, each also with selected fields alone.
_SOURCES = ("Source", "SourceChange", "SourceSelection")
_LISTS = ("EventPage", "EventPageSelection")
Result = TypeVar("Result")
_log = structlog.get_logger()


class Plugins:
    """The plugins of an installation, by the names of their entry points.

    Nothing of ours can be replaced: a part with a name that is taken is left out, and the log says
    so.
    """

    def __init__(self, plugins: Mapping[str, Plugin]) -> None:
        self.by_name = plugins
        self.formats = [
            replace(
                format_,
                head=_logged(name, "format", format_.head),
                item=_logged(name, "format", format_.item),
            )
            for name, suffix, format_ in _without_taken(
                FEED_TYPES, {n: {f.suffix: f for f in p.formats} for n, p in plugins.items()}
            )
        ]
        self.desk_pages = {
            name: list(_sound_pages(name, each.desk_pages))
            for name, each in plugins.items()
            if each.desk_pages
        }
        self.source_kinds: dict[str, SourceKind] = {
            kind: source_kind
            for _, kind, source_kind in _without_taken(
                (*KINDS, PUSH), {name: each.source_kinds for name, each in plugins.items()}
            )
        }
        self.translators: dict[str, Callable[[Settings], Engine]] = {
            service: make
            for _, service, make in _without_taken(
                SERVICES, {name: each.translators for name, each in plugins.items()}
            )
        }

    def configured(self, settings: Settings) -> "Plugins":
        """Return those plugins that take their settings; the log names the others."""
        for name in settings.plugins.keys() - self.by_name.keys():
            _log.warning("settings of no plugin", plugin=name)
        configured = {
            name: plugin
            for name, plugin in self.by_name.items()
            if _is_configured(name, plugin, settings.plugins.get(name, {}))
        }
        return self if len(configured) == len(self.by_name) else Plugins(configured)

    def add_blueprints(self, app: Flask) -> None:
        """Add the routes of all plugins to an application; log and skip those that fail."""
        for name, plugin in self.by_name.items():
            if plugin.blueprint:
                _succeeds(name, "blueprint", partial(_add_routes, app, name, plugin.blueprint))

    @property
    def feed_types(self) -> dict[str, str]:
        """The media type of every format of the service, by the suffix of its address."""
        return {**FEED_TYPES, **{each.suffix: each.media_type for each in self.formats}}

    def rewritten(self, letter: Letter) -> Letter:
        """Return a letter as the plugins would have it."""
        for name, plugin in self.by_name.items():
            if plugin.letter:
                letter = _call(name, "letter", partial(plugin.letter, letter), Letter) or letter
        return letter

    def blocks(self, place: str, block: Block) -> Markup:
        """Return the HTML that plugins show at a place of a page."""
        pieces = [
            _call(name, f"block {place}", partial(plugin.blocks[place], block), str) or ""
            for name, plugin in self.by_name.items()
            if place in plugin.blocks
        ]
        return Markup("").join(Markup(piece) for piece in pieces)  # noqa: S704  # of the operator

    @property
    def reads_commits(self) -> bool:
        """Return whether any plugin follows commits."""
        return any(plugin.after_commit for plugin in self.by_name.values())

    def report(self, records: Sequence[WrittenRecord]) -> None:
        """Hand written records to all plugins that have a use for them."""
        for name, plugin in self.by_name.items():
            if plugin.after_commit:
                _call(name, "after_commit", partial(plugin.after_commit, records), object)


@cache
def installed_plugins() -> Plugins:
    """Return the plugins of this installation, loaded once for each process."""
    return Plugins(loaded_plugins(entry_points(group=GROUP)))


@lru_cache(maxsize=1)
def configured_plugins(settings: Settings) -> Plugins:
    """Return those plugins of this installation that take these settings, asked once."""
    return installed_plugins().configured(settings)


def loaded_plugins(points: Iterable[EntryPoint]) -> dict[str, Plugin]:
    """Return the plugins of entry points; log failures to load, and parts of another type."""
    by_name = sorted(points, key=lambda point: point.name)
    loaded = {
        point.name: _call(point.name, "load", partial(_load, point), Plugin) for point in by_name
    }
    return {name: plugin for name, plugin in loaded.items() if plugin}


def _load(point: EntryPoint) -> object:
    plugin = point.load()
    if isinstance(plugin, Plugin):
        _require_parts(plugin)
    return plugin


def _require_parts(plugin: Plugin) -> None:
    """Raise ``TypeError`` or ``ValueError`` for parts that would take the service down."""
    for each in plugin.formats:
        if not isinstance(each, Format) or not _SUFFIX.fullmatch(each.suffix):
            raise ValueError(f"{each!r} is no Format with a suffix such as jsonfeed.")
    for name in ("source_kinds", "translators", "blocks"):
        if not isinstance(getattr(plugin, name), Mapping):
            raise TypeError(f"{name} are no dictionary.")
    iter(plugin.desk_pages)
    functions = (plugin.after_commit, plugin.letter, plugin.configure)
    for function in (*functions, *plugin.translators.values(), *plugin.blocks.values()):
        if function is not None and not callable(function):
            raise TypeError(f"{function!r} is no function.")


def _call(
    plugin: str, part: str, function: Callable[[], object], result_type: type[Result]
) -> Result | None:
    """Return the result of a plugin's function; log a failure and return ``None``."""
    try:
        result = function()
        if not isinstance(result, result_type):
            raise TypeError(f"It returned {result!r}, no {result_type.__name__}.")  # noqa: TRY301
    except Exception as error:  # noqa: BLE001  # it is not our code
        _log.exception("plugin failed", plugin=plugin, part=part, error=repr(error))
        return None
    return result


def _sound_pages(plugin: str, pages: Iterable[DeskPage]) -> Iterator[DeskPage]:
    """Yield the pages of the desk that can be shown; log the others, which would take it down."""
    paths = set[str]()
    for page in pages:
        try:
            path, title = _PATH.fullmatch(page.path), all(map(str.strip, page.title.values()))
        except Exception as error:  # noqa: BLE001  # it is not our code
            _log.exception("plugin failed", plugin=plugin, part="desk page", error=repr(error))
            continue
        if not path or page.path in paths or not page.title or not title:
            reason = "it needs a path of its own, such as clubs, and a title"
            _log.error("plugin failed", plugin=plugin, part="desk page", error=reason)
            continue
        paths.add(page.path)
        yield replace(
            page,
            show=_logged(plugin, "desk page", page.show),
            save=page.save and _logged(plugin, "desk page", page.save, ValueError),
        )


def _add_routes(app: Flask, plugin: str, blueprint: Blueprint) -> None:
    own = f"plugin {plugin}"
    app.register_blueprint(blueprint, url_prefix=f"/plugins/{plugin}", name=own)
    for endpoint, view in app.view_functions.items():
        if endpoint.startswith(f"{own}."):
            answer: Callable[..., Any] = app.ensure_sync(view)
            app.view_functions[endpoint] = _logged(plugin, "route", answer, HTTPException)


def _is_configured(name: str, plugin: Plugin, own: Mapping[str, Any]) -> bool:
    configure = plugin.configure
    return configure is None or _succeeds(name, "configure", partial(configure, own))


def _succeeds(plugin: str, part: str, function: Callable[[], object]) -> bool:
    """Call a plugin's function; return whether it came to its end, and log where it did not."""

    def run() -> bool:
        function()
        return True

    return _call(plugin, part, run, bool) or False


def _logged(
    plugin: str, part: str, function: Callable[..., Result], refusal: type[Exception] | None = None
) -> Callable[..., Result]:
    """Return a function that names its plugin in the log where it fails, and fails as before.

    A ``refusal`` is no failure.
    """

    def call(*arguments: Any, **options: Any) -> Result:
        try:
            return function(*arguments, **options)
        except Exception as error:
            if refusal is None or not isinstance(error, refusal):
                _log.exception("plugin failed", plugin=plugin, part=part, error=repr(error))
            raise

    return call


def _without_taken(
    reserved: Iterable[str], parts: Mapping[str, Mapping[str, Any]]
) -> Iterable[tuple[str, str, Any]]:
    """Yield plugin, name and part with a free name; log the others."""
    names = set(reserved)
    for plugin, own in parts.items():
        for name, part in own.items():
            if name in names:
                _log.error("plugin failed", plugin=plugin, part=name, error="the name is taken")
                continue
            names.add(name)
            yield plugin, name, part


def describe_plugins(document: Document, plugins: Plugins) -> Document:
    """Add the kinds of sources and the feeds of plugins to a document, and return it."""
    if plugins.source_kinds:
        names = ", ".join(plugins.source_kinds)
        for own in _properties(document, _SOURCES):
            words = f"{own['kind']['description'].removesuffix('.')}, {names}."
            own["kind"] = {**own["kind"], "description": words}
    types = {each.suffix: each.media_type for each in plugins.formats}
    further = {suffix: {"type": "string", "description": of} for suffix, of in types.items()}
    for own in _properties(document, _LISTS) if further else ():
        feeds = own["feeds"]
        own["feeds"] = {**feeds, "properties": {**feeds["properties"], **further}}
    return document


def _properties(document: Document, schemas: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the properties of schemas; the values are shared with other documents."""
    for name in schemas:
        schema = document["components"]["schemas"][name]
        schema["properties"] = dict(schema["properties"])
        yield schema["properties"]
