"""Presentation of the history of a record, in the words of the interface."""

from collections.abc import Iterator, Sequence

import marshmallow as ma

from calendar_app.calendar.auditing import Door
from calendar_app.calendar.history import ACTIONS, BOOKKEEPING, SOURCES, TEXTS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.zones import wall_of
from calendar_app.http.presentation.shapes import AnswerShape, PageShape
from calendar_app.http.request import current
from calendar_app.presentation.records import JSONObject, date_text, field_names

_CONFIRMED = "translation_status"


class AuthorShape(AnswerShape):
    """Who wrote, by the name of that time."""

    id = ma.fields.Integer()
    name = ma.fields.String()


class EntryShape(AnswerShape):
    """One save of a record."""

    revision = ma.fields.Integer()
    date = ma.fields.String()
    date_utc = ma.fields.String()
    user = ma.fields.Nested(
        AuthorShape,
        allow_none=True,
        metadata={"description": "null: a visitor, or the service itself."},
    )
    door = ma.fields.String(metadata={"enum": [str(door) for door in Door]})
    action = ma.fields.String(metadata={"enum": list(ACTIONS)})
    fields_ = ma.fields.List(ma.fields.String(), data_key="fields", attribute="fields")
    languages = ma.fields.List(ma.fields.String())
    rest_url = ma.fields.String(
        allow_none=True,
        metadata={"description": "The state after the save; null where history lacks it."},
    )


class HistoryPageShape(PageShape):
    history = ma.fields.List(ma.fields.Nested(EntryShape))


def present_entries(
    kind: Kind, record: Record, entries: Sequence[Record], skipped: int
) -> list[JSONObject]:
    """Present entries, the latest first; ``skipped`` later ones are on earlier pages."""
    present = []
    for later, entry in enumerate(entries, start=skipped):
        # A state follows from all later entries; without one of them there is no way back.
        is_reached = record["revision"] - entry["revision"] == later
        address = state_address(kind, record["_id"], entry["revision"]) if is_reached else None
        present.append(_entry(kind, entry) | {"rest_url": address})
    return present


def state_address(kind: Kind, record_id: int, revision: int) -> str:
    return f"{current.addresses().record(kind.name, record_id)}/history/{revision}"


def changed_fields(kind: Kind, paths: Sequence[str]) -> list[str]:
    """Return the names of the fields at some paths; a confirmation alone counts as one."""
    return list(dict.fromkeys(_fields(kind, paths)))


def changed_languages(paths: Sequence[str]) -> list[str]:
    """Return the languages in which texts changed or were confirmed."""
    return sorted(_tags(TEXTS, paths) | _confirmed(paths))


def _entry(kind: Kind, entry: Record) -> JSONObject:
    user = {"id": entry["user"], "name": entry["name"]} if entry["user"] else None
    return {
        "revision": entry["revision"],
        "date": date_text(wall_of(entry["date"], current.site_zone())),
        "date_utc": date_text(entry["date"]),
        "user": user,
        "door": entry["door"],
        "action": entry["action"],
        "fields": changed_fields(kind, entry["changed"]),
        "languages": changed_languages(entry["changed"]),
    }


def _fields(kind: Kind, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        first, *rest = path.split(".")
        if first == TEXTS:
            yield rest[-1]
        elif first != SOURCES and first not in BOOKKEEPING:
            yield from field_names(kind, first)
    if _confirmed(paths):
        yield _CONFIRMED


def _confirmed(paths: Sequence[str]) -> set[str]:
    """Return the languages that somebody confirmed without a change of their texts."""
    return set() if _tags(TEXTS, paths) else _tags(SOURCES, paths)


def _tags(first: str, paths: Sequence[str]) -> set[str]:
    parts = (path.split(".") for path in paths)
    return {names[1] for names in parts if names[0] == first}
