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
        401: "Nobody is signed in where somebody must be, or the credentials are wrong.",
        403: "The caller may not do this, or the record is not for them.",
        404: "There is no such thing.",
        409: "It contradicts what is stored, or somebody else was writing the same.",
        410: "The record is in the trash already.",
        412: "It has changed since it was read, so `If-Match` does not hold.",
        413: "The body is too large.",
        415: "The body is of a kind that is not read here.",
        422: "Another request had the same `Idempotency-Key`.",
        429: "There were too many wrong secrets, or too many requests.",
        500: "A defect of the service; the log knows it by `data.request_id`.",
        503: "The database is away or too slow.",
    }
)
_RETRY_AFTER: OperationPart = {
    "Retry-After": {"description": "In how many seconds.", "schema": {"type": "integer"}}
}
_CHALLENGE: OperationPart = {
    "WWW-Authenticate": {"description": "How to sign in.", "schema": {"type": "string"}}
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
            "The only fields to answer with, with dots between levels. Others are left out: the "
            "answer is then the schema with `Selection` at its end, which requires none.",
            items={"type": "string"},
        ),
        "if_none_match": _condition_header(
            "If-None-Match", "The `ETag` of an answer that the client has; 304 if it still holds."
        ),
        "if_match": _condition_header(
            "If-Match", "The `ETag` of what was read; 412 if it has changed since."
        ),
        "idempotency_key": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Chosen by the client; what is sent again with it is done once.",
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
            "The languages of texts that this one lacks, best first; `none` alone for no other "
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
    location = {"description": "Where the record is now.", "schema": {"type": "string"}}
    keeping = {"description": "It is to be asked for again.", "schema": {"type": "string"}}
    headers = {"Location": location, "Cache-Control": keeping}
    return {"description": "The record has another slug by now.", "headers": headers}


def not_modified_response() -> OperationPart:
    """Return the response 304."""
    return {"description": "What the client has is still right.", "headers": etag_header()}


def etag_header() -> OperationPart:
    """Return the header ``ETag``."""
    return {"ETag": {"description": "Stands for all that is shown.", "schema": {"type": "string"}}}


def feed_headers() -> OperationPart:
    """Return the headers of a feed; the latter two if it is truncated."""
    meanings = {
        "Content-Disposition": "What to call a file of it.",
        "Link": 'With `rel="next"` the address of the events that it does not hold.',
    }
    truncated = {"description": "How many events it holds.", "schema": {"type": "integer"}}
    headers = {
        name: {"description": meaning, "schema": {"type": "string"}}
        for name, meaning in meanings.items()
    }
    return headers | {"X-Feed-Truncated": truncated}


def total_headers() -> OperationPart:
    """Return the total headers of a list."""
    meanings = {"Total": "How many records there are.", "TotalPages": "How many pages there are."}
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
        "slug": {**text, "description": "The name in addresses."},
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
    if isinstance(part, dict) and isinstance(part.get("$ref"), str):
        yield part["$ref"]
    for member in part.values() if isinstance(part, dict) else part:
        if isinstance(member, dict | list):
            yield from _references(member)


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
