"""Texts of several languages in one request."""

from typing import Any

import marshmallow as ma

from calendar_app.content.sanitizing import clean_name
from calendar_app.domain.custom_fields import NAME
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.custom_fields import CustomFields
from calendar_app.http.fields.scalars import Parameter
from calendar_app.http.request import current
from calendar_app.http.request.negotiation import named_language


class Variants(Parameter):
    """Texts by language: ``{"de": {"title": "…"}, "rm": {"title": "…"}}``.

    A ``null`` text is removed. The whole value is accepted, or nothing.
    """

    def _bind_to_schema(self, field_name: str, parent: Any) -> None:
        """Describe the texts of the kind of record."""
        super()._bind_to_schema(field_name, parent)
        names = [name for name in parent.kind.translatable if name in parent.declared_fields]
        texts: dict[str, Any] = {name: {"type": ["string", "null"]} for name in names}
        if NAME in texts:
            texts[NAME] = CustomFields.schema
        one_language = {"type": "object", "properties": texts}
        self.schema = {"type": "object", "additionalProperties": one_language}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse("variants must map language codes to texts.")
        texts_by_language: dict[str, dict[str, Any]] = {}
        for code, texts in value.items():
            language = named_language(code, current.settings().languages)
            if language is None:
                refuse(Message("variants: {language} is no language of the site.", language=code))
            if language in texts_by_language:
                refuse(Message("variants: {language} must be sent once.", language=language))
            texts_by_language[language] = self._texts(language, texts)
        return texts_by_language

    def _texts(self, language: str, texts: Any) -> dict[str, Any]:
        if not isinstance(texts, dict):
            refuse(Message("variants: {language} must hold texts by field.", language=language))
        schema = self._schema
        names = schema.fields.keys() & schema.kind.translatable
        translatable = {name: text for name, text in texts.items() if name in names}
        plain = (text for name, text in translatable.items() if name != NAME)
        if not all(text is None or isinstance(text, str) for text in plain):
            refuse(Message("variants: the texts of {language} must be strings.", language=language))
        return {
            name: self._text(language, name, text)
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

    def _text(self, language: str, name: str, text: Any) -> Any:
        """Return a text as the field of this name deserializes it."""
        required_text = clean_name(text or "") if name == self._schema.kind.label else text
        if name in (self._schema.kind.label, "slug") and not required_text:
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
            value = self._schema.fields[name].deserialize(text)
        except ma.ValidationError as error:
            reason = error.messages[0]
            refuse(Message("variants: {language}: {reason}", language=language, reason=reason))
        return value
