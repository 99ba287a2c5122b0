"""Sources: calendars that are read again and again, and what became of each of their events."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from flask import Response

from calendar_app.accounts.policy import require_possible_keeper
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import Flag, OneOf, Text, Unvalidated
from calendar_app.api.http.fields.schema import RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import answer_page
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import managed
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields, by_name
from calendar_app.api.resources.managed import (
    Managed,
    PageSchema,
    SingleReadSchema,
    UncachedView,
    add_managed,
    list_address,
    page_of_all,
)
from calendar_app.api.resources.source_rules import RULES
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.texts.recognizing import recognized
from calendar_app.errors import NotFound
from calendar_app.sources.managing import Sources
from calendar_app.sources.overview import SourceStatus
from calendar_app.sources.reports import SourceRun
from calendar_app.sources.results import Outcome
from calendar_app.sources.source import KINDS, SOURCES, Source

# As lists of them are paged.
_SOURCE = Kind(name=SOURCES, singular="source", label="name", texts={}, has_status=False)
_READING = Kind(name="readings", singular="reading", label="", texts={}, has_status=False)
_ENTRY = Kind(name="entries", singular="entry", label="", texts={}, has_status=False)


# What is sent.


# Each setting with its type, and what it means; the source itself says what it may be.
_SETTINGS: Mapping[str, tuple[str | Mapping[str, Any], str]] = MappingProxyType(
    {
        "name": ("string", "The name of the source."),
        "kind": ("string", f"One of {', '.join(KINDS)}."),
        "address": ("string", "The address it is read from: http, https or webcal."),
        "status": ("string", "The status of new events: draft, pending or publish."),
        "author": ("integer", "The user to whom new events belong."),
        "language": ("string", "The language of texts without a language."),
        "timezone": ("string", "The time zone of times without a zone."),
        "town": ("string", "The town of venues without a town."),
        "defaults": ("object", "What new events get if they have none."),
        "terms": ("object", "The term that each of its words stands for; 0 leaves the word out."),
        "unknown_terms": ("string", "What happens to its other words: leave_out, create or list."),
        "filters": ("object", "Which of its events are imported."),
        "authority": ("object", "For each field: `here` (edits stay) or `source`."),
        "vanished": (
            "string",
            "What happens to events that it no longer has: keep, cancel or trash.",
        ),
        "every": ("integer", "The minutes between two readings."),
        "daily_at": ("string", "When it is read each day, such as 04:30."),
        "off": ("boolean", "Whether automatic reading is paused."),
        "columns": ("object", "For tables: the column of each field."),
        "responsible": ("integer", "The user who is notified when it fails."),
        "rank": (
            "integer",
            "If an event comes from two sources, the one with the higher rank decides.",
        ),
        "doubles": (
            "string",
            "What happens to possible duplicates: show or wait; empty: the setting of the site.",
        ),
        "certain_doubles": (
            "string",
            "What happens to certain duplicates: ask or unite; empty: the setting of the site.",
        ),
        "publisher": ("object", "The publisher of its events: `name`, and `url` of a web page."),
        "license": ("string", "The license of its events: a web address, or such as CC BY 4.0."),
        "attribution": ("string", "The credit line that the license asks for."),
        "show_provenance": ("boolean", "Whether readers see publisher, license and attribution."),
        "pictures": (
            "string",
            "Pictures: `link` shows them from where they are, `copy` stores them here.",
        ),
        "keepers": (
            {"type": "array", "items": {"type": "integer"}},
            "The keepers of this source; only administrators can set them.",
        ),
        "rules": (RULES, "Rules for its events; the first one that matches decides."),
    }
)


class Setting(Unvalidated):
    """A setting of a source."""

    def __init__(self, kind: str | Mapping[str, Any], description: str) -> None:
        super().__init__(description=description)
        self.schema = MappingProxyType({"type": kind} if isinstance(kind, str) else kind)


SourceChangeSchema = RequestSchema.from_dict(
    {name: Setting(*described) for name, described in _SETTINGS.items()}, name="SourceChange"
)


class EntryListSchema(PageSchema):
    """Parameters of the report of a reading."""

    outcome = OneOf(tuple(Outcome), description="Only events with this result.")


class ReadingSchema(RequestSchema):
    """Request body of a reading."""

    dry_run = Flag(
        load_default=False, description="Store nothing, and report what would be stored."
    )
    accept = Text(
        load_default="",
        blank=True,
        description="The id of a reading that was held back, to apply it now.",
    )


# What is answered.


def _moment(value: datetime | None) -> str | None:
    return date_text(value) if value else None


def _in_words(reason: str) -> str:
    """Return a reason in the language of the request."""
    text: str = translated(recognized(reason), current.context().message_chain)
    return text


_ENTRY_FIELDS: ShapeFields[Record] = {
    "outcome": Field(tuple(Outcome), lambda it: it["outcome"], "The result for the event."),
    "label": Field("string", lambda it: it["label"], "The title of the event in the source."),
    "uid": Field("string", lambda it: it["uid"], "The identifier of the event in the source."),
    "recurrence_id": Field(
        "string",
        lambda it: it["recurrence_id"],
        "The date, for an event of a series; else empty.",
    ),
    "event": Field("integer", lambda it: it.get("event", 0), "Its id here; 0 if it has none."),
    "start": Field(
        "string",
        lambda it: it.get("start", ""),
        "Its start in the source, in the zone of the event; only a day if it lasts all day.",
    ),
    "place": Field("string", lambda it: it.get("place", ""), "The name of its venue."),
    "fields": Field(["string"], lambda it: it.get("fields", []), "The fields that changed."),
    "kept": Field(
        ["string"], lambda it: it.get("kept", []), "The fields that stay as they were edited here."
    ),
    "rule": Field(
        "integer",
        lambda it: it.get("rule", 0),
        "The number of the rule that decided, from 1; 0 for none.",
    ),
    "reason": Field(
        "string",
        lambda it: _in_words(it.get("reason", "")),
        "Why it was refused or left unchanged; else empty.",
    ),
}
_PRESENTED_ENTRY = Shape("SourceEntry", _ENTRY_FIELDS)
_READING_FIELDS: ShapeFields[SourceRun] = {
    "id": Field("string", lambda it: it.id, "The id of the reading."),
    "source": Field("integer", lambda it: it.source, "The id of the source."),
    "state": Field("string", lambda it: it.state, "Whether it is done, waits, or failed."),
    "reason": Field("string", lambda it: _in_words(it.reason), "Why it waits, or has failed."),
    "started": Field("string", lambda it: date_text(it.started), "In UTC."),
    "finished": Field("string|null", lambda it: _moment(it.finished), "In UTC."),
    "duration": Field("number", lambda it: it.duration, "In seconds."),
    "bytes": Field("integer", lambda it: it.bytes, "The size of the content in bytes."),
    "done": Field("integer", lambda it: it.done, "The number of events written so far."),
    "all": Field("integer", lambda it: it.all, "The number of events to write."),
    "dates": Field(
        "integer", lambda it: it.dates, "The number of dates in new and changed series."
    ),
    "settings_changed": Field(
        "boolean",
        lambda it: it.other_settings,
        "Whether settings of the source have changed since the reading before.",
    ),
    "numbers": Field(
        by_name({"type": "integer"}),
        lambda it: it.numbers or {},
        "The number of events with each result.",
    ),
    "by": Field("integer", lambda it: it.by, "The user who started it; 0: the schedule."),
}
_PRESENTED_READING = Shape("SourceReading", _READING_FIELDS)
_PREVIEW = Shape[SourceRun](
    "SourcePreview",
    {
        **_READING_FIELDS,
        "entries": Field(
            [_PRESENTED_ENTRY],
            lambda it: [_PRESENTED_ENTRY.present(each) for each in it.entries or ()],
            "For a dry run: the result for each event that changes, or that a rule decides.",
        ),
    },
)


def _setting(name: str) -> Field[SourceStatus]:
    kind, meaning = _SETTINGS[name]
    return Field(kind, lambda it: getattr(it.source, name), meaning)


_SOURCE_FIELDS: ShapeFields[SourceStatus] = {
    "id": Field("integer", lambda it: it.source.id, "The id of the source."),
    **{name: _setting(name) for name in _SETTINGS},
    "result": Field("string", lambda it: it.state.get("result", ""), "Of the last reading."),
    "reason": Field(
        "string",
        lambda it: _in_words(it.state.get("reason", "")),
        "Why the last reading failed; empty where it did not.",
    ),
    "read": Field(
        "string|null",
        lambda it: _moment(it.state.get("read")),
        "The time of the last good reading.",
    ),
    "attempted": Field(
        "string|null",
        lambda it: _moment(it.state.get("attempted")),
        "When it was last read, or should have been; null for never.",
    ),
    "failures": Field("integer", lambda it: it.state.get("failures", 0), "One after another."),
    "due": Field(
        "string|null", lambda it: _moment(it.state.get("due")), "The time of the next reading."
    ),
    "unknown_words": Field(
        by_name({"type": "array", "items": {"type": "string"}}),
        lambda it: it.state.get("unknown") or {},
        "Words of the source without a term here.",
    ),
    "rest_url": Field(
        "string", lambda it: _address(it.source), "The address of the source in this interface."
    ),
}
_PRESENTED = Shape("Source", _SOURCE_FIELDS)


# The routes.


blueprint = Blueprint(
    SOURCES, __name__, description="Sources: calendars that are read automatically"
)
for_keepers = managed(require_possible_keeper)


def _sources() -> Sources:
    return current.context().services.sources


def _add(sent: RequestValues) -> tuple[int, JSONObject]:
    caller = current.context().caller
    source = _sources().add(sent, caller)
    return source.id, _PRESENTED.present(_sources().get(source.id, caller))


_MANAGED = Managed(
    _SOURCE,
    lambda _action: for_keepers,
    _sources,
    page_of_all(lambda caller: _sources().list(caller)),
    adds=SourceChangeSchema(),
    changes=SourceChangeSchema(),
    answers=_PRESENTED,
    added=_PRESENTED,
    add=_add,
    words={
        "list": "List sources by name, with their last result.\n\n"
        "For editors and administrators; keepers see the sources that they keep.",
        "create": "Add a source.\n\nIt is read at once where it has a schedule.",
        "read": "Read a source: its settings and its state.",
        "change": "Change the settings of a source that are sent.\n\nKeepers may send `terms`.",
        "remove": "Remove a source; its events stay.",
    },
)
add_managed(blueprint, _MANAGED)


@blueprint.route("/sources/<digits:id>/read")
class SourceReading(UncachedView):
    @for_keepers
    @blueprint.arguments(ReadingSchema)
    @blueprint.response(200, _PREVIEW)
    def post(self, sent: RequestValues, **path: int) -> Response:
        """Read a source now, and answer when that is done.

        With `dry_run` nothing is stored, and the answer has what would become of each event.
        """
        caller, options = current.context().caller, dict(sent)
        reading = _sources().readings.read(path["id"], caller, **options)
        return answer(_PREVIEW.present(reading))

    @for_keepers
    @blueprint.arguments(SingleReadSchema, location="query")
    @blueprint.response(200, _PRESENTED)
    def delete(self, _sent: RequestValues, **path: int) -> Response:
        """Stop the running reading; events that it has written stay."""
        _sources().readings.stop(path["id"], current.context().caller)
        return _MANAGED.answer(path["id"])


@blueprint.route("/sources/<digits:id>/readings")
class SourceReadings(UncachedView):
    @for_keepers
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED_READING, "readings"))
    def get(self, sent: RequestValues, **path: int) -> Response:
        """List the readings of a source in the last 90 days, the latest first."""
        context = current.context()
        window = page_window(dict(sent), context.settings)
        page = _sources().readings.page(path["id"], context.caller, window)
        items = [_PRESENTED_READING.present(SourceRun.of(each)) for each in page.items]
        address = list_address(f"{SOURCES}/{path['id']}/readings", context)
        return answer_page(_READING, page, lambda: items, address)


@blueprint.route("/sources/<digits:id>/readings/<reading>")
class SourceReport(UncachedView):
    @for_keepers
    @blueprint.arguments(EntryListSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED_ENTRY, "entries"))
    def get(self, sent: RequestValues, **path: Any) -> Response:
        """List the result of each event in a reading; unchanged events are only counted."""
        context, own = current.context(), path["reading"]
        if _sources().readings.get(own, context.caller).source != path["id"]:
            raise NotFound("source", path["id"])
        window = page_window(dict(sent), context.settings)
        page = _sources().readings.entries(own, context.caller, window, sent.get("outcome", ""))
        items = [_PRESENTED_ENTRY.present(each) for each in page.items]
        address = list_address(f"{SOURCES}/{path['id']}/readings/{own}", context)
        return answer_page(_ENTRY, page, lambda: items, address)


def _address(source: Source) -> str:
    return current.context().addresses.record(SOURCES, source.id)
