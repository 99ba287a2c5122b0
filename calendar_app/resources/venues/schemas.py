"""Request and response schemas of venues."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.domain.kind import Record
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.errors import Message
from calendar_app.http.fields.linking import Image
from calendar_app.http.fields.posts import PostSchema
from calendar_app.http.fields.round_trip import DerivedField
from calendar_app.http.fields.scalars import Name, Number, NumericText, StrictBoolean, Text
from calendar_app.http.fields.urls import Url
from calendar_app.http.presentation.shapes import PageShape, PostShape
from calendar_app.http.request import current
from calendar_app.kinds import VENUE
from calendar_app.kinds.linked import STATE_OR_PROVINCE_OF, state_or_province
from calendar_app.resources.media.schemas import ImageSchema

_COORDINATES = ("geo_lat", "geo_lng")


def _text(meaning: str) -> Text:
    return Text(blank=True, allow_none=True, description=meaning)


class VenueChangeSchema(PostSchema):
    """Request body of a venue."""

    kind = VENUE
    derived_fields: ClassVar[Mapping[str, DerivedField]] = MappingProxyType(
        {"stateprovince": DerivedField(STATE_OR_PROVINCE_OF, state_or_province)}
    )

    venue = Name(required=True, description="The name.")
    slug = Text(description="The name in addresses.")
    description = _text("HTML.")
    address = _text("Street and number.")
    city = _text("City.")
    country = _text("Country.")
    province = _text("Province.")
    state = _text("State.")
    stateprovince = _text("State or province; shown as one of them where it is not sent.")
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

    def drop_unchanged(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Keep an explicit ``stateprovince`` beside a new province."""
        changed = super().drop_unchanged(body)
        _, presented = current.target_record()
        state_province = body.get("stateprovince")
        if not presented or not state_province or STATE_OR_PROVINCE_OF.isdisjoint(changed):
            return changed
        is_own = state_province != state_or_province(presented)
        return changed | ({"stateprovince": state_province} if is_own else {})

    @ma.post_load(pass_original=True)
    def pair_coordinates(self, values: Record, original: Mapping[str, Any], **_: Any) -> Record:
        """Combine both coordinates into one point; refuse a single one."""
        sent = {name: values.pop(name) for name in _COORDINATES if name in values}
        if not sent:
            return values
        # An unchanged coordinate was dropped, but belongs to the other.
        _, presented = current.target_record()
        unchanged = [
            name for name in _COORDINATES if name in original and name in (presented or {})
        ]
        sent = {name: presented[name] for name in unchanged} | sent
        if len(sent) == 1 or (None in sent.values() and set(sent.values()) != {None}):
            lacking = set(_COORDINATES) - {n for n, v in sent.items() if v is not None}
            needed = Message("Both coordinates are needed, or neither.")
            raise ma.ValidationError({name: [needed] for name in sorted(lacking)})
        place = (sent["geo_lat"], sent["geo_lng"])
        return values | {"geo": None if None in place else place}


class VenueSchema(PostShape):
    """Response body of a venue; empty fields are omitted."""

    sometimes: ClassVar[Collection[str]] = (
        *PostShape.sometimes,
        *("description", "address", "city", "country", "province", "state", "zip", "phone"),
        *("website", "stateprovince", "geo_lat", "geo_lng", "image", "distance"),
    )

    venue = ma.fields.String()
    address = ma.fields.String()
    city = ma.fields.String()
    country = ma.fields.String()
    province = ma.fields.String()
    state = ma.fields.String()
    zip = ma.fields.String()
    phone = ma.fields.String()
    website = ma.fields.String()
    stateprovince = ma.fields.String()
    geo_lat = ma.fields.Float()
    geo_lng = ma.fields.Float()
    image = ma.fields.Nested(ImageSchema)
    show_map = ma.fields.Boolean()
    show_map_link = ma.fields.Boolean()
    distance = ma.fields.Float(metadata={"description": "Kilometres from the point asked for."})


class VenuePageSchema(PageShape):
    venues = ma.fields.List(ma.fields.Nested(VenueSchema))
