"""The blueprint of every resource: parameters from everywhere, refused in our shape."""

from collections.abc import Mapping
from typing import Any, NoReturn

import flask_smorest
from flask import Request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from calendar_app.errors import InvalidParameters
from calendar_app.http.errors.problems import staged
from calendar_app.http.errors.refusals import Refusal, staged_parameters
from calendar_app.http.request import current


class Refused(Exception):
    """Parameters that were refused, with the answer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class ParameterParser(FlaskParser):
    """Reads query, form and JSON as one, whatever the location says in the documentation."""

    DEFAULT_VALIDATION_STATUS = 400

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        del req, schema
        return current.sent_parameters()

    def load_json(self, req: Request, schema: Schema) -> Any:
        del req, schema
        return current.sent_parameters()

    def parse(self, *args: Any, **named: Any) -> Any:
        """Return the parameters, once the languages that they ask for are known to be right."""
        parsed = super().parse(*args, **named)
        current.chain()
        return parsed

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> NoReturn:
        """Answer the first stage that failed, with all its parameters."""
        messages = {**next(iter(error.messages_dict.values())), **_wrong_languages()}
        raise Refused(staged_parameters(*staged(messages))) from error


def _wrong_languages() -> Mapping[str, str]:
    """Return what is wrong with the languages that were asked for."""
    try:
        current.chain()
    except InvalidParameters as error:
        return error.reasons
    return {}


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource."""

    ARGUMENTS_PARSER = ParameterParser()

    def arguments(self, schema: type[Schema] | Schema, **options: Any) -> Any:
        """Make the schema here, since to make one at every request takes longer than to use it."""
        made = schema() if isinstance(schema, type) else schema
        return super().arguments(made, **options)
