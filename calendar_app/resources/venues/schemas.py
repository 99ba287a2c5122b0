"""The shapes of a venue on the wire."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.domain.degrees import ANTIMERIDIAN, POLE
from calendar_app.domain.kind import Record
from calendar_app.errors import Message
from calendar_app.http.fields.changes import PostSchema
from calendar_app.http.fields.linking import Image
from calendar_app.http.fields.round_trip import Following
from calendar_app.http.fields.scalars import Name, Number, NumericText, Text, WrittenSwitch
from calendar_app.http.fields.urls import Url
from calendar_app.http.presentation.shapes import PageShape, PostShape
from calendar_app.http.request import current
from calendar_app.resources.media.schemas import ImageSchema
from calendar_app.resources.venues.kind import STATE_OR_PROVINCE_OF, VENUE, state_or_province

_COORDINATES = ("geo_lat", "geo_lng")


def _text(meaning: str) -> Text:
    return Text(blank=True, allow_none=True, metadata={"description": meaning})


class VenueChangeSchema(PostSchema):
    """What a client sends."""

    kind = VENUE
    following: ClassVar[Mapping[str, Following]] = MappingProxyType(
        {"stateprovince": Following(STATE_OR_PROVINCE_OF, state_or_province)}
    )

    venue = Name(required=True, metadata={"description": "The name."})
    slug = Text(metadata={"description": "The name in addresses."})
    description = _text("HTML.")
    address = _text("Street and number.")
    city = _text("City.")
    country = _text("Country.")
    province = _text("Province.")
    state = _text("State.")
    stateprovince = _text("State or province; shown as one of them where it is not sent.")
    zip = NumericText(blank=True, allow_none=True, metadata={"description": "Postal code."})
    phone = Text(blank=True, allow_none=True, metadata={"description": "Phone number."})
    website = Url(allow_none=True, metadata={"description": "An absolute address."})
    image = Image(allow_none=True, metadata={"description": "A picture, by id or address."})
    show_map = WrittenSwitch(metadata={"description": "Whether its events show a map."})
    show_map_link = WrittenSwitch(
        metadata={"description": "Whether its events show a link to a map."}
    )
    geo_lat = Number(
        -POLE, POLE, allow_none=True, metadata={"description": "Latitude, in degrees."}
    )
    geo_lng = Number(
        -ANTIMERIDIAN,
        ANTIMERIDIAN,
        allow_none=True,
        metadata={"description": "Longitude, in degrees."},
    )

    def beside_the_shown(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Let a ``stateprovince`` of its own stay that is sent back beside a new province."""
        left = super().beside_the_shown(sent)
        _, shown = current.addressed()
        told = sent.get("stateprovince")
        if not shown or not told or STATE_OR_PROVINCE_OF.isdisjoint(left):
            return left
        own = told != state_or_province(shown)
        return left | ({"stateprovince": told} if own else {})

    @ma.post_load(pass_original=True)
    def pair_coordinates(self, values: Record, original: Mapping[str, Any], **_: Any) -> Record:
        """Take both coordinates as one place; one alone is refused."""
        sent = {name: values.pop(name) for name in _COORDINATES if name in values}
        if not sent:
            return values
        # The one that stays was left out as not sent, but it belongs to the other.
        _, shown = current.addressed()
        stays = [name for name in _COORDINATES if name in original and name in (shown or {})]
        sent = {name: shown[name] for name in stays} | sent
        if len(sent) == 1 or (None in sent.values() and set(sent.values()) != {None}):
            lacking = set(_COORDINATES) - {n for n, v in sent.items() if v is not None}
            needed = Message("Both coordinates are needed, or neither.")
            raise ma.ValidationError({name: [needed] for name in sorted(lacking)})
        place = (sent["geo_lat"], sent["geo_lng"])
        return values | {"geo": None if None in place else place}


class VenueSchema(PostShape):
    """What a client receives; what is empty is left out."""

    venue = ma.fields.String(required=True)
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
    show_map = ma.fields.Boolean(required=True)
    show_map_link = ma.fields.Boolean(required=True)
    distance = ma.fields.Float(metadata={"description": "Kilometres from the point asked for."})


class VenuePageSchema(PageShape):
    venues = ma.fields.List(ma.fields.Nested(VenueSchema), required=True)
