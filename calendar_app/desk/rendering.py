"""Templates of the desk, and the answers that they become."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, redirect
from jinja2 import Environment, PackageLoader, StrictUndefined
from werkzeug.urls import iri_to_uri

from calendar_app.desk import languages, sessions
from calendar_app.desk.addresses import address
from calendar_app.desk.browsers import browser_name
from calendar_app.desk.csrf import csrf_token
from calendar_app.desk.languages import gettext, message_text, ngettext
from calendar_app.desk.navigation import navigation
from calendar_app.desk.notices import take_notices
from calendar_app.desk.paging import page_link
from calendar_app.domain.richtext import decoded
from calendar_app.http.request import current
from calendar_app.pages import links, wording
from calendar_app.pages.icons import ICONS
from calendar_app.pages.rendering import map_files, theme_folder
from calendar_app.pages.static_files import StaticFiles
from calendar_app.settings import Settings

_EXTENSION = "calendar_desk"
_SEE_OTHER = 303


class Look:
    """Templates and static files of the desk; a theme's styles hold for it too."""

    def __init__(self, settings: Settings) -> None:
        folder = theme_folder(settings.theme)
        themed = [folder / "static"] if folder else []
        self.static = StaticFiles([*themed, Path(__file__).parent / "static"], map_files(settings))
        self.templates = Environment(
            loader=PackageLoader("calendar_app.desk"),
            autoescape=True,
            auto_reload=False,
            cache_size=-1,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        self.templates.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension
            gettext, ngettext, newstyle=True
        )
        self.templates.globals.update(
            settings=settings,
            wording=wording,
            links=links,
            icons=ICONS,
            static=lambda name: address(f"/static/{self.static.hashed_name(name)}"),
            has_static=self.static.__contains__,
            address=address,
            page_link=page_link,
            csrf_token=csrf_token,
            caller=sessions.caller,
            navigation=navigation,
            notices=take_notices,
            local_time=local_time,
            browser_name=browser_name,
        )
        self.templates.filters.update(
            message_text=message_text,
            decoded=decoded,
            host=lambda address: urlsplit(address).hostname or address,
        )


def install(app: Flask, settings: Settings) -> None:
    app.extensions[_EXTENSION] = Look(settings)


def look() -> Look:
    """Return the templates and static files of the running application."""
    rendering: Look = current_app.extensions[_EXTENSION]
    return rendering


def render(template: str, status: int = 200, **context: Any) -> Response:
    """Return a page made of a template below ``templates/desk``."""
    shared = {"language": languages.language()}
    source = look().templates.get_template(f"desk/{template}")
    return Response(source.render(**shared, **context), status, mimetype="text/html")


def local_time(moment: datetime) -> str:
    """Return a moment in UTC, without a zone, as a day and time of the site."""
    local = moment.replace(tzinfo=UTC).astimezone(current.site_zone())
    return wording.when(local, local, languages.language(), all_day=False)


def see(path: str) -> Response:
    """Lead to a page of the desk after a write."""
    # Line breaks would end the header.
    response: Any = redirect(iri_to_uri(address(path)), _SEE_OTHER, Response)
    return response  # type: ignore[no-any-return]  # werkzeug types its own class
