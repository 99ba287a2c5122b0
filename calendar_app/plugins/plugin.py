"""The contribution of one plugin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint

from calendar_app.calendar.commit_reports import WrittenRecord
from calendar_app.changes.mail import Letter
from calendar_app.feeds.feed import Format
from calendar_app.settings import Settings
from calendar_app.site.desk.plugin_pages import DeskPage
from calendar_app.site.pages.rendering import Block
from calendar_app.sources.readers.registry import SourceKind
from calendar_app.translation.engine import Engine

# Where pages show blocks: below an event, below lists and calendars, and at the foot of each page.
PLACES = ("event", "list", "foot")


@dataclass(frozen=True, slots=True)
class Plugin:
    """Everything that one package adds; all parts may be left out.

    ``after_commit`` gets the records that some transactions wrote, in whatever process, in a thread
    of one process. ``formats`` are feeds at ``/events.SUFFIX``. ``source_kinds`` and
    ``translators`` are what the ``kind`` of a source and the setting ``translator`` can name.
    ``letter`` returns what is sent in place of a letter. ``blocks`` return HTML by place.
    ``desk_pages`` are below ``/desk/plugins/PLUGIN``, the ``blueprint`` at ``/plugins/PLUGIN``.
    ``configure`` gets the settings ``[plugins.PLUGIN]`` before anything else is asked for, in each
    process that answers requests or runs a command.
    """

    after_commit: Callable[[Sequence[WrittenRecord]], object] | None = None
    formats: Sequence[Format] = ()
    source_kinds: Mapping[str, SourceKind] = field(default_factory=dict)
    translators: Mapping[str, Callable[[Settings], Engine]] = field(default_factory=dict)
    letter: Callable[[Letter], Letter] | None = None
    blocks: Mapping[str, Callable[[Block], str]] = field(default_factory=dict)
    desk_pages: Sequence[DeskPage] = ()
    blueprint: Blueprint | None = None
    configure: Callable[[Mapping[str, Any]], object] | None = None
