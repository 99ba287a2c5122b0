"""Parameters of the venue list."""

import marshmallow as ma

from calendar_app.domain.kind import Record
from calendar_app.http.lists.geography import (
    at_location,
    direction_of,
    from_point,
    geo_filters,
    near_clause,
)
from calendar_app.http.lists.linked_lists import list_schema, newest_first
from calendar_app.kinds import VENUE
from calendar_app.query.clauses import Clause
from calendar_app.query.list_query import ByDistance, Order


class VenueListSchema(geo_filters(at_location), list_schema(VENUE)):  # type: ignore[misc]  # made
    """The parameters that organizers have too, and the place."""

    orderby = ma.fields.Raw(metadata={"description": "distance, from a point; else ignored."})
    order = ma.fields.Raw(metadata={"description": "asc or desc, of the distance."})

    def combined_clause(self, values: Record) -> Clause:
        return near_clause(values, at_location)

    def sorting(self, values: Record) -> Order | ByDistance:
        """Sort by distance if requested with a point, else by date."""
        nearest = from_point(values, direction_of(values))
        by_distance = values.get("orderby") == "distance"
        return nearest if by_distance and nearest else newest_first(values)
