"""The routes below ``wp/v2``, and how the index describes them."""

from collections.abc import Iterator, Mapping
from typing import Any

import flask
import marshmallow as ma
from flask import Flask, Response
from flask.views import MethodView

from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import openapi_schema
from calendar_app.api.http.openapi.document import base_path
from calendar_app.api.http.openapi.interface import Route, add_namespace, argument
from calendar_app.api.http.openapi.routes import namespace_index
from calendar_app.api.http.request.state import Wsgi
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.parts.part import Part
from calendar_app.parts.wordpress import account, attachments, media
from calendar_app.parts.wordpress.content_types import COLLECTIONS, all_view, list_schema, one_view
from calendar_app.parts.wordpress.lists import LISTS
from calendar_app.parts.wordpress.names import META, NAMESPACE, TYPES, ContentType
from calendar_app.parts.wordpress.upload_route import WordPressUploads
from calendar_app.parts.wordpress.views import RemovalSchema, collection_view, record_view
from calendar_app.settings import Settings

_ID, _SLUG = r"(?P<id>[\d]+)", r"(?P<slug>[\w-]+)"
_NAMED = {"slug": {"required": True, "type": "string", "description": "Which record it is."}}
_SELECTOR = {"id": {"required": True, "type": "integer", "description": "Which record it is."}}
_READING = {"context": {"required": False, "type": "string", "enum": ["view", "embed", "edit"]}}
_WRITING, _REMOVING = ["POST", "PUT", "PATCH"], ["DELETE"]


class Namespace(ResourceView):
    """The index of the namespace."""

    def get(self) -> Response:
        return answer(namespace_index(NAMESPACE))


def init_app(app: Flask, settings: Settings) -> None:
    """Add the routes of all types to ``app``, and name them in its index."""
    blueprint = flask.Blueprint("wordpress", __name__, url_prefix=settings.api_prefix or None)
    for name, (path, view) in _views().items():
        blueprint.add_url_rule(path, view_func=view.as_view(name))
    app.register_blueprint(blueprint)
    patterns = {f"{settings.api_prefix}{path}": _pattern(path) for path, _ in _views().values()}
    add_namespace(app, NAMESPACE, dict(_described()), patterns)


def _views() -> dict[str, tuple[str, type[MethodView]]]:
    """Return the rule and the view of each route, by its name."""
    views: dict[str, tuple[str, type[MethodView]]] = {
        "namespace": (f"/{NAMESPACE}", Namespace),
        "me": (account.PATH, account.Me),
        "media": (attachments.PATH, media.Media),
        "attachment": (f"{attachments.PATH}/<digits:id>", media.Attachment),
    }
    for type_ in TYPES:
        views[f"list_{type_.name}"] = (type_.path, collection_view(type_))
        views[f"one_{type_.name}"] = (f"{type_.path}/<digits:id>", record_view(type_))
    for collection in COLLECTIONS:
        path = f"/{NAMESPACE}/{collection.path}"
        views[collection.path] = (path, all_view(collection))
        views[f"one_of_{collection.path}"] = (f"{path}/<slug>", one_view(collection))
    return views


def _pattern(path: str) -> str:
    return path.replace("<digits:id>", _ID).replace("<slug>", _SLUG)


def _described() -> Iterator[tuple[str, Route]]:
    """Yield the routes by their raw patterns."""
    yield f"/{NAMESPACE}", _route([(["GET"], {})])
    for type_ in TYPES:
        reading = _arguments(LISTS[type_.name]())
        written_fields = _written_arguments(type_)
        yield type_.path, _route([(["GET"], reading), (["POST"], written_fields)])
        optional = {name: {**each, "required": False} for name, each in written_fields.items()}
        record_arguments = [
            (["GET"], _SELECTOR | _READING),
            (_WRITING, _SELECTOR | optional),
            (_REMOVING, _SELECTOR | _arguments(RemovalSchema())),
        ]
        yield f"{type_.path}/{_ID}", _route(record_arguments)
    # Uploads and changes of pictures are those of the interface.
    yield attachments.PATH, _route([(["GET"], _arguments(media.LIST)), (["POST"], {})])
    writes = [([method], _SELECTOR) for method in (*_WRITING, *_REMOVING)]
    yield f"{attachments.PATH}/{_ID}", _route([(["GET"], _SELECTOR | _READING), *writes])
    yield account.PATH, _route([(["GET"], _READING)])
    for collection in COLLECTIONS:
        path = f"/{NAMESPACE}/{collection.path}"
        yield path, _route([(["GET"], _arguments(list_schema(collection)))])
        yield f"{path}/{_SLUG}", _route([(["GET"], _NAMED | _READING)])


def _route(endpoints: list[tuple[list[str], dict[str, Any]]]) -> Route:
    return {
        "namespace": NAMESPACE,
        "methods": [method for methods, _ in endpoints for method in methods],
        "endpoints": [{"methods": methods, "args": args} for methods, args in endpoints],
    }


def _arguments(schema: ma.Schema) -> dict[str, Any]:
    return {field.data_key or name: _argument(field) for name, field in schema.fields.items()}


def _argument(field: ma.fields.Field[Any]) -> Mapping[str, Any]:
    described = {"description": field.metadata.get("description", "")}
    return argument(openapi_schema(None, field) | described, required=field.required)


def _written_arguments(type_: ContentType) -> dict[str, Any]:
    fields = type_.changes().fields
    own = {name: _argument(fields[own]) for name, own in type_.fields.items()}
    if not type_.meta:
        return own
    members = {name: _argument(fields[own]) for name, own in type_.meta.items()}
    return own | {META: {"required": False, "type": "object", "properties": members}}


def _with_uploads(app: Wsgi, settings: Settings) -> Wsgi:
    return WordPressUploads(app, settings.api_prefix, base_path(settings))


PART = Part(install=init_app, wrap=_with_uploads)
