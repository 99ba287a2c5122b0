"""Parameters about who can take part: accessibility, languages, audience, registration."""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

import marshmallow as ma

from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.changes import DATE_TIME, moment
from calendar_app.api.http.fields.scalars import (
    Converted,
    Flag,
    SomeOf,
    WebUrl,
    listed,
    whole_number,
)
from calendar_app.api.http.fields.schema import Parameter
from calendar_app.api.http.request.current import Context
from calendar_app.domain.kind import Record
from calendar_app.domain.participation import (
    GROUPS,
    OLDEST,
    audience,
    in_order,
    language_tag,
)
from calendar_app.errors import Message

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_MOST_LANGUAGES = 50


def _members(value: Any) -> list[Any]:
    """Return the members of a list or text; an object stands for itself, and is refused."""
    return [value] if value and isinstance(value, dict) else listed(value)


class EnumWords(SomeOf):
    """Words of an enumeration in its order, or none."""

    def read(self, value: Any, context: Context) -> list[str]:
        members = _members(value)
        return in_order(super().read(members, context), self._words) if members else []


class LanguageTags(Parameter):
    """Language tags of RFC 5646, as a list or comma-separated, or none."""

    schema: Mapping[str, Any] = {
        "type": "array",
        "items": {"type": "string", "examples": ["de", "en", "de-CH"]},
    }

    def read(self, value: Any, _context: Context) -> list[str]:
        members = _members(value)
        tags = [language_tag(each) if isinstance(each, str) else None for each in members]
        codes = list(dict.fromkeys(tag for tag in tags if tag))
        if None in tags or len(codes) > _MOST_LANGUAGES:
            refuse(Message("{name} must hold codes such as de or pt-BR.", name=self.sent_name))
        return codes


class SomeLanguages(LanguageTags):
    """At least one language tag."""

    def read(self, value: Any, context: Context) -> list[str]:
        tags = super().read(value, context)
        if not tags:
            refuse(Message("{name} must hold codes such as de or pt-BR.", name=self.sent_name))
        return tags


class Age(Parameter):
    """An age in whole years."""

    schema: Mapping[str, Any] = {"type": "integer", "minimum": 0, "maximum": OLDEST}

    def read(self, value: Any, _context: Context) -> int:
        age = whole_number(value)
        if age is None or not 0 <= age <= OLDEST:
            bounds = {"name": self.sent_name, "low": 0, "high": OLDEST}
            refuse(Message("{name} must be a whole number from {low} to {high}.", **bounds))
        return age


class _Parts(Parameter):
    """An object of named parts; ``None`` where it says nothing."""

    def __init__(self, parts: Sequence[Parameter], **options: Any) -> None:
        super().__init__(**options)
        self._parts = {part.sent_name: part for part in parts}
        properties = {
            name: {**_or_null(part.schema), **part.metadata} for name, part in self._parts.items()
        }
        self.schema = {"type": "object", "properties": properties}

    def read(self, value: Any, context: Context) -> Record | None:
        if value in _EMPTY:
            return None
        names = ", ".join(self._parts)
        if not isinstance(value, dict) or not value.keys() <= self._parts.keys():
            reason = "{name} must be an object of {parts}."
            refuse(Message(reason, name=self.sent_name, parts=names))
        sent = {name: each for name, each in value.items() if each not in _EMPTY}
        return self._whole({name: self._part(name, each, context) for name, each in sent.items()})

    def _part(self, name: str, value: Any, context: Context) -> Any:
        try:
            return self._parts[name].read(value, context)
        except ma.ValidationError as error:
            refuse(Message("{name}: {reason}", name=self.sent_name, reason=error.messages[0]))

    def _whole(self, parts: Record) -> Record | None:
        return parts or None


def _or_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


class Audience(_Parts):
    """For whom an event is."""

    def __init__(self, **options: Any) -> None:
        ages = (
            Age(data_key="min_age", description="The lowest age."),
            Age(data_key="max_age", description="The highest age."),
        )
        groups = EnumWords(
            GROUPS, data_key="groups", description="The groups for which it is meant."
        )
        super().__init__((*ages, groups), **options)

    def _whole(self, parts: Record) -> Record | None:
        first, last = parts.get("min_age"), parts.get("max_age")
        if first is not None and last is not None and last < first:
            reason = Message("max_age must not lie below min_age.")
            refuse(Message("{name}: {reason}", name=self.sent_name, reason=reason))
        return audience(first, last, parts.get("groups", ()))


class Registration(_Parts):
    """Where and until when people register; its times get the zone of the event later."""

    def __init__(self, **options: Any) -> None:
        url = WebUrl(data_key="url", description="The page on which people register.")
        times = (
            Converted(moment, DATE_TIME, data_key="opens", description="When registration opens."),
            Converted(
                moment, DATE_TIME, data_key="closes", description="When registration closes."
            ),
        )
        required = Flag(data_key="required", description="Whether people have to register.")
        super().__init__((url, *times, required), **options)


def on_clocks(registration: Record, zone: tzinfo) -> Record:
    """Return a registration with its times on the clocks of a zone.

    Raises ``ValidationError`` where it closes before it opens.
    """
    try:
        times: dict[str, datetime] = {
            name: registration[name].in_zone(zone)
            for name in ("opens", "closes")
            if name in registration
        }
    except ValueError as error:
        raise _refused(Message("The date is outside the years 1 to 9999.")) from error
    if len(times) > 1 and times["closes"] <= times["opens"]:
        raise _refused(Message("closes must lie after opens."))
    return registration | times


def _refused(reason: Message) -> ma.ValidationError:
    whole = Message("{name}: {reason}", name="registration", reason=reason)
    return ma.ValidationError({"registration": [whole]})
