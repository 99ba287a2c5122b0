"""The REST API: its blueprints, their description and its error handlers."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from flask_smorest import Api as SmorestApi
from werkzeug.exceptions import HTTPException

from calendar_app.api.http.fields.scalars import openapi_schema
from calendar_app.api.http.presentation import ERROR
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.error_answers import (
    answer,
    answer_defect,
    answer_http,
    answer_refusal,
)
from calendar_app.api.http.views.loading import Refused
from calendar_app.api.http.wsgi.segments import Digits
from calendar_app.api.presentation.shapes import JSONObject, schema_of
from calendar_app.errors import CalendarError


def _schema_name(schema: type[ma.Schema] | ma.Schema) -> str:
    """Return the name of a schema in the document; partial ones become ``…Update``."""
    instance = schema() if isinstance(schema, type) else schema
    name = type(instance).__name__.removesuffix("Schema")
    return name.replace("Change", "Update") if instance.partial else name


# By blueprints, with what their routes begin with.
_DECLARED: dict[tuple[tuple[Blueprint, str], ...], Mapping[str, Any]] = {}


class Api(SmorestApi):
    """flask-smorest's API with our error format."""

    ERROR_SCHEMA = None
    DEFAULT_ERROR_RESPONSE_NAME = None

    def init_app(self, app: Flask, **options: Any) -> None:
        self._blueprints: list[tuple[Blueprint, str]] = []
        spec = {"marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name)}
        super().init_app(app, spec_kwargs=spec, **options)
        components: JSONObject = {}
        schema_of(ERROR, components)
        self._add_schemas(components)
        self.ma_plugin.converter.add_attribute_function(openapi_schema)
        self.register_converter(Digits, lambda _: {"type": "integer", "minimum": 0})

    def register_blueprint(self, blueprint: Blueprint, **options: Any) -> None:
        """Register the routes of a blueprint, which ``declared`` describes."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint, **options)
        self._blueprints.append((blueprint, options.get("url_prefix", "")))

    def declared(self) -> Mapping[str, Any]:
        """Return the description of the routes and of the schemas of their answers.

        Nobody may change it: applications with the same routes share it, since it takes longer to
        make than all else that they need.
        """
        if (key := tuple(self._blueprints)) not in _DECLARED:
            for blueprint, _ in self._blueprints:
                self._add_schemas(blueprint.components)
                blueprint.register_views_in_doc(
                    self, self._app, self.spec, name=blueprint.name, parameters=None
                )
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
            _DECLARED[key] = self.spec.to_dict()
        return _DECLARED[key]

    def _add_schemas(self, components: JSONObject) -> None:
        for name, schema in components.items():
            if name not in self.spec.components.schemas:
                self.spec.components.schema(name, schema)

    def _register_pagination_header(self) -> None:
        """Omit flask-smorest's pagination header; lists have totals in the body."""

    def _register_error_handlers(self) -> None:
        """Register handlers for our errors, HTTP errors and defects."""
        self._app.register_error_handler(CalendarError, answer_refusal)
        self._app.register_error_handler(Refused, lambda error: answer(error.refusal))
        self._app.register_error_handler(HTTPException, answer_http)
        self._app.register_error_handler(Exception, answer_defect)
