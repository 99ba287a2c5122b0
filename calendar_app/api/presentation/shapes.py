"""Tables of answers: each field with its type, how it is presented, and what it means."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

JSONObject = dict[str, Any]
# A type of values: ``string``, ``string|null``, ``[members]``, a tuple of all texts that it can
# be, a ``Shape``, or JSON Schema.
Type = Any
S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
# The value of a field that is left out of an object.
ABSENT: Any = object()
_EMPTY = ("", None)


@dataclass(frozen=True, slots=True)
class Field(Generic[S_contra]):
    """A field of objects: its type, its value of a subject, and what it means.

    One that comes ``sometimes`` is left out where its value is ``ABSENT``; one that comes
    ``unless_empty``, where there is nothing in it. One without ``value`` is presented elsewhere.
    """

    type: Type
    value: Callable[[S_contra], Any] = lambda _: ABSENT
    meaning: str = ""
    sometimes: bool = False
    unless_empty: bool = False

    @property
    def absent(self) -> tuple[Any, ...]:
        """The values with which it is left out."""
        return _EMPTY if self.unless_empty else (ABSENT,) if self.sometimes else ()


ShapeFields = Mapping[str, Field[S]]


class Shape(Generic[S]):
    """A kind of object in answers: its name in the OpenAPI document, its fields in their order."""

    def __init__(self, name: str, fields: ShapeFields[S]) -> None:
        self.name = name
        self.fields = fields
        self._values = tuple((name, field.value) for name, field in fields.items())
        self._absent = tuple((name, field.absent) for name, field in fields.items() if field.absent)

    def only(self, names: Iterable[str]) -> "Shape[S]":
        """Return the shape with some of the fields."""
        return Shape(self.name, {name: self.fields[name] for name in names})

    def present(self, subject: S) -> JSONObject:
        """Return the object that shows a subject."""
        body = {name: value(subject) for name, value in self._values}
        for name, values in self._absent:
            if body[name] in values:
                del body[name]
        return body


def either(*types: Type) -> Type:
    return {"anyOf": list(types)}


def by_name(members: Type) -> Type:
    """Return the type of objects with any names."""
    return {"type": "object", "additionalProperties": members}


_COMPONENTS: Mapping[str, JSONObject] = {
    "object": {"type": "object", "additionalProperties": {}},
    "url": {"type": "string", "format": "url"},
    "string|null": {"type": ["string", "null"]},
    "integer|null": {"type": ["integer", "null"]},
    "boolean|null": {"type": ["boolean", "null"]},
}


def schema_of(described: Type, components: JSONObject) -> JSONObject:
    """Return the JSON Schema of a type; those of its shapes go to ``components``."""
    schema: JSONObject
    match described:
        case Shape(name=name):
            if name not in components:
                components[name] = _schema_of_fields(described.fields, components)
            schema = {"$ref": f"#/components/schemas/{name}"}
        case str():
            schema = dict(_COMPONENTS.get(described, {"type": described}))
        case tuple():
            names = ["string", "null"] if None in described else "string"
            schema = {"type": names, "enum": list(described)}
        case [members]:
            schema = {"type": "array", "items": schema_of(members, components)}
        case {"anyOf": types}:
            schema = {"anyOf": [schema_of(each, components) for each in types]}
        case {"additionalProperties": members}:
            schema = {**described, "additionalProperties": schema_of(members, components)}
        case _:
            schema = dict(described)
    return schema


def _schema_of_fields(fields: ShapeFields[Any], components: JSONObject) -> JSONObject:
    properties = {}
    for name, field in fields.items():
        meaning = {"description": field.meaning} if field.meaning else {}
        properties[name] = schema_of(field.type, components) | meaning
    required = sorted(name for name in fields if not fields[name].absent)
    closed = {"type": "object", "additionalProperties": False}
    return {**closed, "properties": properties, "required": required}
