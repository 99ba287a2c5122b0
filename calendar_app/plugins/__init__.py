"""Plugins: packages that add to the service, found by their entry points.

A package names a ``Plugin`` in the group ``calendar_app.plugins``, and commands in the group
``calendar_app.commands``, which ``--help`` lists without importing them. It needs no other module
of the service than this one. See ``docs/how-to/write-a-plugin.md``, and for all types
``docs/reference/plugins.md``.
"""

from calendar_app.accounts.policy import Right
from calendar_app.calendar.commit_reports import WrittenRecord
from calendar_app.calendar.reading.feed_series import FeedSeries
from calendar_app.changes.mail import Letter
from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule
from calendar_app.domain.statuses import Stamp
from calendar_app.domain.texts.foreign import description_html, title_html
from calendar_app.feeds.feed import Feed, Format
from calendar_app.plugins.plugin import PLACES, Plugin
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
from calendar_app.translation.engine import Engine, NoProposal, Text

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
