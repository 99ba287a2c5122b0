"""The blueprint of a resource: one source of parameters, responses described by shapes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import flask_smorest
from marshmallow import Schema

from calendar_app.api.http.views.guarding import ViewFunction
from calendar_app.api.http.views.loading import request_parameters
from calendar_app.api.presentation.shapes import JSONObject, Shape, schema_of

# Where flask-smorest keeps the description of a view.
_DESCRIPTION = "_apidoc"


class Blueprint(flask_smorest.Blueprint):
    """The routes of one resource."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # The schemas of answers, by name.
        self.components: JSONObject = {}

    def arguments(
        self, schema: type[Schema] | Schema, **options: Any
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Describe the parameters, and give the view their values.

        The schema is instantiated once, since that is slower than a request.
        """
        instance = schema() if isinstance(schema, type) else schema
        describe = super().arguments(instance, **options)

        def decorate(view: ViewFunction) -> ViewFunction:
            @wraps(view)
            def loaded(*args: Any, **path: Any) -> Any:
                return view(*args, request_parameters(instance), **path)

            return _described(loaded, describe)

        return decorate

    def response(
        self, status: int, schema: Any, **options: Any
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Describe the answer, by its ``Shape`` or in JSON Schema."""
        if isinstance(schema, Shape):
            schema = schema_of(schema, self.components)
        describe = super().response(status, schema, **options)
        return lambda view: _described(view, describe)


def _described(
    view: ViewFunction, describe: Callable[[ViewFunction], ViewFunction]
) -> ViewFunction:
    """Describe a view as flask-smorest does, without the function that it puts around it.

    Our views return responses, and load their parameters themselves.
    """
    vars(view)[_DESCRIPTION] = vars(describe(view))[_DESCRIPTION]
    return view
