"""Custom fields in requests: a label and a value by key."""

from collections.abc import Mapping
from typing import Any

from calendar_app.accounts.policy import Right
from calendar_app.domain.custom_fields import LABEL, LONGEST_KEY, PARTS, FieldChanges, is_key
from calendar_app.errors import Message
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.scalars import Parameter
from calendar_app.http.request import current

_MOST = 100


class CustomFields(Parameter):
    """Key to label and value: ``{"doors": {"label": "Doors", "value": "19:00"}}``.

    What is empty is taken away: a text, a field, or all of them.
    """

    schema: Mapping[str, Any] = {
        "type": "object",
        "additionalProperties": {
            "type": ["object", "null"],
            "properties": {part: {"type": ["string", "number", "null"]} for part in PARTS},
        },
    }

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> FieldChanges:
        if value in ("", [], {}):
            if self._is_update:
                _require_right()
            return None
        if not isinstance(value, dict) or len(value) > _MOST:
            refuse(
                Message(
                    "custom_fields must map at most {number} keys to labels and values.",
                    number=_MOST,
                )
            )
        for key in value:
            _require_key(key)
        return {key: self._parts(key, parts) for key, parts in value.items()}

    def _parts(self, key: str, parts: Any) -> dict[str, str | None]:
        if parts in (None, "", [], {}):
            return dict.fromkeys(PARTS)
        if not isinstance(parts, dict) or parts.keys().isdisjoint(PARTS):
            refuse(Message("custom_fields: {key} must have a label and a value.", key=key))
        texts = {part: _text(key, parts[part]) for part in PARTS if part in parts}
        if not self._is_update and texts.get(LABEL) in _default_labels(key):
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


def _require_key(key: str) -> None:
    """Refuse a key that the settings do not name, or that the caller may not choose."""
    fields = current.settings().custom_fields
    if fields and key not in fields:
        refuse(Message("custom_fields: There is no field {key}.", key=key))
    _require_right()
    if not is_key(key):
        refuse(
            Message(
                "custom_fields: a key has at most {number} characters, no dot, and no $ in front.",
                number=LONGEST_KEY,
            )
        )


def _require_right() -> None:
    """Refuse fields that only editors and administrators may write."""
    if not current.settings().custom_fields and not current.caller().may(Right.EDIT_OTHERS):
        refuse("custom_fields: Only editors and administrators may write fields of any key.")


def _default_labels(key: str) -> set[str]:
    """Return the labels that are shown where none is written."""
    return {key, *current.settings().custom_fields.get(key, {}).values()}
