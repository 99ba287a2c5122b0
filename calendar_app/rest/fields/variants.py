"""Texts of several languages in one request."""

from collections.abc import Mapping
from typing import Any

from calendar_app.catalogue.content.sanitizing import clean_name
from calendar_app.errors import Message
from calendar_app.rest.errors.problems import refuse
from calendar_app.rest.fields.scalars import Parameter
from calendar_app.rest.request import current


class Variants(Parameter):
    """Language to texts: ``{"de": {"title": "…"}, "rm": {"title": "…"}}``.

    A text of ``null`` is taken away. All is taken, or nothing.
    """

    schema: Mapping[str, Any] = {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": {"type": ["string", "null"]},
        },
    }

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse("variants must map language codes to texts.")
        return {language: self._texts(language, texts) for language, texts in value.items()}

    def _texts(self, language: str, texts: Any) -> dict[str, str | None]:
        if language not in current.settings().languages:
            refuse(Message("variants: {language} is no language of the site.", language=language))
        if not isinstance(texts, dict):
            refuse(Message("variants: {language} must hold texts by field.", language=language))
        kind = self.parent.kind  # type: ignore[union-attr]  # stands in change schemas only
        known = {name: text for name, text in texts.items() if name in kind.translatable}
        if not all(text is None or isinstance(text, str) for text in known.values()):
            refuse(Message("variants: the texts of {language} must be strings.", language=language))
        if kind.label in known and not clean_name(known[kind.label] or ""):
            refuse(
                Message(
                    "variants: {name} of {language} must not be empty.",
                    name=kind.label,
                    language=language,
                )
            )
        return known
