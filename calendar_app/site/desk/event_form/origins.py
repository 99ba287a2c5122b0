"""The sources of an event in the form, and their values for fields edited here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.domain.kinds import SERIES
from calendar_app.domain.numbers import parse_digits
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.rendering import local_time
from calendar_app.site.desk.source_names import source_name
from calendar_app.site.desk.sources.words import fields_in_words
from calendar_app.sources.merging import RECURRENCE, TEXTS, TIMES
from calendar_app.sources.origins import EventOrigin, can_be_taken, origins_of

TAKE = "take"
# The control beside which a field stands, where it has another name.
_CONTROLS = {
    TIMES: "start_date",
    RECURRENCE: "recurrence",
    "venues": "venue",
    "organizers": "organizer",
}


@dataclass(frozen=True, slots=True)
class ShownOrigin:
    """A source of an event in words; ``path`` is its page for those who manage sources."""

    name: str
    path: str
    url: str
    read: str
    edited: str
    is_missing: bool


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """The value of a source for a field; ``press`` takes it, where possible."""

    name: str
    text: str
    press: str


def shown_origins(event: StoredEvent | None) -> list[ShownOrigin]:
    """Return the sources of an event; a date of a series has those of the series."""
    if event is None:
        return []
    origins = _origins(event)
    names, may_manage = _names(origins), current.context().caller.may(Right.EDIT_OTHERS)
    return [
        ShownOrigin(
            source_name(names, each.source),
            f"/sources/{each.source}" if may_manage and each.source in names else "",
            each.url,
            local_time(each.read) if each.read else "",
            fields_in_words(each.edited),
            each.is_missing,
        )
        for each in origins
    ]


def said_by_sources(event: StoredEvent | None) -> Mapping[str, SourceStatement]:
    """Return the values of sources, by their control."""
    if event is None:
        return {}
    origins = origins_of(event.kind, event.record)
    names = _names(origins)
    return {
        control_at(path, event.languages): SourceStatement(
            source_name(names, each.source),
            _in_words(value),
            f"{TAKE} {each.source} {path}" if can_be_taken(event.kind, path) else "",
        )
        for each in origins
        for path, value in each.said.items()
    }


def control_at(path: str, languages: Sequence[str]) -> str:
    """Return the control of the form that is about the field at a path."""
    if not path.startswith(f"{TEXTS}."):
        return _CONTROLS.get(path, path)
    _, tag, name = path.split(".", 2)
    if name == "custom_fields":
        return name
    return name if tag == languages[0] else f"{TEXTS}[{tag}][{name}]"


def pressed_path(button: str) -> tuple[int, str] | None:
    """Return the source and the field that a press takes over; ``None`` for other presses."""
    match button.split(" ", 2):
        case [word, digits, path] if word == TAKE:
            source = parse_digits(digits)
            return None if source is None else (source, path)
        case _:
            return None


def _origins(event: StoredEvent) -> list[EventOrigin]:
    own = origins_of(event.kind, event.record)
    if event.kind is SERIES or event.series_id is None:
        return own
    series = current.context().reader.find(SERIES, event.series_id)
    return own or (origins_of(SERIES, series) if series else [])


def _names(origins: Sequence[EventOrigin]) -> dict[int, str]:
    return current.context().services.sources.provenance.names({each.source for each in origins})


def _in_words(value: Any) -> str:
    """Return a value of a source as a line of text."""
    if isinstance(value, Mapping):
        return ", ".join(_in_words(each) for each in value.values() if each)
    if isinstance(value, list):
        return ", ".join(text for each in value if (text := _in_words(each)))
    return "" if value is None else str(value)
