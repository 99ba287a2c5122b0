"""Load the parameters of a view by its schema, or refuse them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from marshmallow import Schema, ValidationError

from calendar_app.api.http.errors.problems import first_reasons
from calendar_app.api.http.errors.refusals import Refusal, refused_parameters
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.views.ignored_names import refuse_ignored_names
from calendar_app.errors import InvalidParameters, Message


class Refused(Exception):
    """Rejected parameters, with the error response."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def request_parameters(schema: Schema) -> Any:
    """Return the parameters, after validating their names and the requested languages.

    Query, form and JSON are merged, regardless of the documented location.
    """
    context = current.context()
    if isinstance(schema, RequestSchema):
        context.foreign_names = schema.foreign_names(context.parameters)
    refuse_ignored_names()
    return load_parameters(schema, context.parameters)


def load_parameters(
    schema: Schema, sent: Mapping[str, Any], names: Mapping[str, str] = MappingProxyType({})
) -> Any:
    """Return parameters as a schema loads them, after validating the requested languages.

    Raises ``Refused`` with all parameters that are wrong, under the ``names`` by which the client
    knows them.
    """
    try:
        loaded = schema.load(sent)
    except ValidationError as error:
        messages = {**error.messages_dict, **_wrong_languages()}
        reasons = {
            names.get(name, name): _renamed(reason, names)
            for name, reason in first_reasons(messages).items()
        }
        raise Refused(refused_parameters(reasons)) from error
    current.context().require_languages()
    return loaded


def _renamed(reason: str, names: Mapping[str, str]) -> str:
    """Return a reason that calls its parameter by the name that the client knows."""
    if not isinstance(reason, Message) or reason.gaps.get("name") not in names:
        return reason
    return type(reason)(reason.pattern, **{**reason.gaps, "name": names[str(reason.gaps["name"])]})


def _wrong_languages() -> Mapping[str, str]:
    """Return the errors of the requested languages."""
    try:
        current.context().require_languages()
    except InvalidParameters as error:
        return error.reasons
    return {}
