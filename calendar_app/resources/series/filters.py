"""Parameters of the list of series, and of the events of one."""

import marshmallow as ma

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import (
    Ids,
    ListRequest,
    ListSchema,
    SearchText,
    StatusFilter,
    by,
    only_language,
    search_query,
)
from calendar_app.http.lists.paging import echo
from calendar_app.query.clauses import one_of
from calendar_app.query.list_query import Listing
from calendar_app.resources.events.filters import EventListSchema

_ORDER = (("start_local", 1), ("_id", 1))


class SeriesListSchema(ListSchema):
    """Parameters of the list of series, by start."""

    search = SearchText(description="Words in title, description or excerpt.")
    status = StatusFilter()
    include = Ids(metadata=by(lambda ids: one_of("_id", ids), "Only these."))

    @ma.post_load
    def to_request(self, values: Record, **_: object) -> ListRequest:
        listing = Listing(
            values["window"],
            _ORDER,
            values["clause"],
            values.get("status", ()),
            None,
            search_query(values["search"]) if "search" in values else None,
            only_language(),
        )
        return ListRequest(listing, echo({}, values["window"], with_status=True))


class EventsOfSeriesSchema(EventListSchema):
    """Parameters of the events of one series; past ones are listed too."""

    @staticmethod
    def default_bounds(values: Record) -> Record:
        """Return no window: the whole series is meant."""
        del values
        return {}
