"""Recurrences in requests."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.domain.recurrence.notation import SentRecurrence, parse
from calendar_app.http.errors.problems import refuse
from calendar_app.http.fields.scalars import Parameter
from calendar_app.http.request import current

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_EXTRA_DATE: Mapping[str, Any] = {
    "anyOf": [_TEXT, {"type": "object", "properties": {"start": _TEXT, "end": _TEXT}}]
}
_PARTS: Mapping[str, Any] = {
    "rrule": {"anyOf": [_TEXT, _TEXTS]},
    "rdate": {"type": "array", "items": _EXTRA_DATE},
    "exdate": _TEXTS,
}


class RecurrenceField(Parameter):
    """Rules, extra dates and exceptions: an object, or lines of iCalendar as one text."""

    schema = MappingProxyType({"anyOf": [_TEXT, {"type": "object", "properties": _PARTS}]})

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> SentRecurrence:
        try:
            return parse(value, current.site_now())
        except ValueError as error:
            refuse(error.args[0])
