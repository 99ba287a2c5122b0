"""The OpenAPI document: the declarations of the routes, with common parts added."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import metadata
from typing import Any

from calendar_app.api.http.openapi.examples import add_examples
from calendar_app.api.http.openapi.groups import (
    ADMINISTRATION,
    EDITING,
    PUBLIC,
    grouped,
    shown_tag,
)
from calendar_app.api.http.openapi.operations import (
    CHANGING,
    FEEDING,
    METHODS,
    READING,
    SECURITY_SCHEMES,
    WRITING,
    apply_settings_to_parameter,
    apply_settings_to_schema,
    common_parameters,
    error_responses,
    etag_header,
    feed_headers,
    linked_schemas,
    not_modified_response,
    or_selection,
    redirect_response,
    selections,
    total_headers,
)
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

Document = dict[str, Any]

_WITH_BODY = ("post", "put", "patch")
_SIGNED_IN: list[Document] = [{"basic": []}, {"bearer": []}]
_ANYBODY: list[Document] = [{}, *_SIGNED_IN]
# Writes that need no account.
_OPEN_WRITES = (
    *("/submissions", "/submissions/sent", "/submissions/sent/answer"),
    "/events/{id}/mistakes",
)
# Of ours, of plugins, and of all records.
_FEEDS = ("feeds", "further feeds", "open data")
_WITH_STATUS = ("events", "series", *_FEEDS, "venues", "organizers")
# Only some callers may read them. Answers of users may hold links that are shown once, those of
# sources and webhooks change while they are read: none is kept.
_MANAGED = ("users", "sources", "doubles", "push", "webhooks")
_FOR_USERS = (*_MANAGED, "translations")
_LISTS_OF_ONE = (
    *("/history", "/readings", "/readings/{reading}", "/register", "/doubles"),
    "/deliveries",
)
_EVENTS_OF_SERIES = "/series/{id}/events"
_DESCRIPTIONS = {
    "list": "Returns one page, with the total and the addresses of the next and previous pages. "
    "A record must pass every filter that is sent.",
    "feed": "Returns a feed to subscribe to, with the same filters as the list of events.",
    "read": "Answers in the language of the request; a text that it lacks comes from the next "
    "language of the fallback chain. With `Accept: application/ld+json` a record of the calendar "
    "comes in the vocabulary of schema.org.",
    "describe": "Describes the interface to programs. Browsers, which prefer `text/html`, get "
    "the documentation as a page.",
    "create": "Takes the texts in the language of the request, those of other languages in "
    "`variants`. Linked records may be ids, or the data of new records.",
    "change": "Changes the fields that are sent; the others stay. POST, PUT and PATCH do the "
    "same. An answer can be sent back as it is, and changes nothing.",
    "trash": "Moves the record to the trash; with `force` it is deleted for good. With "
    "`translation_only` it loses one language.",
    "delete": "Deletes the record for good. With `translation_only` it loses one language.",
}
_ABOUT = (
    "Events, venues, organizers, categories and tags, each in several languages: read, "
    "searched and written. POST, PUT and PATCH on a record are one operation: what is not "
    "sent stays as it is. Bodies are JSON; the same fields may come as a form "
    "(application/x-www-form-urlencoded or multipart/form-data) or in the query. "
    "Fields that are only read are ignored when they are sent back."
)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its path below the base, its method, and its tag."""

    path: str
    method: str
    tag: str

    @property
    def is_single_record(self) -> bool:
        return "{" in self.path

    @property
    def is_read(self) -> bool:
        return self.method == "get"

    @property
    def is_history(self) -> bool:
        return "/history" in self.path

    @property
    def is_for_anybody(self) -> bool:
        is_open_read = self.is_read and self.tag not in _FOR_USERS and not self.is_history
        return is_open_read or self.path in _OPEN_WRITES

    @property
    def group(self) -> str:
        """Return the group of those who need it."""
        if self.is_for_anybody:
            return PUBLIC
        return ADMINISTRATION if self.tag in _MANAGED else EDITING

    @property
    def shown_tag(self) -> str:
        return shown_tag(self.tag, self.group)

    @property
    def is_list(self) -> bool:
        is_collection = self.path in (f"/{self.tag}", _EVENTS_OF_SERIES) or (
            self.path.endswith(_LISTS_OF_ONE)
        )
        return self.is_read and is_collection and self.tag not in ("changes", "doc")

    @property
    def is_feed(self) -> bool:
        return self.tag in _FEEDS

    @property
    def action(self) -> str:
        """Return the key of the description."""
        if self.method in _WITH_BODY:
            return "change" if self.is_single_record else "create"
        if self.method == "delete":
            return "trash" if self.tag in _WITH_STATUS else "delete"
        if self.is_feed:
            return "feed"
        return "list" if self.is_list else "read" if self.is_single_record else "describe"

    @property
    def identity(self) -> str:
        """Return a unique operation id: ``getEventsById``."""
        words = re.split(r"\W+", self.path.replace("{id}", "by-id").replace("{slug}", ""))
        return self.method + ("".join(word.capitalize() for word in words) or "Index")


def base_path(settings: Settings) -> str:
    return f"{settings.api_prefix}/{settings.namespace}"


def path_of(rule: str, settings: Settings) -> str:
    """Return a Flask rule as an OpenAPI path."""
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule).removeprefix(base_path(settings))
    return path.rstrip("/") or "/"


def complete(declared: Mapping[str, Any], settings: Settings) -> Document:
    """Return the whole document; its paths are relative to the base.

    Raises ``ConfigurationError`` if a setting names an existing parameter.
    """
    _require_free_name(declared["paths"].values(), settings)
    paths = {
        path_of(path, settings): _path_item(path_of(path, settings), item, settings)
        for path, item in declared["paths"].items()
    }
    document = {
        "openapi": declared["openapi"],
        "info": {
            **declared["info"],
            "title": settings.site_name,
            "description": _ABOUT,
            "contact": {"name": settings.site_name},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{settings.site_url.rstrip('/')}{base_path(settings)}/"}],
        **external_documentation(metadata("calendar-app").get_all("Project-URL", ())),
        **grouped(declared["tags"], _groups(declared["paths"], settings)),
        "paths": paths,
        "components": _components(declared["components"]["schemas"], paths, settings),
    }
    return add_examples(document, settings)


def external_documentation(project_urls: Iterable[str]) -> Document:
    """Return ``externalDocs`` for a package's ``Label, URL`` pairs; empty without documentation."""
    addresses = dict(pair.split(", ", 1) for pair in project_urls)
    address = addresses.get("Documentation")
    return {"externalDocs": {"url": address}} if address else {}


def _groups(declared: Mapping[str, Any], settings: Settings) -> dict[str, str]:
    """Return the group of each tag that operations have."""
    operations = [
        Operation(path_of(path, settings), method, item[method]["tags"][0])
        for path, item in declared.items()
        for method in METHODS
        if method in item
    ]
    return {operation.shown_tag: operation.group for operation in operations}


def _components(declared: Mapping[str, Any], paths: Document, settings: Settings) -> Document:
    own = {
        name: apply_settings_to_schema(name, schema, settings) for name, schema in declared.items()
    }
    schemas = own | linked_schemas()
    return {
        "schemas": schemas | selections(paths, schemas),
        "parameters": common_parameters(settings),
        "responses": error_responses(),
        "securitySchemes": SECURITY_SCHEMES,
    }


def _require_free_name(items: Iterable[Mapping[str, Any]], settings: Settings) -> None:
    """Refuse a ``translation_parameter`` that collides with another parameter."""
    name, common = settings.translation_parameter, common_parameters(settings)
    operations = [item[method] for item in items for method in METHODS if method in item]
    parameters = [parameter for item in operations for parameter in item.get("parameters", ())]
    if name in {
        parameter["name"] for parameter in (*parameters, common["fallback"], common["fields"])
    }:
        raise ConfigurationError(
            f"The setting translation_parameter cannot be {name}, which is another parameter."
        )


def _path_item(path: str, item: Mapping[str, Any], settings: Settings) -> Document:
    selectors = [
        {**selector, "description": "Which record it is."}
        for selector in item.get("parameters", ())
    ]
    operations = {
        method: _operation(Operation(path, method, item[method]["tags"][0]), item[method], settings)
        for method in METHODS
        if method in item
    }
    return {**operations, **({"parameters": selectors} if selectors else {})}


def _operation(operation: Operation, declared: Mapping[str, Any], settings: Settings) -> Document:
    parameters = declared.get("parameters", ())
    own = [
        apply_settings_to_parameter(parameter, settings, in_feed=operation.is_feed)
        for parameter in parameters
    ]
    writing = CHANGING if operation.is_single_record else WRITING
    reading = FEEDING if operation.is_feed else READING
    common: Sequence[str] = reading if operation.is_read else writing
    if operation.tag in _MANAGED:
        common = [name for name in common if name != "idempotency_key"]
    completed = {
        **declared,
        "tags": [operation.shown_tag],
        "description": declared.get("description", _DESCRIPTIONS[operation.action]),
        "operationId": operation.identity,
        "parameters": [*own, *({"$ref": f"#/components/parameters/{name}"} for name in common)],
        "responses": _responses(operation, declared["responses"], common),
        "security": _ANYBODY if operation.is_for_anybody else _SIGNED_IN,
    }
    if "requestBody" in declared:
        content = dict(declared["requestBody"]["content"])
        completed["requestBody"] = {"required": not operation.is_single_record, "content": content}
    return completed


def _responses(
    operation: Operation, declared: Mapping[str, Any], common: Collection[str]
) -> Document:
    answer = or_selection if "fields" in common else dict[str, Any]
    success = {
        status: answer(response) for status, response in declared.items() if status.startswith("2")
    }
    if operation.is_read:
        headers = (
            total_headers() if operation.is_list else feed_headers() if operation.is_feed else {}
        )
        success["200"]["headers"] = etag_header() | headers
        redirects = {"301": redirect_response()} if "{slug}" in operation.path else {}
        success |= redirects | {"304": not_modified_response()}
    errors = {
        str(status): {"$ref": f"#/components/responses/{status}"}
        for status in sorted(set(_refusals(operation)))
    }
    return {**success, **errors}


def _refusals(operation: Operation) -> Iterator[int]:
    """Yield the error statuses of an operation."""
    yield from (400, 401, 429, 500, 503)
    if not operation.is_read:
        yield from (403, 409, 422)
    if operation.method in _WITH_BODY:
        yield from (413, 415)
    if operation.path in ("/", "/bulk") or operation.is_single_record:
        yield 404
    if operation.tag in _WITH_STATUS and operation.is_read:
        yield 403 if operation.is_single_record else 404
    if operation.is_read and (operation.is_history or operation.path == "/media/{id}"):
        yield 403
    if operation.tag in _MANAGED and operation.is_read:
        yield 403
    if operation.is_single_record or operation.is_read:
        yield 412
    if operation.tag in _WITH_STATUS and operation.method == "delete":
        yield 410
