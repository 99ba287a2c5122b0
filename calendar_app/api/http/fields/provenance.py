"""Who wrote the texts of a request, and which texts somebody has checked."""

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.schema import Parameter
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.domain.kind import Kind
from calendar_app.domain.ledger import ALL, ORIGINS, Origin
from calendar_app.domain.translations import compared_fields
from calendar_app.errors import Message

Value = TypeVar("Value")
_TRUE, _FALSE = (True, 1, "true", "1"), (False, 0, "false", "0")
_LONGEST_NAME = 200
_PARTS = {
    "origin": {"type": "string", "enum": list(ORIGINS), "description": "Who wrote it."},
    "by": {
        "type": "string",
        "maxLength": _LONGEST_NAME,
        "description": "The name of the machine or the person.",
    },
    "proposal": {
        "type": ["string", "object"],
        "description": "What the machine proposed: a text, or texts by field.",
    },
    "reviewed": {"type": "boolean", "description": "Whether a person has checked it."},
}
_ORIGIN: Mapping[str, Any] = {
    "oneOf": [
        {"type": "string", "enum": list(ORIGINS)},
        {"type": "object", "properties": _PARTS, "required": ["origin"]},
    ]
}
_CHECK: Mapping[str, Any] = {"type": "boolean"}


def _by_language(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a value for all texts, those of a language, or a single text."""
    of_fields = {"type": "object", "additionalProperties": value}
    of_languages = {"type": "object", "additionalProperties": {"anyOf": [value, of_fields]}}
    return {"anyOf": [value, of_languages]}


class TextOrigins(Parameter):
    """``machine``, or ``{"rm": "machine"}``, or ``{"rm": {"title": {"origin": "machine"}}}``."""

    schema: Mapping[str, Any] = _by_language(_ORIGIN)

    def read(self, value: Any, context: Context) -> dict[str, dict[str, Origin]]:
        kind: Kind = _kind_of(self)
        return _read(self.sent_name, value, kind, context, _origin)


class Checks(Parameter):
    """``true``, or ``{"rm": true}``, or ``{"rm": {"title": true}}``."""

    schema: Mapping[str, Any] = _by_language(_CHECK)

    def read(self, value: Any, context: Context) -> dict[str, dict[str, bool]]:
        return _read(self.sent_name, value, _kind_of(self), context, _check)


def _kind_of(parameter: Parameter) -> Kind:
    schema: Any = parameter.parent
    kind: Kind = schema.kind
    return kind


def _read(
    name: str,
    value: Any,
    kind: Kind,
    context: Context,
    read: Callable[[str, Any], Value | None],
) -> dict[str, dict[str, Value]]:
    """Return the values by language and field; ``ALL`` stands for a whole language."""
    of_all = read(name, value)
    if of_all is not None:
        return {context.language: {ALL: of_all}}
    if not isinstance(value, dict):
        _refuse_form(name)
    values: dict[str, dict[str, Value]] = {}
    for code, own in value.items():
        language = named_language(code, context.settings.languages)
        if language is None:
            refuse(
                Message(
                    "{name}: {language} is not a language of the site.", name=name, language=code
                )
            )
        of_language = read(name, own)
        if of_language is not None:
            values[language] = {ALL: of_language}
        else:
            values[language] = _read_fields(name, own, kind, read)
    return values


def _read_fields(
    name: str, value: Any, kind: Kind, read: Callable[[str, Any], Value | None]
) -> dict[str, Value]:
    if not isinstance(value, dict):
        _refuse_form(name)
    fields: dict[str, Value] = {}
    for field, sent in value.items():
        if field not in compared_fields(kind):
            refuse(Message("{name}: {field} has no languages.", name=name, field=field))
        read_value = read(name, sent)
        if read_value is None:
            _refuse_form(name)
        fields[field] = read_value
    return fields


def _origin(name: str, value: Any) -> Origin | None:
    """Return an origin; none where the value names languages or fields."""
    parts = {"origin": value} if isinstance(value, str) else value
    if not isinstance(parts, dict) or "origin" not in parts:
        return None
    origin, by, proposal = (parts.get(part) for part in ("origin", "by", "proposal"))
    if origin not in ORIGINS:
        refuse(Message("{name} must be one of {words}.", name=name, words=", ".join(ORIGINS)))
    if by is not None and not (isinstance(by, str) and len(by) <= _LONGEST_NAME):
        refuse(Message("{name}: {part} must be a short text.", name=name, part="by"))
    if proposal is not None and not _is_proposal(proposal):
        refuse(Message("{name}: {part} must be a text.", name=name, part="proposal"))
    reviewed = parts.get("reviewed")
    check = None if reviewed is None else _check(name, reviewed)
    if reviewed is not None and check is None:
        refuse(Message("{name}: {part} must be true or false.", name=name, part="reviewed"))
    return Origin(origin, by or None, proposal, check)


def _is_proposal(proposal: Any) -> bool:
    """Say whether a proposal is a text, or labels and values of custom fields by key."""
    if not isinstance(proposal, dict):
        return isinstance(proposal, str)
    return all(
        isinstance(parts, dict) and all(isinstance(text, str) for text in parts.values())
        for parts in proposal.values()
    )


def _check(_name: str, value: Any) -> bool | None:
    """Return whether a text has been checked; none where the value names languages or fields."""
    if isinstance(value, float | dict | list) or value not in (*_TRUE, *_FALSE):
        return None
    return value in _TRUE


def _refuse_form(name: str) -> NoReturn:
    refuse(
        Message("{name} must say it of this language, or of languages or texts by name.", name=name)
    )
