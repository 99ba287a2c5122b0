"""Templates of pages, and the answers that they become."""

from collections.abc import Mapping, Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from flask import Response
from jinja2 import BaseLoader, Environment, StrictUndefined
from markupsafe import Markup

from calendar_app.domain.richtext import decoded
from calendar_app.errors import ConfigurationError
from calendar_app.http.request import current
from calendar_app.pages import events, links, wording
from calendar_app.pages.catalogues import gettext, ngettext, texts_in, told
from calendar_app.pages.icons import ICONS
from calendar_app.pages.prose import prose
from calendar_app.pages.refusals import FILTER_NAMES
from calendar_app.pages.static_files import StaticFiles
from calendar_app.pages.theme_templates import Templates, log_failure
from calendar_app.settings import Settings

_EXTENSION = "calendar_pages"


class PageResponse(Response):
    """A page; it gets the headers of pages."""

    default_mimetype = "text/html"


class Theme:
    """Templates and static files of the pages; a theme's own stand for ours of the same name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        folder = theme_folder(settings.theme)
        own_files = [folder / "static"] if folder else []
        self.static = StaticFiles(own_files, map_files(settings))
        self.templates = Templates(folder / "templates" if folder else None, self._environment)
        self.failures = self.templates.compile_own()

    def _environment(self, loader: BaseLoader) -> Environment:
        """Return what templates of pages are compiled with."""
        environment = Environment(
            loader=loader,
            autoescape=True,
            auto_reload=False,
            cache_size=-1,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n", "jinja2.ext.loopcontrols"],
        )
        environment.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension
            gettext, ngettext, newstyle=True
        )
        environment.globals.update(
            settings=self.settings,
            wording=wording,
            links=links,
            icons=ICONS,
            static=self._static_address,
            has_static=self.static.__contains__,
            logo_address=self._logo_address,
            footer_links=lambda: [tuple(each.split("=", 1)) for each in self.settings.footer_links],
            filter_names=FILTER_NAMES,
            embedded=False,
        )
        environment.filters.update(
            json=json_in_html,
            day=day_in_field,
            told=told,
            prose=prose,
            decoded=decoded,
            host=lambda address: urlsplit(address).hostname or address,
            default_address=default_address,
            **events.FILTERS,
        )
        return environment

    def _static_address(self, name: str) -> str:
        return f"{links.root()}/static/{self.static.hashed_name(name)}"

    def _logo_address(self) -> str:
        logo = self.settings.logo
        return self._static_address(logo) if logo in self.static else logo


def map_files(settings: Settings) -> dict[str, Path]:
    """Return where Leaflet is, of which maps are made; nothing on sites without tiles."""
    if not settings.map_tiles:
        return {}
    leaflet = Path(str(files("js_lib_leaflet"))) / "static" / "js_lib_leaflet"
    return {"leaflet": leaflet}


def theme_folder(name: str) -> Path | None:
    """Return the folder of a theme: one that ships with the service, or any other directory.

    Raises ``ConfigurationError`` where there is none.
    """
    if not name:
        return None
    for folder in (Path(__file__).parent / "themes" / name, Path(name)):
        if folder.is_dir():
            return folder
    raise ConfigurationError(f"The setting theme names no directory: {name}.")


def install(extensions: dict[str, Any], theme: Theme) -> None:
    """Let the application render with a theme; tell in the log which of its templates fail."""
    for name, reason in theme.failures.items():
        log_failure(name, reason)
    extensions[_EXTENSION] = theme


def theme_of(extensions: Mapping[str, Any]) -> Theme:
    theme: Theme = extensions[_EXTENSION]
    return theme


def render(theme: Theme, template: str, status: int = 200, **context: Any) -> PageResponse:
    """Return a page made of a template."""
    chain, addresses = current.error_chain(), current.addresses()
    shared = {
        "language": chain[0],
        "chain": chain,
        "addresses": addresses,
        "home": addresses.home(chain[0]),
        **texts_in(chain),
    }
    html = theme.templates.render(template, **shared, **context)
    return PageResponse(html, status)


def default_address(alternates: Sequence[Any]) -> str:
    """Return the address of a page for readers of no particular language."""
    usual = current.settings().default_language
    own = [each for each in alternates if each.is_written] or list(alternates)
    return str(next((each for each in own if each.language == usual), own[0]).address)


def day_in_field(text: str) -> str:
    """Return the day of a text as fields for dates hold it; nothing if it has none."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""


def json_in_html(value: object) -> Markup:
    """Return JSON that may stand inside ``<script>``, whatever texts it holds."""
    text = orjson.dumps(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704  # nothing in it ends the element
