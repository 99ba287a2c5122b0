"""Series: all events of one recurrence, as one record."""

from dataclasses import replace

from flask import Response

from calendar_app.accounts.policy import unlocked_for
from calendar_app.api.http.lists.filtering import (
    Ids,
    ListRequest,
    ListSchema,
    SearchText,
    StatusFilter,
    by,
)
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import existing, load_record
from calendar_app.api.http.views.history import add_history
from calendar_app.api.http.views.records import LockedReadSchema, LockedRemoveSchema
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.events import present_event
from calendar_app.api.presentation.series import SERIES_SHAPE, present_series
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.api.resources.events.routes import EVENTS
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.api.resources.resource import Resource, add_records
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, SERIES
from calendar_app.storage.query.clauses import EVERYTHING, Clause, all_of, equals, one_of
from calendar_app.storage.query.list_query import AnyOrder


class SeriesChangeSchema(EventChangeSchema):
    """Request body of a series: what is sent is changed in all its events."""

    class Meta(EventChangeSchema.Meta):
        exclude = ("scope",)

    kind = SERIES


_ORDER = (("start_local", 1), ("_id", 1))


class SeriesListSchema(ListSchema):
    """Parameters of the list of series, by start."""

    kind = SERIES

    search = SearchText(description="Words in title, description or excerpt.", finds_locked=True)
    status = StatusFilter()
    include = Ids(
        metadata=by(lambda ids, _: one_of("_id", ids), "Only the terms with these ids."),
        finds_locked=True,
    )

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        """Return the clause of each filter, and that of the rights."""
        visible = EVERYTHING if self.find_locked(values) else unlocked_for(context.caller)
        return {"": visible, **super().clauses(values, context)}

    def sorting(self, _values: Record, _context: Context) -> AnyOrder:
        return _ORDER


class EventsOfSeriesSchema(EventListSchema):
    """Parameters of the events of one series; past ones are listed too."""

    def default_bounds(self, _values: Record, _context: Context) -> Record:
        """Return no window: the whole series is meant."""
        return {}


blueprint = Blueprint("series", __name__, description="Recurring events")


add_records(
    blueprint,
    Resource(
        SERIES,
        present_series,
        SeriesListSchema,
        SeriesChangeSchema,
        SERIES_SHAPE,
        page_of(SERIES_SHAPE, SERIES.name),
        reads=LockedReadSchema,
        removes=LockedRemoveSchema,
        order="by start",
        words={
            "read": "Read a series by id.",
            "change": "Change all events of a series; omitted fields stay.",
            "remove": "Move all events of a series to the trash.",
        },
        is_created=False,
    ),
)


@blueprint.route("/series/<digits:id>/events")
class EventsOfSeries(ResourceView):
    @load_record(SERIES)
    @blueprint.arguments(EventsOfSeriesSchema, location="query")
    @blueprint.response(200, EVENTS)
    def get(self, list_request: ListRequest, **_: object) -> Response:
        """List the events of a series, past ones too."""
        series, context = existing(SERIES), current.context()
        password = context.parameters.get("password")
        context.reader.require_readable(SERIES, series, context.caller, password)
        series_id = series["_id"]
        listing = list_request.listing
        own = all_of([listing.clause, equals("series", series_id)])
        narrowed = ListRequest(replace(listing, clause=own), list_request.echoed)
        address = f"series/{series_id}/events"
        return records.answer_list(EVENT, narrowed, present_event, address)


add_history(blueprint, SERIES, SERIES_SHAPE, present_series)
