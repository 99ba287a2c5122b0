"""Blueprint base: one parameter source, one error format."""

from collections.abc import Mapping
from typing import Any, NoReturn

import flask_smorest
from flask import Request
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser

from calendar_app.errors import InvalidParameters
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.errors.refusals import Refusal, staged_parameters
from calendar_app.http.request import current
from calendar_app.http.views.ignored_names import refuse_ignored_names


class Refused(Exception):
    """Rejected parameters, with the error response."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class ParameterParser(FlaskParser):
    """Reads query, form and JSON merged, regardless of the documented location."""

    DEFAULT_VALIDATION_STATUS = 400

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        del req, schema
        return current.sent_parameters()

    def load_json(self, req: Request, schema: Schema) -> Any:
        del req, schema
        return current.sent_parameters()

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        """Return the parameters, after validating their names and the requested languages."""
        refuse_ignored_names()
        parsed = super().parse(*args, **kwargs)
        current.chain()
        return parsed

    def handle_error(self, error: ValidationError, *_: Any, **__: Any) -> NoReturn:
        """Report the first failed stage, with all its parameters."""
        messages = {**next(iter(error.messages_dict.values())), **_wrong_languages()}
        raise Refused(staged_parameters(*first_failed_stage(messages))) from error


def _wrong_languages() -> Mapping[str, str]:
    """Return the errors of the requested languages."""
    try:
        current.chain()
    except InvalidParameters as error:
        return error.reasons
    return {}


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource."""

    ARGUMENTS_PARSER = ParameterParser()

    def arguments(self, schema: type[Schema] | Schema, **options: Any) -> Any:
        """Instantiate the schema once, since that is slower than a request."""
        instance = schema() if isinstance(schema, type) else schema
        return super().arguments(instance, **options)
