"""Participation in the event form: stored values, the body of a write, and a summary."""

from collections.abc import Iterable, Mapping
from datetime import time
from typing import Any

from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.participation import audience
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS, audience_in_words
from calendar_app.errors import Message
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues

REQUIRED: Mapping[str, Message] = {
    "": Message("not said"),
    "1": Message("Yes"),
    "0": Message("No"),
}
# When registration opens and closes on a day without a time.
_USUAL: Mapping[str, time] = {"opens": time.min, "closes": time(23, 59, 59)}


def stored_values(record: Record, notation: Notation) -> ControlValues:
    """Return the values of a stored event or series, by control."""
    people, entry = record.get("audience") or {}, record.get("registration") or {}
    return {
        "accessibility": [*record.get("accessibility", ())],
        "in_language": [*record.get("in_language", ())],
        "audience_min": str(people.get("min_age", "")),
        "audience_max": str(people.get("max_age", "")),
        "audience_groups": [*people.get("groups", ())],
        "registration_url": entry.get("url", ""),
        "registration_required": str(int(entry["required"])) if "required" in entry else "",
        **{
            f"registration_{name}": notation.moment_text(
                entry[name], all_day=entry[name].time() == usual
            )
            for name, usual in _USUAL.items()
            if name in entry
        },
    }


def languages_of(values: ControlValues, notation: Notation) -> list[str]:
    """Return the codes of the chosen languages, and of typed ones."""
    typed = (name.strip() for name in values.get("in_language_other", "").split(","))
    codes = (wording.language_named(name, notation.language) or name for name in typed if name)
    return [*values["in_language"], *codes]


def audience_of(values: ControlValues, _: Notation) -> dict[str, Any]:
    """Return the audience for a write; empty where the form states none."""
    parts = {
        "min_age": values.get("audience_min", "").strip(),
        "max_age": values.get("audience_max", "").strip(),
        "groups": values["audience_groups"],
    }
    return {name: value for name, value in parts.items() if value}


def registration_of(values: ControlValues, notation: Notation) -> dict[str, Any]:
    """Return the registration as a write takes it.

    Raises ``ValueError`` with the reason and the control where a time cannot be read.
    """
    parts = {
        "url": whole_address(values.get("registration_url", "").strip()),
        **{
            name: _moment(f"registration_{name}", values, notation, usual)
            for name, usual in _USUAL.items()
        },
        "required": values.get("registration_required", ""),
    }
    return {name: value for name, value in parts.items() if value}


def _moment(control: str, values: ControlValues, notation: Notation, usual: time) -> str:
    text = values.get(control, "").strip()
    try:
        return notation.line(text, usual) if text else ""
    except ValueError as error:
        raise ValueError(error.args[0], control) from error


def in_words(values: ControlValues, language: str) -> Iterable[str]:
    """Yield the choices, in words."""
    ages = (values[name].strip() for name in ("audience_min", "audience_max"))
    first, last = map(parse_digits, ages)
    yield from audience_in_words(audience(first, last, values["audience_groups"]))
    yield from (wording.language_name(tag, language) for tag in values["in_language"])
    yield from (
        ACCESSIBILITY_WORDS[word] for word in values["accessibility"] if word in _KNOWN_CODES
    )
    if values["registration_url"]:
        yield Message("Registration")


_KNOWN_CODES = frozenset(ACCESSIBILITY_WORDS)
