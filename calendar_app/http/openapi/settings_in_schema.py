"""Apply the settings to the parameters and fields of the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from calendar_app.http.openapi.operations import Part
from calendar_app.settings import Settings

_WRITTEN = ("Change", "Update")
_ERRORS = ("Error", "ErrorData")


def settled_parameter(gathered: Mapping[str, Any], settings: Settings, *, in_feed: bool) -> Part:
    """Add the default that a setting gives, and that lists are written with commas."""
    size = settings.feed_limit if in_feed else settings.per_page
    defaults = {"per_page": size, "namespace": settings.namespace}
    schema = dict(gathered["schema"])
    if gathered["name"] in defaults:
        schema["default"] = defaults[gathered["name"]]
    with_commas = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
    return {**gathered, "schema": schema, **with_commas}


def settled_schema(name: str, gathered: Mapping[str, Any], settings: Settings) -> Part:
    """Add the languages of the site to bodies; let ``_fields`` remove any member of an answer."""
    if name in _ERRORS:
        return dict(gathered)
    if not name.endswith(_WRITTEN):
        return {keyword: value for keyword, value in gathered.items() if keyword != "required"}
    languages: Part = {"enum": list(settings.languages)}
    known: Part = {"variants": {"propertyNames": languages}, "translated_from": languages}
    fields = {
        field: {**schema, **known.get(field, {})}
        for field, schema in gathered["properties"].items()
    }
    return {**gathered, "properties": fields}


def linked_schemas() -> Part:
    """Return the objects that a link may be: a record by its id, or the data of a new one."""
    number: Part = {"type": ["integer", "string"], "description": "Of a record that exists."}
    text: Part = {"type": "string"}
    posts = {
        f"Linked{kind}": {
            "allOf": [
                {"$ref": f"#/components/schemas/{kind}Update"},
                {"type": "object", "properties": {"id": number}},
            ]
        }
        for kind in ("Venue", "Organizer")
    }
    term = {"type": "object", "properties": {"id": number, "name": text, "slug": text}}
    return {**posts, "LinkedTerm": term}
