"""Plugins: packages that add to the service, found by their entry points.

A package names a ``Plugin`` in the group ``calendar_app.plugins``, and commands in the group
``calendar_app.commands``, which ``--help`` lists without importing them. It needs no other module
of the service than this one. See ``docs/how-to/write-a-plugin.md``, and for all types
``docs/reference/plugins.md``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint

from calendar_app.accounts.callers import Right
from calendar_app.calendar.commit_reports import WrittenRecord
from calendar_app.calendar.reading.feed_series import FeedSeries
from calendar_app.calendar.translation import Engine, NoProposal, Text
from calendar_app.changes.mail import Letter
from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule
from calendar_app.domain.statuses import Stamp
from calendar_app.domain.texts.foreign import description_html, title_html
from calendar_app.feeds.feed import Feed, Format
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText
from calendar_app.settings import Settings
from calendar_app.site.desk.plugin_pages import DeskPage, DeskVisit
from calendar_app.site.pages.rendering import Block
from calendar_app.sources.calendar_events import CalendarEvent, OverriddenDate
from calendar_app.sources.parsed import Fetched, ParsedCalendar, SourceError, Validators
from calendar_app.sources.readers.fetching import Fetcher
from calendar_app.sources.readers.records import (
    ReadableSource,
    Reading,
    identity,
    label_of,
    link_or_report,
    nonempty,
    single_event,
    times,
)
from calendar_app.sources.readers.registry import SourceKind

__all__ = [
    "PLACES",
    "Block",
    "CalendarEvent",
    "Currency",
    "DeskPage",
    "DeskVisit",
    "Engine",
    "Feed",
    "FeedSeries",
    "Fetched",
    "Fetcher",
    "Format",
    "Letter",
    "LocalText",
    "Moment",
    "NoProposal",
    "OverriddenDate",
    "ParsedCalendar",
    "Plugin",
    "ReadEvent",
    "ReadableSource",
    "Reading",
    "Right",
    "SentRecurrence",
    "Settings",
    "SourceError",
    "SourceKind",
    "Stamp",
    "Text",
    "Validators",
    "WrittenRecord",
    "description_html",
    "identity",
    "label_of",
    "link_or_report",
    "nonempty",
    "parse_cost",
    "parse_rule",
    "single_event",
    "times",
    "title_html",
]

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
