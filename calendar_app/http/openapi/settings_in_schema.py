"""Apply the settings to the parameters and fields of the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from calendar_app.http.openapi.operations import Part
from calendar_app.settings import Settings

_REQUEST_SCHEMAS = ("Change", "Update")


def apply_settings_to_parameter(
    declared: Mapping[str, Any], settings: Settings, *, in_feed: bool
) -> Part:
    """Add the default of a setting, and the comma style of lists."""
    size = settings.feed_limit if in_feed else settings.per_page
    defaults = {"per_page": size, "namespace": settings.namespace}
    schema = dict(declared["schema"])
    if declared["name"] in defaults:
        schema["default"] = defaults[declared["name"]]
    with_commas = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
    return {**declared, "schema": schema, **with_commas}


def apply_settings_to_schema(name: str, declared: Mapping[str, Any], settings: Settings) -> Part:
    """Add the site's languages to the bodies of writes."""
    if not name.endswith(_REQUEST_SCHEMAS):
        return dict(declared)
    languages: Part = {"enum": list(settings.languages)}
    additions: Part = {"variants": {"propertyNames": languages}, "translated_from": languages}
    fields = {
        field: {**schema, **additions.get(field, {})}
        for field, schema in declared["properties"].items()
    }
    return {**declared, "properties": fields}


def linked_schemas() -> Part:
    """Return the schemas of links: an id, or the data of a new record."""
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
