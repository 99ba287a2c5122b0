"""What can be wrong with a parameter, and which of it is told.

As in the reference (``docs/reference/interface.md``, section "Errors"), only the first stage that
fails is reported, with all its parameters: what is missing, then what is invalid, then what has
the wrong type.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

import marshmallow as ma

from calendar_app.errors import Message

INVALID = Message("Invalid parameter.")


class Missing(str):
    """The reason of a required parameter that was not sent."""

    __slots__ = ()


class WrongType(Message):
    """The reason of a parameter whose value is not of the declared type."""

    __slots__ = ()


def refuse(reason: str = INVALID) -> NoReturn:
    """Refuse the value of a field."""
    raise ma.ValidationError([reason if isinstance(reason, Message) else Message(reason)])


def refuse_unknown(kind: str, wanted: int | str) -> NoReturn:
    """Refuse to name a record that is not there; ``kind`` is the singular name of its kind."""
    refuse(Message("There is no {kind} {id}.", kind=kind, id=wanted))


def wrong_type(name: str, wanted: str) -> WrongType:
    """Return the reason of a value that is not of the type ``wanted``, as JSON Schema names it."""
    return WrongType("{name} is not of type {type}.", name=name, type=wanted)


def refuse_type(name: str, wanted: str) -> NoReturn:
    """Refuse the value of a field for its type; ``wanted`` as JSON Schema names it."""
    raise ma.ValidationError([wrong_type(name, wanted)])


def staged(messages: Mapping[str, Any]) -> tuple[type[str], dict[str, str]]:
    """Return the first stage that failed, and its parameters with their reasons."""
    reasons = {name: _first(found) for name, found in messages.items()}
    for stage in (Missing, str, WrongType):
        failed = {name: text for name, text in reasons.items() if _stage(text) is stage}
        if failed:
            return stage, failed
    return str, reasons


def _stage(reason: str) -> type[str]:
    return type(reason) if isinstance(reason, Missing | WrongType) else str


def _first(found: Any) -> str:
    """Return the first reason, however deep a nested field has put it."""
    while isinstance(found, Mapping):
        found = next(iter(found.values()), INVALID)
    if isinstance(found, list):
        found = found[0] if found else INVALID
        return _first(found) if isinstance(found, (Mapping, list)) else found
    text: str = found
    return text
