"""Venues and organizers: what may be written of them, their lists, their answers."""

from collections.abc import Mapping
from datetime import UTC, timedelta
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.callers import Right
from calendar_app.api.http.fields.changes import PostSchema
from calendar_app.api.http.fields.linking import Image
from calendar_app.api.http.fields.round_trip import DerivedField
from calendar_app.api.http.fields.scalars import (
    Email,
    LenientBoolean,
    Name,
    Number,
    NumericText,
    StrictBoolean,
    Text,
    Unvalidated,
    Url,
)
from calendar_app.api.http.fields.schema import Values
from calendar_app.api.http.lists.filtering import (
    LinkedToEvent,
    ListSchema,
    ModifiedFilters,
    SearchText,
    StatusFilter,
    by,
    search_in,
)
from calendar_app.api.http.lists.geography import (
    at_location,
    circle_of,
    direction_of,
    distance_shown,
    from_point,
    geo_filters,
    near_clause,
)
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.json_ld import describe_organizer, describe_venue
from calendar_app.api.presentation.linked import (
    ORGANIZER_SHAPE,
    VENUE_SHAPE,
    present_organizer,
    present_venue,
)
from calendar_app.api.resources.resource import Resource, routes_of
from calendar_app.api.resources.uniting import add_union
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import ORGANIZER, VENUE
from calendar_app.domain.kinds.linked import STATE_OR_PROVINCE_OF, state_or_province
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.errors import Message
from calendar_app.storage.query.clauses import EVERYTHING, Clause, all_of, at_least, none_of, one_of
from calendar_app.storage.query.geo import Circle
from calendar_app.storage.query.list_query import AnyOrder, ByDistance

# The reference's orders, which clients' pages depend on. Among records published at one time,
# visitors see the newest first, and editors the unfinished ones.
_NEWEST_FIRST = (("published", -1), ("_id", -1))
_OF_SEVERAL_STATES = (("published", -1), ("status", 1), ("_id", 1))
_DAY = timedelta(days=1)


def list_schema(kind: Kind) -> type[ListSchema]:
    """Return the list parameters of venues, or of organizers."""

    def with_events(has: bool, context: Context) -> Clause:
        ids = context.reader.linked_from_events(kind.name, context.caller, EVERYTHING)
        return one_of("_id", ids) if has else none_of("_id", ids)

    def with_upcoming(upcoming_only: bool, context: Context) -> Clause:
        if not upcoming_only:
            return EVERYTHING
        now = context.now().astimezone(UTC).replace(tzinfo=None)
        # Narrows by the index on local time; no zone is a whole day away from UTC.
        upcoming = all_of([at_least("start_local", now - _DAY), at_least("start", now)])
        ids = context.reader.linked_from_events(kind.name, context.caller, upcoming)
        return one_of("_id", ids)

    class LinkedListSchema(ModifiedFilters, ListSchema):
        search = SearchText(
            metadata=by(search_in(kind), "Words in name, description or other fields.")
        )
        event = LinkedToEvent(
            kind.name, metadata=by(lambda ids, _: one_of("_id", ids), "Linked to this event.")
        )
        has_events = LenientBoolean(metadata=by(with_events, "With events, or without."))
        only_with_upcoming = LenientBoolean(
            metadata={
                **by(with_upcoming, "Only with events that start from now on."),
                "default": False,
            }
        )
        status = StatusFilter()
        password = Unvalidated(description="Unlocks events that this password protects.")

        def sorting(self, values: Record, context: Context) -> AnyOrder:
            """Return the order of a list for the requested states."""
            several = len(values.get("status", ())) != 1 and context.caller.may(Right.EDIT)
            return _OF_SEVERAL_STATES if several else _NEWEST_FIRST

    LinkedListSchema.kind = kind
    return LinkedListSchema


_COORDINATES = ("geo_lat", "geo_lng")


def _text(meaning: str) -> Text:
    return Text(blank=True, allow_none=True, description=meaning)


class VenueChangeSchema(PostSchema):
    """Request body of a venue."""

    kind = VENUE
    derived_fields: ClassVar[Mapping[str, DerivedField]] = MappingProxyType(
        {"stateprovince": DerivedField(STATE_OR_PROVINCE_OF, state_or_province)}
    )
    compared = PostSchema.compared | STATE_OR_PROVINCE_OF

    venue = Name(required=True, description="The name.")
    slug = Text(description="The slug: its name in addresses.")
    description = _text("HTML.")
    address = _text("Street and number.")
    city = _text("City.")
    country = _text("Country.")
    province = _text("Province.")
    state = _text("State.")
    stateprovince = _text("State or province, if neither is sent by itself.")
    zip = NumericText(blank=True, allow_none=True, description="Postal code.")
    phone = Text(blank=True, allow_none=True, description="Phone number.")
    website = Url(allow_none=True, description="An absolute address.")
    image = Image(allow_none=True, description="A picture, by id or address.")
    show_map = StrictBoolean(description="Whether its events show a map.")
    show_map_link = StrictBoolean(description="Whether its events show a link to a map.")
    geo_lat = Number(-POLE, POLE, allow_none=True, description="Latitude, in degrees.")
    geo_lng = Number(
        -ANTIMERIDIAN,
        ANTIMERIDIAN,
        allow_none=True,
        description="Longitude, in degrees.",
    )

    def drop_unchanged(self, body: Values) -> dict[str, Any]:
        """Keep an explicit ``stateprovince`` beside a new province."""
        changed, presented = super().drop_unchanged(body), body.context.presented
        state_province = body.get("stateprovince")
        if not presented or not state_province or STATE_OR_PROVINCE_OF.isdisjoint(changed):
            return changed
        is_own = state_province != state_or_province(presented)
        return changed | ({"stateprovince": state_province} if is_own else {})

    @ma.post_load(pass_original=True)
    def pair_coordinates(self, values: Record, original: Values, **_: Any) -> Record:
        """Combine both coordinates into one point; refuse a single one."""
        sent = {name: values.pop(name) for name in _COORDINATES if name in values}
        if not sent:
            return values
        # An unchanged coordinate was dropped, but belongs to the other.
        presented = original.context.presented or {}
        unchanged = [name for name in _COORDINATES if name in original and name in presented]
        sent = {name: presented[name] for name in unchanged} | sent
        if len(sent) == 1 or (None in sent.values() and set(sent.values()) != {None}):
            lacking = set(_COORDINATES) - {n for n, v in sent.items() if v is not None}
            needed = Message("Both coordinates are needed, or neither.")
            raise ma.ValidationError({name: [needed] for name in sorted(lacking)})
        place = (sent["geo_lat"], sent["geo_lng"])
        return values | {"geo": None if None in place else place}


class OrganizerChangeSchema(PostSchema):
    """Request body of an organizer."""

    kind = ORGANIZER

    organizer = Name(required=True, description="The name.")
    slug = Text(description="The slug: its name in addresses.")
    description = Text(blank=True, allow_none=True, description="HTML.")
    phone = Text(blank=True, allow_none=True, description="Phone number.")
    website = Url(allow_none=True, description="An absolute address.")
    email = Email(allow_none=True, description="E-mail address.")
    image = Image(allow_none=True, description="A picture, by id or address.")


class VenueListSchema(geo_filters(at_location), list_schema(VENUE)):  # type: ignore[misc]  # made
    """The parameters that organizers have too, and the place."""

    orderby = ma.fields.Raw(metadata={"description": "distance, from a point; else ignored."})
    order = ma.fields.Raw(metadata={"description": "asc or desc, of the distance."})

    def clauses(self, values: Record, context: Context) -> dict[str, Clause]:
        clauses: dict[str, Clause] = super().clauses(values, context)
        return clauses | {"geoloc_lat": near_clause(values, at_location, context)}

    def circle(self, values: Record, _context: Context) -> Circle | None:
        return circle_of(values)

    def measured(self, values: Record, _context: Context) -> ByDistance | None:
        return distance_shown(values)

    def sorting(self, values: Record, context: Context) -> AnyOrder:
        """Sort by distance if requested with a point, else by date."""
        nearest = from_point(values, direction_of(values))
        by_distance = values.get("orderby") == "distance"
        return nearest if by_distance and nearest else super().sorting(values, context)


OrganizerListSchema = list_schema(ORGANIZER)

VENUES = Resource(
    VENUE,
    present_venue,
    VenueListSchema,
    VenueChangeSchema,
    VENUE_SHAPE,
    page_of(VENUE_SHAPE, VENUE.name),
    describe_venue,
    slug_rule="<slug>",
    order="the newest first",
)
ORGANIZERS = Resource(
    ORGANIZER,
    present_organizer,
    OrganizerListSchema,
    OrganizerChangeSchema,
    ORGANIZER_SHAPE,
    page_of(ORGANIZER_SHAPE, ORGANIZER.name),
    describe_organizer,
    slug_rule="<slug>",
    order="the newest first",
)

venues = routes_of(VENUES, "Places, with addresses and coordinates")
organizers = routes_of(ORGANIZERS, "People and associations that hold events")
add_union(venues, VENUES)
add_union(organizers, ORGANIZERS)
