"""The series resource."""

from dataclasses import replace

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import LockedReadSchema, LockedRemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import EVENT, SERIES
from calendar_app.presentation.events import present_event
from calendar_app.presentation.events import present_series as present
from calendar_app.query.clauses import all_of, equals
from calendar_app.resources.events.response_schemas import EventPageSchema
from calendar_app.resources.series.filters import EventsOfSeriesSchema, SeriesListSchema
from calendar_app.resources.series.schemas import (
    SeriesChangeSchema,
    SeriesPageSchema,
    SeriesSchema,
)

blueprint = Blueprint("series", __name__, description="Events that recur")


@blueprint.route("/series")
class SeriesList(ResourceView):
    @blueprint.arguments(SeriesListSchema, location="query")
    @blueprint.response(200, SeriesPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List series, by start."""
        return records.answer_list(SERIES, list_request, present)


@blueprint.route("/series/<digits:id>")
class SeriesById(ResourceView):
    @load_record(SERIES)
    @blueprint.arguments(LockedReadSchema, location="query")
    @blueprint.response(200, SeriesSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a series by id."""
        return records.read(SERIES, existing(SERIES), present, sent)

    @require_permission("edit", SERIES)
    @load_record(SERIES, present)
    @blueprint.arguments(SeriesChangeSchema(partial=True))
    @blueprint.response(200, SeriesSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change all events of a series; omitted fields stay."""
        return records.change(SERIES, existing(SERIES), changes, present)

    put = patch = post

    @require_permission("delete", SERIES)
    @load_record(SERIES)
    @blueprint.arguments(LockedRemoveSchema, location="query")
    @blueprint.response(200, SeriesSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move all events of a series to the trash."""
        return records.remove(SERIES, existing(SERIES), sent, present)


@blueprint.route("/series/<digits:id>/events")
class EventsOfSeries(ResourceView):
    @load_record(SERIES)
    @blueprint.arguments(EventsOfSeriesSchema, location="query")
    @blueprint.response(200, EventPageSchema)
    def get(self, list_request: ListRequest, **_: object) -> Response:
        """List the events of a series, past ones too."""
        series = existing(SERIES)
        current.reader().require_readable(
            SERIES, series, current.caller(), current.parameter("password")
        )
        series_id = series["_id"]
        listing = list_request.listing
        own = all_of([listing.clause, equals("series", series_id)])
        narrowed = ListRequest(replace(listing, clause=own), list_request.echoed)
        address = f"series/{series_id}/events"
        return records.answer_list(EVENT, narrowed, present_event, address)


add_history(blueprint, SERIES, SeriesSchema, present)
