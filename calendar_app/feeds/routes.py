"""The routes of feeds."""

from flask import Response

from calendar_app.accounts.policy import Caller
from calendar_app.domain.kind import Record
from calendar_app.feeds.answering import answer_event, answer_feed
from calendar_app.feeds.formats import ATOM, CSV, GEOJSON, ICALENDAR
from calendar_app.feeds.making import in_slot
from calendar_app.feeds.selection import FeedSchema
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import load_record
from calendar_app.http.views.records import LockedReadSchema
from calendar_app.kinds import EVENT
from calendar_app.query.clauses import Clause

blueprint = Blueprint("feeds", __name__, description="Events for calendar programs and readers")
_TEXT = {"type": "string"}
_COLLECTION = {
    "type": "object",
    "additionalProperties": True,
    "required": ["type", "features"],
    "properties": {
        "type": {"const": "FeatureCollection"},
        "features": {"type": "array", "items": {"type": "object"}},
    },
}


def _visible(caller: Caller) -> Clause:
    """Match events that the caller may read, and withdrawn ones."""
    return current.services().feeds.shown_to(caller)


@blueprint.route("/events.ics")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ICALENDAR.media_type)
def as_icalendar(list_request: ListRequest) -> Response:
    """List events for calendar programs, as iCalendar."""
    return answer_feed(ICALENDAR, list_request)


@blueprint.route("/events.atom")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ATOM.media_type)
def as_atom(list_request: ListRequest) -> Response:
    """List events for readers of news, as Atom."""
    return answer_feed(ATOM, list_request)


@blueprint.route("/events.geojson")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _COLLECTION, content_type=GEOJSON.media_type)
def as_geojson(list_request: ListRequest) -> Response:
    """List events for maps, as GeoJSON."""
    return answer_feed(GEOJSON, list_request)


@blueprint.route("/events.csv")
@in_slot
@blueprint.arguments(FeedSchema, location="query")
@blueprint.response(200, _TEXT, content_type=CSV.media_type)
def as_csv(list_request: ListRequest) -> Response:
    """List events for spreadsheets, as CSV."""
    return answer_feed(CSV, list_request)


@blueprint.route("/events/by-slug/<event_slug:slug>.ics/")
@blueprint.route("/events/<digits:id>.ics")
@load_record(EVENT, visible=_visible)
@blueprint.arguments(LockedReadSchema, location="query")
@blueprint.response(200, _TEXT, content_type=ICALENDAR.media_type)
def event(sent: Record, **_: object) -> Response:
    """Read an event as iCalendar, by id or slug."""
    return answer_event(sent)
