"""Parts of ours that a site can do without, each behind a setting of its name.

No other module imports them: they are loaded here, where the site has them. What fails stops the
start, unlike a plugin of others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType

from flask import Flask
from flask_smorest import Blueprint

from calendar_app.api.http.openapi.document import Document
from calendar_app.api.http.request.state import Wsgi
from calendar_app.settings import Settings

# The module of each part, which has it as ``PART``, by its setting.
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "open_data": "calendar_app.parts.opendata.routes",
        "wordpress": "calendar_app.parts.wordpress.routes",
    }
)


@dataclass(frozen=True, slots=True)
class Part:
    """The contribution of one part to the application.

    ``blueprint`` has routes of the interface, whose description ``describe`` completes. ``install``
    adds routes beside it, ``wrap`` a layer around the application.
    """

    blueprint: Blueprint | None = None
    describe: Callable[[Document, Settings], Document] = lambda document, _: document
    install: Callable[[Flask, Settings], None] = lambda _app, _settings: None
    wrap: Callable[[Wsgi, Settings], Wsgi] = lambda app, _: app


def chosen_parts(settings: Settings, parts: Mapping[str, str] = PARTS) -> Sequence[Part]:
    """Return the parts that the site has, loaded."""
    return [import_module(module).PART for name, module in parts.items() if getattr(settings, name)]
