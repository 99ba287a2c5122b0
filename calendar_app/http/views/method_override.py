"""Refuse method overrides that would turn a change into another operation."""

from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.request import current

# These methods are one operation.
_CHANGING = ("POST", "PUT", "PATCH")
_HEADER, _PARAMETER = "X-HTTP-Method-Override", "_method"


def refuse_overrides() -> None:
    """Refuse a change that is overridden to another method, for example DELETE."""
    request = current.request()
    if request.method not in _CHANGING:
        return
    overrides = {_HEADER: request.headers.get(_HEADER), _PARAMETER: request.args.get(_PARAMETER)}
    reasons = {
        name: Message("Send the request itself by the method {method}.", method=method)
        for name, method in overrides.items()
        if method and method.upper() not in _CHANGING
    }
    if reasons:
        raise InvalidParameters(reasons)
