"""Texts of several languages, custom fields and confirmed translations in one request."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import marshmallow as ma

from calendar_app.accounts.callers import Right
from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.schema import Parameter, Values
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.domain.custom_fields import LABEL, LONGEST_KEY, NAME, PARTS, FieldChanges, is_key
from calendar_app.domain.kind import Kind
from calendar_app.domain.texts.composing import stored_name
from calendar_app.domain.translations import CURRENT
from calendar_app.errors import Message
from calendar_app.settings import Settings

_MOST = 100


class CustomFields(Parameter):
    """Key to label and value: ``{"doors": {"label": "Doors", "value": "19:00"}}``.

    What is empty is taken away: a text, a field, or all of them.
    """

    schema: Mapping[str, Any] = {
        "type": "object",
        "additionalProperties": {
            "type": ["object", "null"],
            "properties": {
                part: {"type": ["string", "number", "null"], "description": meaning}
                for part, meaning in PARTS.items()
            },
        },
    }

    def read(self, value: Any, context: Context) -> FieldChanges:
        if value in ("", [], {}):
            if self._is_update:
                _require_right(context)
            return None
        if not isinstance(value, dict) or len(value) > _MOST:
            refuse(
                Message(
                    "custom_fields must map at most {number} keys to labels and values.",
                    number=_MOST,
                )
            )
        for key in value:
            _require_key(key, context)
        return {key: self._parts(key, parts, context.settings) for key, parts in value.items()}

    def _parts(self, key: str, parts: Any, settings: Settings) -> dict[str, str | None]:
        if parts in (None, "", [], {}):
            return dict.fromkeys(PARTS)
        if not isinstance(parts, dict) or parts.keys().isdisjoint(PARTS):
            refuse(Message("custom_fields: {key} must have a label and a value.", key=key))
        texts = {part: _text(key, parts[part]) for part in PARTS if part in parts}
        if not self._is_update and texts.get(LABEL) in _default_labels(key, settings):
            del texts[LABEL]
        return texts

    @property
    def _is_update(self) -> bool:
        schema: Any = self.parent
        return bool(schema.partial)


def _text(key: str, value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        refuse(Message("custom_fields: label and value of {key} must be texts.", key=key))
    return value


def _require_key(key: str, context: Context) -> None:
    """Refuse a key that the settings do not name, or that the caller may not choose."""
    fields = context.settings.custom_fields
    if fields and key not in fields:
        refuse(Message("custom_fields: There is no field {key}.", key=key))
    _require_right(context)
    if not is_key(key):
        refuse(
            Message(
                "custom_fields: a key has at most {number} characters, no dot, and no $ in front.",
                number=LONGEST_KEY,
            )
        )


def _require_right(context: Context) -> None:
    """Refuse fields that only editors and administrators may write."""
    if not context.settings.custom_fields and not context.caller.may(Right.EDIT_OTHERS):
        refuse("custom_fields: Only editors and administrators may write fields of any key.")


def _default_labels(key: str, settings: Settings) -> set[str]:
    """Return the labels that are shown where none is written."""
    return {key, *settings.custom_fields.get(key, {}).values()}


class Variants(Parameter):
    """Texts by language: ``{"de": {"title": "…"}, "rm": {"title": "…"}}``.

    A ``null`` text is removed. The whole value is accepted, or nothing.
    """

    def _bind_to_schema(self, field_name: str, parent: Any) -> None:
        """Describe the texts of the kind of record."""
        super()._bind_to_schema(field_name, parent)
        names = [name for name in parent.kind.translatable if name in parent.declared_fields]
        texts: dict[str, Any] = {
            name: {
                **(CustomFields.schema if name == NAME else {"type": ["string", "null"]}),
                "description": parent.declared_fields[name].metadata["description"],
            }
            for name in names
        }
        one_language = {"type": "object", "properties": texts}
        self.schema = {"type": "object", "additionalProperties": one_language}

    def read(self, value: Any, context: Context) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse("variants must map language codes to texts.")
        texts_by_language: dict[str, dict[str, Any]] = {}
        for code, texts in value.items():
            language = named_language(code, context.settings.languages)
            if language is None:
                refuse(
                    Message("variants: {language} is not a language of the site.", language=code)
                )
            if language in texts_by_language:
                refuse(Message("variants: {language} must be sent once.", language=language))
            texts_by_language[language] = self._texts(language, texts, context)
        return texts_by_language

    def _texts(self, language: str, texts: Any, context: Context) -> dict[str, Any]:
        if not isinstance(texts, dict):
            refuse(Message("variants: {language} must hold texts by field.", language=language))
        schema = self._schema
        names = schema.fields.keys() & schema.kind.translatable
        translatable = {name: text for name, text in texts.items() if name in names}
        plain = (text for name, text in translatable.items() if name != NAME)
        if not all(text is None or isinstance(text, str) for text in plain):
            refuse(Message("variants: the texts of {language} must be strings.", language=language))
        return {
            name: self._text(language, name, text, context)
            for name, text in translatable.items()
            if self._is_sent(name, text)
        }

    @property
    def _schema(self) -> Any:
        """The change schema that contains this field."""
        return self.parent

    def _is_sent(self, name: str, text: object) -> bool:
        """Return whether a text counts as sent; an empty slug of a new record does not."""
        return bool(text) or name != "slug" or bool(self._schema.partial)

    def _text(self, language: str, name: str, text: Any, context: Context) -> Any:
        """Return a text as the field of this name deserializes it."""
        kind = self._schema.kind
        required_text = stored_name(kind, text or "") if name == kind.label else text
        if name in (kind.label, "slug") and not required_text:
            refuse(
                Message(
                    "variants: {name} of {language} must not be empty.",
                    name=name,
                    language=language,
                )
            )
        if name == NAME and text is None:
            text = {}
        if text is None:
            return None
        try:
            value = self._schema.fields[name].deserialize(text, name, Values({}, context))
        except ma.ValidationError as error:
            reason = error.messages[0]
            refuse(Message("variants: {language}: {reason}", language=language, reason=reason))
        return value


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

    def read(self, value: Any, context: Context) -> Confirmed:
        schema: Any = self.parent
        return read_confirmation(schema.kind, value, context)


def read_confirmation(kind: Kind, value: Any, context: Context) -> Confirmed:
    """Return the confirmed fields; refuse an invalid confirmation."""
    if value == CURRENT:
        return {context.language: None}
    if not isinstance(value, dict):
        _refuse_word()
    languages = context.settings.languages
    return {_language(code, languages): _fields(kind, state) for code, state in value.items()}


def _language(code: str, languages: Sequence[str]) -> str:
    language = named_language(code, languages)
    if language is None:
        refuse(
            Message("{name}: {language} is not a language of the site.", name=_NAME, language=code)
        )
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
