"""A parameter of a list finds no locked event unless it is declared to."""

import marshmallow as ma
import pytest

from calendar_app.api.http.fields.scalars import Flag
from calendar_app.api.http.lists.filtering import by
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.storage.query.clauses import equals

FEATURED = by(lambda flag, _: equals("featured", flag), "Featured ones, or others.")


class _ExtendedSchema(EventListSchema):
    without_declaration = Flag(metadata=FEATURED)
    foreign = ma.fields.Raw()
    declared = Flag(metadata=FEATURED, finds_locked=True)


@pytest.mark.parametrize(
    ("parameters", "finds"),
    [
        ([], True),
        (["page", "per_page", "start_date", "search", "include", "order"], True),
        (["declared", "page"], True),
        (["without_declaration"], False),
        (["foreign"], False),
        (["declared", "without_declaration"], False),
        (["geoloc_lat", "geoloc_lng"], False),
        (["first_in_series"], False),
        (["translation_origin"], False),
    ],
)
def test_new_parameter_finds_no_locked_event_unless_declared(parameters, finds):
    assert _ExtendedSchema().find_locked(dict.fromkeys(parameters, True)) is finds
