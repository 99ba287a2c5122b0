"""Reasons of invalid parameters, in stages.

As in the reference (``docs/reference/errors.md``), a response is about the first stage that
failed, with all its parameters: missing, then invalid, then of the wrong type.
"""

from collections.abc import Mapping
from typing import Any, NoReturn

import marshmallow as ma

from calendar_app.errors import Message

INVALID = Message("Invalid parameter.")


class Missing(str):
    """Reason of a required parameter that is missing."""

    __slots__ = ()


class WrongType(Message):
    """The reason for a value of the wrong type."""

    __slots__ = ()


def refuse(reason: str = INVALID) -> NoReturn:
    """Reject the value of a field."""
    raise ma.ValidationError([reason if isinstance(reason, Message) else Message(reason)])


def refuse_unknown(kind: str, identifier: int | str) -> NoReturn:
    """Reject the id or slug of a record that does not exist."""
    refuse(Message("There is no {kind} {id}.", kind=kind, id=identifier))


def wrong_type(name: str, json_type: str) -> WrongType:
    """Return the reason for a value that is not of this JSON Schema type."""
    return WrongType("{name} is not of type {type}.", name=name, type=json_type)


def refuse_type(name: str, json_type: str) -> NoReturn:
    """Reject the value of a field for its JSON Schema type."""
    raise ma.ValidationError([wrong_type(name, json_type)])


def first_failed_stage(messages: Mapping[str, Any]) -> tuple[type[str], dict[str, str]]:
    """Return the first stage that failed, and its parameters with their reasons."""
    reasons = first_reasons(messages)
    for stage in (Missing, str, WrongType):
        failed = {name: text for name, text in reasons.items() if _stage(text) is stage}
        if failed:
            return stage, failed
    return str, reasons


def first_reasons(messages: Mapping[str, Any]) -> dict[str, str]:
    """Return the first reason of each parameter, whatever its stage."""
    return {name: _first(reason) for name, reason in messages.items()}


def _stage(reason: str) -> type[str]:
    return type(reason) if isinstance(reason, Missing | WrongType) else str


def _first(reasons: Any) -> str:
    """Return the first reason in nested error messages."""
    while isinstance(reasons, Mapping):
        reasons = next(iter(reasons.values()), INVALID)
    if isinstance(reasons, list):
        reasons = reasons[0] if reasons else INVALID
        return _first(reasons) if isinstance(reasons, (Mapping, list)) else reasons
    text: str = reasons
    return text
