"""Refuses writes that ask to be taken for another method, lest they are taken for a change."""

from calendar_app.errors import InvalidParameters, Message
from calendar_app.http.request import current

# They are one operation, so that it does not matter which of them is asked for.
_CHANGING = ("POST", "PUT", "PATCH")
_HEADER, _PARAMETER = "X-HTTP-Method-Override", "_method"


def refuse_overrides() -> None:
    """Refuse a change that asks for what is none; reads and deletions pass over it."""
    asking = current.request()
    if asking.method not in _CHANGING:
        return
    wanted = {_HEADER: asking.headers.get(_HEADER), _PARAMETER: asking.args.get(_PARAMETER)}
    reasons = {
        name: Message("Send the request itself by the method {method}.", method=method)
        for name, method in wanted.items()
        if method and method.upper() not in _CHANGING
    }
    if reasons:
        raise InvalidParameters(reasons)
