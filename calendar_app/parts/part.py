"""Parts of ours that a site can do without, each behind a setting of its name.

No other module imports them: they are loaded here, where the site has them. What fails stops the
start, unlike a plugin of others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Any

from flask import Flask
from flask_smorest import Blueprint

from calendar_app.accounts.users import Accounts
from calendar_app.api.http.openapi.document import Document
from calendar_app.api.http.request.state import Wsgi
from calendar_app.calendar.editor import Editor, Fill
from calendar_app.calendar.translation import Engine, TranslationAid
from calendar_app.calendar.writing.writer import WriteFollower
from calendar_app.domain.kind import Index
from calendar_app.domain.moments import Now
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

# The module of each part, which has it as ``PART``, by its setting.
PARTS: Mapping[str, str] = MappingProxyType(
    {
        "open_data": "calendar_app.parts.opendata.routes",
        "translation_memory": "calendar_app.parts.memory.part",
        "wordpress": "calendar_app.parts.wordpress.routes",
    }
)
# The modules with the commands of parts, which do without routes and pages.
_COMMANDS: Mapping[str, str] = MappingProxyType(
    {"translation_memory": "calendar_app.parts.memory.commands"}
)
# Those that keep something in step with each write, in its transaction.
FOLLOWING = ("translation_memory",)
# Machines of plugins by name, each made from the settings.
Engines = Mapping[str, Callable[[Settings], Engine]]


@dataclass(frozen=True, slots=True)
class Joined:
    """What a part builds its services from; ``engines`` are machines of plugins."""

    settings: Settings
    store: Store
    editor: Editor
    accounts: Accounts
    now: Now
    engines: Engines


@dataclass(frozen=True, slots=True)
class Part:
    """The contribution of one part to the application.

    ``blueprint`` has routes of the interface, whose description ``describe`` completes. ``install``
    adds routes beside it, ``wrap`` a layer around the application. ``indexes`` are those of
    collections that nobody else has. ``follow`` returns what follows each write in its transaction,
    and ``fill`` what completes new records. ``aid`` returns what helps with translations.
    ``check`` raises ``ConfigurationError`` where settings of the part make no sense.
    """

    blueprint: Blueprint | None = None
    describe: Callable[[Document, Settings], Document] = lambda document, _: document
    install: Callable[[Flask, Settings], None] = lambda _app, _settings: None
    wrap: Callable[[Wsgi, Settings], Wsgi] = lambda app, _: app
    indexes: Mapping[str, Sequence[Index]] = field(default_factory=dict)
    follow: Callable[[Store], Sequence[WriteFollower]] = lambda _: ()
    fill: Callable[[Settings, Store], Fill | None] = lambda _settings, _store: None
    aid: Callable[[Joined], TranslationAid] | None = None
    check: Callable[[Settings, Engines], None] = lambda _settings, _engines: None


def chosen_parts(settings: Settings, parts: Mapping[str, str] = PARTS) -> Sequence[Part]:
    """Return the parts that the site has, loaded."""
    return [import_module(module).PART for name, module in parts.items() if getattr(settings, name)]


def commands_of(name: str) -> Callable[..., Any]:
    """Return what makes the commands of a part, given how commands open their database."""
    commands: Callable[..., Any] = import_module(_COMMANDS[name]).commands
    return commands
