"""A table presents answers, and describes them in the OpenAPI document."""

import pytest

from calendar_app.api.presentation.shapes import ABSENT, Field, Shape, by_name, either, schema_of

TOWN = Shape("Town", {"name": Field("string", lambda it: it["town"])})
VISIT = Shape(
    "Visit",
    {
        "town": Field(TOWN, TOWN.present),
        "guests": Field(
            "integer", lambda it: it.get("guests", ABSENT), "How many.", sometimes=True
        ),
        "note": Field("string|null", lambda it: it.get("note"), unless_empty=True),
        "by": Field(("train", "bus"), lambda it: it["by"]),
        "link": Field("url", sometimes=True),
    },
)


@pytest.mark.parametrize(
    ("visit", "expected"),
    [
        (
            {"guests": 0, "note": "!"},
            {"town": {"name": "Chur"}, "guests": 0, "note": "!", "by": "bus"},
        ),
        ({"guests": None}, {"town": {"name": "Chur"}, "guests": None, "by": "bus"}),
        ({"note": ""}, {"town": {"name": "Chur"}, "by": "bus"}),
        ({"note": None}, {"town": {"name": "Chur"}, "by": "bus"}),
        ({"note": 0}, {"town": {"name": "Chur"}, "note": 0, "by": "bus"}),
    ],
)
def test_fields_come_in_their_order_and_absent_ones_are_left_out(visit, expected):
    presented = VISIT.present({"town": "Chur", "by": "bus", **visit})
    assert list(presented.items()) == list(expected.items())


def test_a_presented_field_is_described_with_its_shape():
    components = {}
    assert schema_of(VISIT, components) == {"$ref": "#/components/schemas/Visit"}
    assert components["Town"]["properties"] == {"name": {"type": "string"}}
    assert components["Visit"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "town": {"$ref": "#/components/schemas/Town"},
            "guests": {"type": "integer", "description": "How many."},
            "note": {"type": ["string", "null"]},
            "by": {"type": "string", "enum": ["train", "bus"]},
            "link": {"type": "string", "format": "url"},
        },
        "required": ["by", "town"],
    }


@pytest.mark.parametrize(
    ("notation", "schema"),
    [
        ("number", {"type": "number"}),
        ("boolean|null", {"type": ["boolean", "null"]}),
        ("object", {"type": "object", "additionalProperties": {}}),
        (("a", None), {"type": ["string", "null"], "enum": ["a", None]}),
        (["integer"], {"type": "array", "items": {"type": "integer"}}),
        ({}, {}),
        ({"type": "string", "example": "a"}, {"type": "string", "example": "a"}),
        (
            either(TOWN, "null"),
            {"anyOf": [{"$ref": "#/components/schemas/Town"}, {"type": "null"}]},
        ),
        (
            by_name(["url"]),
            {
                "type": "object",
                "additionalProperties": {
                    "type": "array",
                    "items": {"type": "string", "format": "url"},
                },
            },
        ),
    ],
)
def test_types_are_json_schema_in_short(notation, schema):
    assert schema_of(notation, {}) == schema
