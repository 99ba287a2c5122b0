"""Print the types of records as the OpenAPI document of a calendar describes them."""

import json
import sys
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_RECORDS = ("Event", "Venue", "Organizer", "Category", "Tag")
_SCHEMAS = "#/components/schemas/"
_SIMPLE = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
_HEAD = '''"""The records of a calendar; made by ``scripts/typed_records.py``, not to be edited."""

from typing import Any, Literal, NotRequired, TypedDict
'''


def main() -> None:
    """Read the document from the standard input."""
    schemas = json.load(sys.stdin)["components"]["schemas"]
    names: list[str] = []
    for name in _RECORDS:
        if name not in names:
            _collect(name, schemas, names)
    print(_HEAD, *(_record(name, schemas[name]) for name in names), sep="\n\n")  # noqa: T201


def _collect(name: str, schemas: Mapping[str, Schema], names: list[str]) -> None:
    """Add a schema to the names, behind all that it refers to."""
    for other in _references(schemas[name]):
        if other not in names:
            _collect(other, schemas, names)
    names.append(name)


def _references(part: Any) -> list[str]:
    if isinstance(part, Mapping):
        own = [part["$ref"].removeprefix(_SCHEMAS)] if "$ref" in part else []
        return own + [name for member in part.values() for name in _references(member)]
    return (
        [name for member in part for name in _references(member)] if isinstance(part, list) else []
    )


def _record(name: str, schema: Schema) -> str:
    fields = {field: _field(field, schema) for field in schema["properties"]}
    if all(field.isidentifier() for field in fields):
        lines = [f"    {field}: {type_}" for field, type_ in fields.items()]
        return "\n".join([f"class {name}(TypedDict):", *lines, ""])
    members = ", ".join(f"{field!r}: {type_}" for field, type_ in fields.items())
    return f"{name} = TypedDict({name!r}, {{{members}}})\n"


def _field(field: str, schema: Schema) -> str:
    type_ = _type(schema["properties"][field])
    return type_ if field in schema["required"] else f"NotRequired[{type_}]"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(_SCHEMAS)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if "enum" in schema:
        words = ", ".join(repr(word) for word in schema["enum"] if word is not None)
        return f"Literal[{words}]" + (" | None" if None in schema["enum"] else "")
    types = schema.get("type", "object")
    return " | ".join(
        _named(name, schema) for name in ([types] if isinstance(types, str) else types)
    )


def _named(name: str, schema: Schema) -> str:
    if name == "array":
        return f"list[{_type(schema.get('items', {}))}]"
    if name == "object":
        return (
            f"dict[str, {_type(others)}]"
            if (others := schema.get("additionalProperties"))
            else "Any"
        )
    return _SIMPLE[name]


if __name__ == "__main__":
    main()
