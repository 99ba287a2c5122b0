"""Parts that the operations of the OpenAPI document share, and the settings in its schemas."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.api.http.answers.answering import JSON
from calendar_app.settings import Settings

OperationPart = dict[str, Any]

SECURITY_SCHEMES: OperationPart = {
    "basic": {
        "type": "http",
        "scheme": "basic",
        "description": "The name of a user and an application password.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An application password.",
    },
}

HTML = "text/html"
METHODS = ("get", "delete", "post", "put", "patch")
# The names of the common parameters that reads and writes take.
READING = ("language", "fallback", "fields", "if_none_match", "if_match")
FEEDING = ("language", "fallback", "if_none_match", "if_match")
WRITING = ("written_language", "fallback", "fields", "idempotency_key")
CHANGING = (*WRITING, "if_match")

_ERRORS: Mapping[int, str] = MappingProxyType(
    {
        400: "A parameter is missing or wrong, or the body cannot be read; "
        "`data.params` names the parameters.",
        401: "Authentication is required, or the credentials are wrong.",
        403: "The caller lacks permission.",
        404: "The record or route does not exist.",
        409: "It conflicts with what is stored, or with a concurrent write.",
        410: "The record is in the trash already.",
        412: "It has changed since it was read, so `If-Match` does not hold.",
        413: "The body is too large.",
        415: "The media type of the body is not supported.",
        422: "Another request had the same `Idempotency-Key`.",
        429: "Too many wrong secrets, or too many requests.",
        500: "An error of the service; `data.request_id` identifies it in the log.",
        503: "The database is unavailable or too slow.",
    }
)
_RETRY_AFTER: OperationPart = {
    "Retry-After": {"description": "Seconds until the next attempt.", "schema": {"type": "integer"}}
}
_CHALLENGE: OperationPart = {
    "WWW-Authenticate": {"description": "The way to authenticate.", "schema": {"type": "string"}}
}
_HEADERS: Mapping[int, OperationPart] = MappingProxyType(
    {401: _CHALLENGE, 429: _RETRY_AFTER, 503: _RETRY_AFTER}
)


def common_parameters(settings: Settings) -> OperationPart:
    """Return the parameters of every operation."""
    return {
        **_language_parameters(settings),
        "fields": _list_parameter(
            "_fields",
            "The fields to return, with dots between levels; all others are left out. The answer "
            "then has the schema whose name ends in `Selection`, which requires no field.",
            items={"type": "string"},
        ),
        "if_none_match": _condition_header(
            "If-None-Match",
            "The `ETag` of the client's copy; the answer is 304 if it is still current.",
        ),
        "if_match": _condition_header(
            "If-Match",
            "The `ETag` of the version that was read; 412 if the record has changed since.",
        ),
        "idempotency_key": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A key of the client: a request repeated with it is done once.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        },
    }


def _language_parameters(settings: Settings) -> OperationPart:
    languages = list(settings.languages)
    return {
        "language": _enum_parameter(
            settings.translation_parameter,
            "The language to read; `all` adds what is written in every language as `variants`.",
            [*languages, "all"],
        ),
        "written_language": _enum_parameter(
            settings.translation_parameter, "The language that the texts are in.", languages
        ),
        "fallback": _list_parameter(
            "fallback",
            "The languages that stand in for missing texts, best first; `none` alone for no other "
            "language.",
            items={"type": "string", "enum": [*languages, "none"]},
        ),
    }


def error_responses() -> OperationPart:
    """Return the error responses by status."""
    schema = {"$ref": "#/components/schemas/Error"}
    return {
        str(status): {
            "description": description,
            "headers": dict(_HEADERS.get(status, {})),
            "content": {JSON: {"schema": schema}},
        }
        for status, description in _ERRORS.items()
    }


def redirect_response() -> OperationPart:
    """Return the response for a former slug."""
    location = {"description": "The current address of the record.", "schema": {"type": "string"}}
    keeping = {"description": "Request it again.", "schema": {"type": "string"}}
    headers = {"Location": location, "Cache-Control": keeping}
    return {"description": "The record has a new slug.", "headers": headers}


def not_modified_response() -> OperationPart:
    """Return the response 304."""
    return {"description": "The client's copy is still current.", "headers": etag_header()}


def etag_header() -> OperationPart:
    """Return the header ``ETag``."""
    return {
        "ETag": {"description": "Identifies the response as a whole.", "schema": {"type": "string"}}
    }


def feed_headers() -> OperationPart:
    """Return the headers of a feed; the latter two if it is truncated."""
    meanings = {
        "Content-Disposition": "A suggested file name.",
        "Link": 'With `rel="next"`: the address of the next events, where it does not hold all.',
    }
    truncated = {"description": "The number of events in it.", "schema": {"type": "integer"}}
    headers = {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in meanings.items()
    }
    return headers | {"X-Feed-Truncated": truncated}


def total_headers() -> OperationPart:
    """Return the total headers of a list."""
    meanings = {"Total": "The number of matching records.", "TotalPages": "The number of pages."}
    return {
        f"X-{origin}-{name}": {"description": meaning, "schema": {"type": "integer"}}
        for origin in ("TEC", "WP")
        for name, meaning in meanings.items()
    }


def _enum_parameter(name: str, description: str, values: list[str]) -> OperationPart:
    """Return a parameter with one of these values."""
    return {
        "name": name,
        "in": "query",
        "description": description,
        "schema": {"type": "string", "enum": values},
    }


def _list_parameter(name: str, description: str, **members: Any) -> OperationPart:
    """Return a parameter with comma-separated values."""
    return {
        "name": name,
        "in": "query",
        "description": description,
        "schema": {"type": "array", **members},
        "style": "form",
        "explode": False,
    }


def _condition_header(name: str, description: str) -> OperationPart:
    return {"name": name, "in": "header", "description": description, "schema": {"type": "string"}}


_REQUEST_SCHEMAS = ("Change", "Update")


def apply_settings_to_parameter(
    declared: Mapping[str, Any], settings: Settings, *, in_feed: bool
) -> OperationPart:
    """Add the default of a setting, and the comma style of lists."""
    size = settings.feed_limit if in_feed else settings.per_page
    defaults = {"per_page": size, "namespace": settings.namespace}
    schema = dict(declared["schema"])
    if declared["name"] in defaults:
        schema["default"] = defaults[declared["name"]]
    with_commas = {"style": "form", "explode": False} if schema.get("type") == "array" else {}
    return {**declared, "schema": schema, **with_commas}


def apply_settings_to_schema(
    name: str, declared: Mapping[str, Any], settings: Settings
) -> OperationPart:
    """Add the site's languages to the bodies of writes."""
    if not name.endswith(_REQUEST_SCHEMAS):
        return dict(declared)
    languages: OperationPart = {"enum": list(settings.languages)}
    additions: OperationPart = {
        "variants": {"propertyNames": languages},
        "translated_from": languages,
    }
    fields = {
        field: {**schema, **additions.get(field, {})}
        for field, schema in declared["properties"].items()
    }
    return {**declared, "properties": fields}


def linked_schemas() -> OperationPart:
    """Return the schemas of links: an id, or the data of a new record."""
    number: OperationPart = {
        "type": ["integer", "string"],
        "description": "Of a record that exists.",
    }
    text: OperationPart = {"type": "string"}
    posts = {
        f"Linked{kind}": {
            "allOf": [
                {"$ref": f"#/components/schemas/{kind}Update"},
                {"type": "object", "properties": {"id": number}},
            ]
        }
        for kind in ("Venue", "Organizer")
    }
    names = {
        "name": {**text, "description": "The name; one that does not exist is created."},
        "slug": {**text, "description": "The slug: its name in addresses."},
    }
    term = {"type": "object", "properties": {"id": number, **names}}
    return {**posts, "LinkedTerm": term}


_SCHEMAS = "#/components/schemas/"
_SUFFIX = "Selection"


def or_selection(response: Mapping[str, Any]) -> OperationPart:
    """Return a response that may also hold only the fields that ``_fields`` names."""
    content = response.get("content", {})
    schema = content.get(JSON, {}).get("schema", {})
    if "$ref" not in schema:
        return dict(response)
    media = {**content[JSON], "schema": {"anyOf": [schema, _selection(schema)]}}
    return {**response, "content": {**content, JSON: media}}


def selections(paths: OperationPart, schemas: OperationPart) -> OperationPart:
    """Return the schemas of the selections that paths refer to, at any depth."""
    names: set[str] = set()
    for reference in _references(paths):
        if reference.endswith(_SUFFIX):
            _collect(reference.removesuffix(_SUFFIX), schemas, names)
    return {f"{name}{_SUFFIX}": _selection(schemas[name]) for name in sorted(names)}


def _collect(reference: str, schemas: OperationPart, names: set[str]) -> None:
    """Add the name of a schema, and those of all schemas that it refers to."""
    name = reference.removeprefix(_SCHEMAS)
    if name not in names:
        names.add(name)
        for below in _references(schemas[name]):
            _collect(below, schemas, names)


def _references(part: Any) -> Iterator[str]:
    pending = [part]
    while pending:
        part = pending.pop()
        if isinstance(part, dict) and isinstance(part.get("$ref"), str):
            yield part["$ref"]
        members = part.values() if isinstance(part, dict) else part
        pending.extend(member for member in members if isinstance(member, dict | list))


def _selection(part: Any) -> Any:
    """Return a schema of which nothing is required, nor in the schemas that it refers to."""
    match part:
        case {"$ref": str(address)}:
            return {**part, "$ref": f"{address}{_SUFFIX}"}
        case dict():
            return {
                name: _selection(member)
                for name, member in part.items()
                if not (name == "required" and isinstance(member, list))
            }
        case list():
            return [_selection(member) for member in part]
        case _:
            return part
