"""Parameters are read in two steps: the shape of all, then the records that they name."""

from types import SimpleNamespace

import marshmallow as ma
import pytest

from calendar_app.api.http.errors.problems import refuse_unknown
from calendar_app.api.http.fields.scalars import PositiveInteger
from calendar_app.api.http.fields.schema import NamesRecords, RequestSchema, Values


class Shelf(PositiveInteger, NamesRecords):
    """The number of a shelf."""

    def linked_ids(self, value):
        return {self.name: {value}}

    def resolve(self, value, context):
        context.asked.append(self.name)
        if value not in context.shelves:
            refuse_unknown("shelf", value)
        return context.shelves[value]


class Subject(NamesRecords):
    """The name of a subject."""

    def named_terms(self, value):
        return {self.name: [value]}

    def resolve(self, value, _context):
        return value


class BookSchema(RequestSchema):
    upper = Shelf()
    pages = PositiveInteger()
    words = Subject()
    lower = Shelf(attribute="below", allow_none=True)


@pytest.fixture
def library():
    together = []
    return SimpleNamespace(
        shelves={1: "poems", 2: "maps"},
        asked=[],
        together=together,
        read_linked=lambda ids, terms: together.append((ids, terms)),
    )


def reasons(sent, library):
    with pytest.raises(ma.ValidationError) as refused:
        BookSchema().load(Values(sent, library))
    return {name: str(reason[0]) for name, reason in refused.value.messages_dict.items()}


def test_names_stand_for_what_is_found(library):
    sent = {"upper": "1", "pages": "12", "lower": 2}
    loaded = BookSchema().load(Values(sent, library))
    assert loaded == {"upper": "poems", "pages": 12, "below": "maps"}


def test_records_that_are_read_whole_are_asked_for_together(library):
    BookSchema().load(Values({"upper": 1, "lower": 2, "words": "sea"}, library))
    assert library.together == [({"upper": {1}, "lower": {2}}, {"words": ["sea"]})]


def test_nothing_is_looked_up_for_a_name_of_the_wrong_shape(library):
    assert reasons({"upper": "poems"}, library) == {
        "upper": "upper must be a whole number above 0."
    }
    assert library.asked == []


def test_nothing_is_looked_up_for_null(library):
    assert BookSchema().load(Values({"lower": None}, library)) == {"below": None}
    assert library.asked == []


def test_unknown_names_are_reported_beside_wrong_shapes_in_the_order_of_the_fields(library):
    assert list(reasons({"lower": 9, "pages": "many", "upper": 8}, library)) == [
        "upper",
        "pages",
        "lower",
    ]


def test_one_parameter_can_be_read_alone(library):
    schema = BookSchema()
    assert schema.value_of("lower", Values({"lower": "2"}, library)) == "maps"
    assert schema.value_of("pages", Values({"pages": "2"}, library)) == 2
