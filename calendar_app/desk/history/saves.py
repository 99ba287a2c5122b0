"""The saves of a record, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import MappingProxyType

from calendar_app.calendar.auditing import Door
from calendar_app.calendar.history import CREATE, TEXTS, TO_TRASH, UNTRASH
from calendar_app.desk.history.labels import DOORS, label_of, place_of
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import Message
from calendar_app.http.presentation.history import changed_fields, changed_languages

_DEEDS: Mapping[str, Message] = MappingProxyType(
    {
        CREATE: Message("created it"),
        TO_TRASH: Message("moved it to the trash"),
        UNTRASH: Message("took it out of the trash"),
    }
)
_VISITOR, _CALENDAR = Message("A visitor"), Message("The calendar itself")
_CHANGED = Message("changed")
_WROTE = Message("saved it")


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field that a save changed, and in which languages if it is a text."""

    label: Message
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Save:
    """One save; ``name`` tells who, ``is_reached`` whether its state is known."""

    revision: int
    date: datetime
    name: str
    door: Message
    deed: Message
    fields: Sequence[ChangedField]
    is_reached: bool


def saves_of(kind: Kind, record: Record, entries: Sequence[Record], skipped: int) -> list[Save]:
    """Return entries of the history as saves; ``skipped`` later ones are on earlier pages."""
    return [
        _save(kind, entry, is_reached=record["revision"] - entry["revision"] == later)
        for later, entry in enumerate(entries, start=skipped)
    ]


def _save(kind: Kind, entry: Record, *, is_reached: bool) -> Save:
    fields = _fields(kind, entry["changed"]) if entry["action"] not in _DEEDS else []
    usual = _CHANGED if fields else _WROTE
    return Save(
        revision=entry["revision"],
        date=entry["date"],
        name=entry["name"] or (_VISITOR if entry["door"] == Door.SUBMISSION else _CALENDAR),
        door=DOORS[entry["door"]],
        deed=_DEEDS.get(entry["action"], usual),
        fields=fields,
        is_reached=is_reached,
    )


def _fields(kind: Kind, paths: Sequence[str]) -> list[ChangedField]:
    by_label: dict[Message, list[str]] = {}
    for name in sorted(changed_fields(kind, paths), key=partial(place_of, kind)):
        if name != "slug":
            by_label.setdefault(label_of(kind, name), []).extend(_languages(name, paths))
    return [ChangedField(label, tags) for label, tags in by_label.items()]


def _languages(name: str, paths: Sequence[str]) -> list[str]:
    if name == "translation_status":
        return changed_languages(paths)
    parts = (path.split(".") for path in paths)
    return [part[1] for part in parts if part[0] == TEXTS and part[2] == name]
