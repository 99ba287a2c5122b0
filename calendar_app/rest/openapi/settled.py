"""What the OpenAPI document says of parameters and fields according to the settings."""

from collections.abc import Mapping
from typing import Any

from calendar_app.rest.openapi.documented import Part
from calendar_app.settings import Settings

_NEW, _CHANGED = "Change", "Update"


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
    """Add the languages of the site to what is sent; what changes a record has no defaults."""
    if not name.endswith((_NEW, _CHANGED)):
        return dict(gathered)
    languages: Part = {"enum": list(settings.languages)}
    known: Part = {"variants": {"propertyNames": languages}, "translated_from": languages}
    fields: dict[str, Part] = {
        field: {**said, **known.get(field, {})} for field, said in gathered["properties"].items()
    }
    if name.endswith(_CHANGED):
        for said in fields.values():
            said.pop("default", None)
    return {**gathered, "properties": fields}
