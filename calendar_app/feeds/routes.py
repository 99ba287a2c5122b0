"""The routes of feeds, and their examples in the OpenAPI document."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

from flask import Response

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.http.fields.scalars import Flag
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.openapi.examples import DEFAULT_SITE, substitute
from calendar_app.api.http.openapi.operations import OperationPart
from calendar_app.api.http.request import current
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import load_record
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.richtext import legible
from calendar_app.domain.uids import event_uid, feed_uid
from calendar_app.feeds.answering import (
    EventFileSchema,
    FeedSchema,
    ICalendarSchema,
    TableSchema,
    answer_event,
    answer_feed,
    icalendar_format,
    in_slot,
)
from calendar_app.feeds.atom import ATOM
from calendar_app.feeds.content_lines import escape_text, fold
from calendar_app.feeds.feed import Format
from calendar_app.feeds.icalendar_feed import ICALENDAR
from calendar_app.feeds.tables import CSV, CSV_WITH_BOM, GEOJSON
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings
from calendar_app.storage.query.clauses import Clause

blueprint = Blueprint(
    "feeds",
    __name__,
    description="Feeds of events, for calendar apps, news readers, maps and spreadsheets",
)
_TEXT = {"type": "string"}
_COLLECTION = {
    "type": "object",
    "additionalProperties": True,
    "required": ["type", "features"],
    "properties": {
        "type": {"const": "FeatureCollection", "description": "The type of the object (RFC 7946)."},
        "features": {
            "type": "array",
            "items": {"type": "object"},
            "description": "The events.",
        },
    },
}


def _visible(caller: Caller) -> Clause:
    """Match events that the caller may read, and withdrawn ones."""
    return current.context().services.feeds.shown_to(caller)


@blueprint.route("/events.ics")
@in_slot
@blueprint.arguments(ICalendarSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ICALENDAR.media_type)
def as_icalendar(list_request: ListRequest) -> Response:
    """List events as iCalendar, for calendar apps."""
    return answer_feed(icalendar_format(current.context()), list_request)


@blueprint.route("/events.atom")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ATOM.media_type)
def as_atom(list_request: ListRequest) -> Response:
    """List events as an Atom feed, for news readers."""
    return answer_feed(ATOM, list_request)


@blueprint.route("/events.geojson")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _COLLECTION, content_type=GEOJSON.media_type)
def as_geojson(list_request: ListRequest) -> Response:
    """List events as GeoJSON, for maps."""
    return answer_feed(GEOJSON, list_request)


@blueprint.route("/events.csv")
@in_slot
@blueprint.arguments(TableSchema, location="query")
@blueprint.response(200, _TEXT, content_type=CSV.media_type)
def as_csv(list_request: ListRequest) -> Response:
    """List events as CSV, for spreadsheets."""
    context = current.context()
    with_bom = Flag().read(context.parameters.get("bom") or False, context)
    return answer_feed(CSV_WITH_BOM if with_bom else CSV, list_request)


@blueprint.route("/events/by-slug/<event_slug:slug>.ics/")
@blueprint.route("/events/<digits:id>.ics")
@load_record(EVENT, visible=_visible)
@blueprint.arguments(EventFileSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ICALENDAR.media_type)
def event(sent: Record, **_: object) -> Response:
    """Read an event as iCalendar, by id or slug."""
    return answer_event(sent, icalendar_format(current.context()))


@cache
def further_feeds(*formats: Format) -> Blueprint:
    """Return the routes of the formats that plugins add."""
    further = Blueprint("further feeds", __name__, description="Events in further formats")
    for each in formats:
        _add_feed(further, each)
    return further


def _add_feed(further: Blueprint, kind: Format) -> None:
    @further.route(f"/events.{kind.suffix}", endpoint=kind.suffix)
    @in_slot
    @further.arguments(FeedSchema, location="query")
    @further.response(200, _TEXT, content_type=kind.media_type)
    def feed(list_request: ListRequest) -> Response:
        """List events in a format of a plugin."""
        return answer_feed(kind, list_request)


# Examples of feeds in the OpenAPI document.
#
# They present the event of ``api/http/openapi/examples.py``, with a calendar identity of their own.

CALENDAR = UUID("00000000-0000-4000-8000-000000000000")
_PARAMETERS = {"per_page": "1", "start_date": "2030-03-01", "end_date": "2030-03-31"}
_EVENT = 5
_TEMPLATES = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
_CRLF = "\r\n"


def add_examples(document: OperationPart, settings: Settings) -> OperationPart:
    """Add the examples of feeds to a document, and return it."""
    for suffix, media_type in FEED_TYPES.items():
        answer = document["paths"][f"/events.{suffix}"]["get"]["responses"]["200"]
        example = substitute(_TEMPLATES[suffix], _placeholders(suffix, settings))
        media_example = {"examples": {"concerts": {"value": _render(suffix, example)}}}
        answer["content"] = {media_type: answer["content"][media_type] | media_example}
    file = {"examples": {"concert": {"value": _file_of_event(settings)}}}
    for path in ("/events/{id}.ics", "/events/by-slug/{slug}.ics"):
        answer = document["paths"][path]["get"]["responses"]["200"]
        answer["content"] = {
            media_type: content | file for media_type, content in answer["content"].items()
        }
    return document


def _file_of_event(settings: Settings) -> str:
    """Return the iCalendar file of the event, with its own source."""
    name = f"events/{_EVENT}.ics"
    source = f"SOURCE;VALUE=URI:$base/{name}"
    lines = [source if line.startswith("SOURCE") else line for line in _TEMPLATES["ics"]]
    filling = {**_placeholders("ics", settings), "feed": str(feed_uid(CALENDAR, name, {}))}
    text: str = _render("ics", substitute(lines, filling))
    return text


def _placeholders(suffix: str, settings: Settings) -> Mapping[str, str]:
    """Return the values that depend on the settings, escaped for the format."""
    site = settings.site_url.rstrip("/") or DEFAULT_SITE
    filling = {
        "site": site,
        "base": Addresses(site, site, settings).base,
        "name": legible(settings.site_name),
        "language": settings.default_language,
        "timezone": settings.timezone,
        "event": str(event_uid(CALENDAR, _EVENT)),
        "feed": str(feed_uid(CALENDAR, f"events.{suffix}", _PARAMETERS)),
    }
    match suffix:
        case "ics":
            return filling | {"name": escape_text(filling["name"])}
        case "atom":
            return {name: escape(value) for name, value in filling.items()}
        case _:
            return filling


def _render(suffix: str, example: Any) -> Any:
    """Return an example with the line endings of its format."""
    match suffix:
        case "ics":
            return "".join(f"{fold(line.encode()).decode()}{_CRLF}" for line in example)
        case "csv":
            return "".join(f"{line}{_CRLF}" for line in example)
        case "atom":
            return "".join(f"{line}\n" for line in example)
        case _:
            return example
