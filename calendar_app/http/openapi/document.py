"""The OpenAPI document: what the routes declare, completed by what is true of all of them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calendar_app.errors import ConfigurationError
from calendar_app.http.openapi.examples import illustrate
from calendar_app.http.openapi.operations import (
    CHANGING,
    FEEDING,
    METHODS,
    READING,
    SECURITY_SCHEMES,
    WRITING,
    common_parameters,
    error_responses,
    feed_headers,
    moved_response,
    tag_header,
    total_headers,
    unchanged_response,
)
from calendar_app.http.openapi.settings_in_schema import (
    linked_schemas,
    settled_parameter,
    settled_schema,
)
from calendar_app.settings import Settings

Document = dict[str, Any]

_RENAMED = {"record_id": "id"}
_VARIABLE = re.compile(r"{(\w+)}")
_WITH_BODY = ("post", "put", "patch")
_SIGNED_IN: list[Document] = [{"basic": []}, {"bearer": []}]
_ANYBODY: list[Document] = [{}, *_SIGNED_IN]
_WITH_STATUS = ("events", "feeds", "venues", "organizers")
_DESCRIPTIONS = {
    "list": "Answers one page, with the total and the addresses of the pages beside it. "
    "A record must pass every filter that is sent.",
    "feed": "Answers a file to subscribe to, of the events that the list shows with the same "
    "filters.",
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
class _Place:
    """Where an operation stands: its path below the base, its method, and its tag."""

    path: str
    method: str
    tag: str

    @property
    def of_one_record(self) -> bool:
        return "{" in self.path

    @property
    def reads(self) -> bool:
        return self.method == "get"

    @property
    def lists(self) -> bool:
        return self.reads and self.path == f"/{self.tag}" and self.tag != "doc"

    @property
    def feeds(self) -> bool:
        return self.tag == "feeds"

    @property
    def action(self) -> str:
        """Return the key of the description: what the operation does."""
        if self.method in _WITH_BODY:
            return "change" if self.of_one_record else "create"
        if self.method == "delete":
            return "trash" if self.tag in _WITH_STATUS else "delete"
        if self.feeds:
            return "feed"
        return "list" if self.lists else "read" if self.of_one_record else "describe"

    @property
    def identity(self) -> str:
        """Return a name that no other operation has: ``getEventsById``."""
        words = re.split(r"\W+", self.path.replace("{id}", "by-id").replace("{slug}", ""))
        return self.method + ("".join(word.capitalize() for word in words) or "Index")


def base_path(settings: Settings) -> str:
    return f"{settings.api_prefix}/{settings.namespace}"


def path_of(rule: str, settings: Settings) -> str:
    """Return a rule of Flask, or a path made of one, as it stands in the document."""
    own = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule).removeprefix(base_path(settings))
    return _VARIABLE.sub(lambda name: f"{{{_renamed(name[1])}}}", own) or "/"


def complete(gathered: Mapping[str, Any], settings: Settings) -> Document:
    """Return the whole document; its paths are relative to the base of the interface.

    Raises ``ConfigurationError`` where a setting takes a name that is taken.
    """
    _require_free_name(gathered["paths"].values(), settings)
    document = {
        "openapi": gathered["openapi"],
        "info": {
            **gathered["info"],
            "description": _ABOUT,
            "contact": {"name": settings.site_name},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": f"{settings.site_url.rstrip('/')}{base_path(settings)}/"}],
        "tags": gathered["tags"],
        "paths": {
            path_of(path, settings): _path(path_of(path, settings), item, settings)
            for path, item in gathered["paths"].items()
        },
        "components": _components(gathered["components"]["schemas"], settings),
    }
    return illustrate(document, settings)


def _components(schemas: Mapping[str, Any], settings: Settings) -> Document:
    return {
        "schemas": {
            name: settled_schema(name, schema, settings) for name, schema in schemas.items()
        }
        | linked_schemas(),
        "parameters": common_parameters(settings),
        "responses": error_responses(),
        "securitySchemes": SECURITY_SCHEMES,
    }


def _require_free_name(items: Iterable[Mapping[str, Any]], settings: Settings) -> None:
    """Refuse a name that the operator gives to a parameter where another one has it."""
    name, common = settings.translation_parameter, common_parameters(settings)
    operations = [item[method] for item in items for method in METHODS if method in item]
    own = [one for operation in operations for one in operation.get("parameters", ())]
    if name in {one["name"] for one in (*own, common["fallback"], common["fields"])}:
        raise ConfigurationError(
            f"The setting translation_parameter cannot be {name}, which is another parameter."
        )


def _path(path: str, item: Mapping[str, Any], settings: Settings) -> Document:
    selectors = [
        {**selector, "name": _renamed(selector["name"]), "description": "Which one is meant."}
        for selector in item.get("parameters", ())
    ]
    operations = {
        method: _operation(_Place(path, method, item[method]["tags"][0]), item[method], settings)
        for method in METHODS
        if method in item
    }
    return {**operations, **({"parameters": selectors} if selectors else {})}


def _operation(place: _Place, gathered: Mapping[str, Any], settings: Settings) -> Document:
    parameters = gathered.get("parameters", ())
    own = [settled_parameter(one, settings, in_feed=place.feeds) for one in parameters]
    writing = CHANGING if place.of_one_record else WRITING
    reading = FEEDING if place.feeds else READING
    common = reading if place.reads else writing
    operation = {
        **gathered,
        "description": gathered.get("description", _DESCRIPTIONS[place.action]),
        "operationId": place.identity,
        "parameters": [*own, *({"$ref": f"#/components/parameters/{name}"} for name in common)],
        "responses": _responses(place, gathered["responses"]),
        "security": _ANYBODY if place.reads else _SIGNED_IN,
    }
    if place.method in _WITH_BODY:
        content = dict(gathered["requestBody"]["content"])
        operation["requestBody"] = {"required": not place.of_one_record, "content": content}
    return operation


def _responses(place: _Place, gathered: Mapping[str, Any]) -> Document:
    good = {status: dict(one) for status, one in gathered.items() if status.startswith("2")}
    if place.reads:
        told = total_headers() if place.lists else feed_headers() if place.feeds else {}
        good["200"]["headers"] = tag_header() | told
        moved = {"301": moved_response()} if "{slug}" in place.path else {}
        good |= moved | {"304": unchanged_response()}
    refused = {
        str(status): {"$ref": f"#/components/responses/{status}"}
        for status in sorted(set(_refusals(place)))
    }
    return {**good, **refused}


def _refusals(place: _Place) -> Iterator[int]:
    """Give the statuses of the errors that can occur."""
    yield from (400, 401, 429, 500, 503)
    if not place.reads:
        yield from (403, 409, 422)
    if place.method in _WITH_BODY:
        yield from (413, 415)
    if place.path == "/" or place.of_one_record:
        yield 404
    if place.tag in _WITH_STATUS and place.reads:
        yield 403 if place.of_one_record else 404
    if place.tag == "media" and place.reads and place.of_one_record:
        yield 403
    if place.of_one_record or place.reads:
        yield 412
    if place.tag in _WITH_STATUS and place.method == "delete":
        yield 410


def _renamed(name: str) -> str:
    return _RENAMED.get(name, name)
