"""The confirmation of translations: a language, several, or single fields of one."""

from collections.abc import Mapping
from typing import Any, NoReturn

from calendar_app.domain.kind import Kind
from calendar_app.domain.translations import CURRENT
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.scalars import Parameter
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language

_NAME = "translation_status"
_WORD: Mapping[str, Any] = {"type": "string", "enum": [CURRENT]}
_FIELDS: Mapping[str, Any] = {"type": "object", "additionalProperties": _WORD}
_LANGUAGES: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": {"oneOf": [_WORD, _FIELDS]},
}

# The confirmed fields of each language; ``None`` for all of them.
Confirmed = dict[str, list[str] | None]


class Confirmation(Parameter):
    """``current``, or ``{"rm": "current"}``, or ``{"rm": {"title": "current"}}``."""

    schema: Mapping[str, Any] = {"oneOf": [_WORD, _LANGUAGES]}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Confirmed:
        schema: Any = self.parent
        return read_confirmation(schema.kind, value)


def read_confirmation(kind: Kind, value: Any) -> Confirmed:
    """Return the confirmed fields; refuse an invalid confirmation."""
    if value == CURRENT:
        return {current.language(): None}
    if not isinstance(value, dict):
        _refuse_word()
    return {_language(code): _fields(kind, state) for code, state in value.items()}


def _language(code: str) -> str:
    language = named_language(code, current.settings().languages)
    if language is None:
        refuse(Message("{name}: {language} is no language of the site.", name=_NAME, language=code))
    return language


def _fields(kind: Kind, state: Any) -> list[str] | None:
    if state == CURRENT:
        return None
    if not isinstance(state, dict) or any(word != CURRENT for word in state.values()):
        _refuse_word()
    unknown = next((field for field in state if field not in kind.texts), None)
    if unknown is not None:
        refuse(Message("{name}: {field} has no languages.", name=_NAME, field=unknown))
    return list(state)


def _refuse_word() -> NoReturn:
    refuse(Message("{name} must be {word}.", name=_NAME, word=CURRENT))
