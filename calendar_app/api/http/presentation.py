"""Describes and presents pages of lists, errors, and the history of records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.media import MEDIA_USE
from calendar_app.api.presentation.records import date_text, field_names
from calendar_app.api.presentation.shapes import Field, JSONObject, Shape, ShapeFields, either
from calendar_app.calendar.auditing import Door
from calendar_app.calendar.history import ACTIONS, BOOKKEEPING, SOURCES, TEXTS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.zones import wall_of

PAGE: ShapeFields[Any] = {
    "rest_url": Field("string", meaning="The address of this list."),
    "next_rest_url": Field(
        "string", meaning="The address of the next page; absent on the last one.", sometimes=True
    ),
    "previous_rest_url": Field(
        "string",
        meaning="The address of the previous page; absent on the first one.",
        sometimes=True,
    ),
    "total": Field("integer", meaning="The number of matching records, on all pages."),
    "total_pages": Field("integer", meaning="The number of pages."),
}


_MEMBERS = "The records of this page, in the order of the list."


def page_of(
    members: Shape[Any], name: str, more: ShapeFields[Any] = MappingProxyType({})
) -> Shape[Any]:
    """Return the shape of a page of a list, with its members under ``name``."""
    return Shape(f"{members.name}Page", {**PAGE, name: Field([members], meaning=_MEMBERS), **more})


_ERROR_DATA = Shape[Any](
    "ErrorData",
    {
        "status": Field("integer", meaning="The status code of the response."),
        **{
            name: Field(schema, meaning=meaning, sometimes=True)
            for name, schema, meaning in (
                ("params", {}, "The reason for each invalid parameter, or the missing ones."),
                ("details", {}, "Code and message of each reason, by parameter."),
                ("term_id", "integer", "The id of the term that already has this name."),
                (
                    "used_by",
                    [MEDIA_USE],
                    "Records that show the picture, as far as the caller may read them.",
                ),
                ("uses", "integer", "How many records show the picture."),
                ("request_id", "string", "The id of the request in the log."),
                ("json_error_code", "integer", "Always 4, as in PHP: the body is not valid JSON."),
                ("json_error_message", "string", "Why the body is not valid JSON."),
            )
        },
    },
)
ERROR = Shape[Any](
    "Error",
    {
        "code": Field("string", meaning="The error code, for programs."),
        "message": Field("string", meaning="The error message, in the language of the request."),
        "data": Field(_ERROR_DATA, meaning="The status, and the reasons for each parameter."),
    },
)
_CONFIRMED = "translation_status"
_CHECKED = "translation_reviewed"
_AUTHOR = Shape[Record](
    "Author",
    {
        "id": Field("integer", lambda it: it["user"], "The id of the user."),
        "name": Field("string", lambda it: it["name"], "The display name of the user."),
    },
)


@dataclass(frozen=True, slots=True)
class _Save:
    """An entry of the history of a kind; ``state`` is the address of the state after it."""

    kind: Kind
    entry: Record
    zone: ZoneInfo
    state: str | None


_ENTRY = Shape[_Save](
    "Entry",
    {
        "revision": Field(
            "integer", lambda it: it.entry["revision"], "The revision that the change made."
        ),
        "date": Field(
            "string",
            lambda it: date_text(wall_of(it.entry["date"], it.zone)),
            "When it was changed, in the time zone of the site.",
        ),
        "date_utc": Field(
            "string", lambda it: date_text(it.entry["date"]), "When it was changed, in UTC."
        ),
        "user": Field(
            either(_AUTHOR, "null"),
            lambda it: _AUTHOR.present(it.entry) if it.entry["user"] else None,
            "null: a visitor, or the service itself.",
        ),
        "door": Field(
            tuple(map(str, Door)),
            lambda it: it.entry["door"],
            "The part of the service through which the change was made.",
        ),
        "action": Field(ACTIONS, lambda it: it.entry["action"], "What was done."),
        "fields": Field(
            ["string"],
            lambda it: changed_fields(it.kind, it.entry["changed"]),
            "The fields that changed.",
        ),
        "languages": Field(
            ["string"],
            lambda it: changed_languages(it.entry["changed"]),
            "The languages in which texts changed.",
        ),
        "rest_url": Field(
            "string|null",
            lambda it: it.state,
            "The state after the save; null where history lacks it.",
        ),
    },
)
HISTORY_PAGE = Shape[object](
    "HistoryPage",
    {**PAGE, "history": Field([_ENTRY], meaning="The changes, the latest one first.")},
)


def present_entries(
    kind: Kind, record: Record, entries: Sequence[Record], skipped: int, context: Context
) -> list[JSONObject]:
    """Present entries, the latest first; ``skipped`` later ones are on earlier pages."""
    present, address = [], context.addresses.record(kind.name, record["_id"])
    for later, entry in enumerate(entries, start=skipped):
        # A state follows from all later entries; without one of them there is no way back.
        is_reached = record["revision"] - entry["revision"] == later
        state = f"{address}/history/{entry['revision']}" if is_reached else None
        present.append(_ENTRY.present(_Save(kind, entry, context.zone, state)))
    return present


def changed_fields(kind: Kind, paths: Sequence[str]) -> list[str]:
    """Return the names of the fields at some paths; a confirmation alone counts as one."""
    return list(dict.fromkeys(_fields(kind, paths)))


def changed_languages(paths: Sequence[str]) -> list[str]:
    """Return the languages in which texts changed or were confirmed."""
    return sorted(_tags(TEXTS, paths) | _confirmed(paths) | checked_languages(paths))


def _fields(kind: Kind, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        first, *rest = path.split(".")
        if first == TEXTS:
            yield rest[-1]
        elif first not in (SOURCES, LEDGER, *BOOKKEEPING):
            yield from field_names(kind, first)
    if _confirmed(paths):
        yield _CONFIRMED
    if checked_languages(paths):
        yield _CHECKED


def _confirmed(paths: Sequence[str]) -> set[str]:
    """Return the languages that somebody confirmed without a change of their texts."""
    return set() if _tags(TEXTS, paths) else _tags(SOURCES, paths)


def checked_languages(paths: Sequence[str]) -> set[str]:
    """Return the languages of which somebody checked texts, or told their origin, unchanged."""
    rewritten = {path.removeprefix(TEXTS) for path in paths if path.startswith(f"{TEXTS}.")}
    entries = (path for path in paths if path.startswith(f"{LEDGER}."))
    return _tags(LEDGER, [path for path in entries if path.removeprefix(LEDGER) not in rewritten])


def _tags(first: str, paths: Sequence[str]) -> set[str]:
    parts = (path.split(".") for path in paths)
    return {names[1] for names in parts if names[0] == first}
