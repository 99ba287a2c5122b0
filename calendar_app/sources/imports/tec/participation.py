"""Who can take part in an event of a calendar like this one; sites do not say it."""

from collections.abc import Mapping
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.participation import (
    ACCESSIBILITY,
    OLDEST,
    audience,
    in_order,
    language_tag,
)
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.values import Raw

_TIMES = ("opens", "closes")


def participation(raw: Raw) -> Record:
    """Return those of access, languages, audience and registration that a record has."""
    fields: Record = {}
    if "accessibility" in raw:
        fields["accessibility"] = in_order(values.texts(raw, "accessibility"), ACCESSIBILITY)
    if "in_language" in raw:
        tags = map(language_tag, values.texts(raw, "in_language"))
        fields["in_language"] = list(dict.fromkeys(filter(None, tags)))
    if "audience" in raw:
        fields["audience"] = _audience(raw["audience"])
    if "registration" in raw:
        fields["registration"] = _registration(raw["registration"])
    return fields


def _audience(raw: Any) -> Record | None:
    if not isinstance(raw, Mapping):
        return None
    return audience(_age(raw, "min_age"), _age(raw, "max_age"), values.texts(raw, "groups"))


def _age(raw: Raw, name: str) -> int | None:
    age = raw.get(name)
    return age if type(age) is int and 0 <= age <= OLDEST else None


def _registration(raw: Any) -> Record | None:
    """Return a registration; its times are on the clocks of the event here as there."""
    if not isinstance(raw, Mapping):
        return None
    required = raw.get("required")
    parts = {
        "url": values.address(raw, "url") or None,
        **{name: values.instant(raw, name) for name in _TIMES},
        "required": required if isinstance(required, bool) else None,
    }
    return {name: value for name, value in parts.items() if value is not None} or None
